// SPDX-License-Identifier: MIT
// Two walls, one behind the other. Mounts of its own, where they can be had, show a command a file
// system that is read-only but for what it may change, and empty where it is closed. Landlock says
// the same once more, forbids to undo the mounts, and keeps other processes out of reach; where it
// stands alone it has to name everything that may be read.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "platform/landlock_linux.h"
#include "platform/network_filter_linux.h"
#include "platform/private_folder_posix.h"
#include "platform/private_mounts_linux.h"
#include "platform/privileges_linux.h"
#include "platform/sandbox_places.h"
#include "platform/sandbox_posix.h"
#include "platform/sandbox_rules_linux.h"
#include "util/path_text.h"

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

fs::path real_path(const fs::path& path) {
  std::error_code missing;
  fs::path real = fs::canonical(path, missing);
  return missing ? fs::path() : real;
}

// The parent holds what is put in place of closed folders and files; commands cannot change it.
Result<Covers> make_temporary(const fs::path& temporary) {
  const fs::path parent = temporary.parent_path();
  YUME_TRY(const Descriptor outer, open_private_folder(parent));
  YUME_TRY(const Descriptor inner, open_private_folder(temporary));
  Covers covers{.folder = parent / "closed-folder", .file = parent / "closed-file"};
  if (::mkdirat(outer.get(), "closed-folder", 0) != 0 && errno != EEXIST) {
    return error_from_errno("cannot make " + to_utf8(covers.folder), errno);
  }
  constexpr int k_flags = O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const Descriptor file(::openat(outer.get(), "closed-file", k_flags, 0));
  if (!file.is_open() && errno != EEXIST) {
    return error_from_errno("cannot make " + to_utf8(covers.file), errno);
  }
  return covers;
}

class LinuxSandbox final : public PreparedSandbox {
 public:
  LinuxSandbox(NetworkAccess network, std::shared_ptr<const LandlockRules> rules,
               std::optional<PrivateMounts> mounts)
      : network_(network),
        is_root_(::geteuid() == 0),
        rules_(std::move(rules)),
        mounts_(std::move(mounts)) {
    if (network == NetworkAccess::denied && has_network_filter()) filter_ = make_network_filter();
  }

  int descriptor() const noexcept override { return rules_->fd(); }

  int enter_as_supervisor() noexcept override { return mounts_ ? mounts_->enter() : 0; }

  int enter_as_command() noexcept override {
    if (const int failure = drop_privileges(is_root_, network_); failure != 0) return failure;
    if (const int failure = enter_landlock(rules_->fd()); failure != 0) return failure;
    return filter_.empty() ? 0 : enter_network_filter(filter_);
  }

 private:
  NetworkAccess network_;
  bool is_root_;
  std::shared_ptr<const LandlockRules> rules_;
  std::optional<PrivateMounts> mounts_;
  std::vector<sock_filter> filter_;
};

class LinuxSandboxMaker final : public SandboxMaker {
 public:
  Result<std::unique_ptr<PreparedSandbox>> prepare(const Sandbox& sandbox) override {
    const std::lock_guard lock(mutex_);
    if (!support_) support_ = sandbox_support();
    if (support_->landlock_abi == 0) {
      return Error{.code = ErrorCode::invalid_argument,
                   .message = "there is no sandbox for commands: this kernel has no Landlock"};
    }
    YUME_TRY(const Covers covers, make_temporary(sandbox.temporary));
    Sandbox whole = sandbox;
    whole.writable.push_back(sandbox.temporary);
    const SandboxPlaces places = real_places(whole, real_path);
    SandboxSupport used = *support_;
    if (sandbox.means == SandboxMeans::no_mounts) used.private_mounts = false;
    std::optional<PrivateMounts> mounts;
    if (used.private_mounts) mounts.emplace(plan_mounts(places), covers);
    YUME_TRY(auto rules, rules_.rules_for(places, sandbox.network, used));
    return std::unique_ptr<PreparedSandbox>(
        std::make_unique<LinuxSandbox>(sandbox.network, std::move(rules), std::move(mounts)));
  }

 private:
  std::mutex mutex_;
  std::optional<SandboxSupport> support_;  // absent: not tried yet
  SandboxRules rules_;
};

}  // namespace

bool has_sandbox() {
  return landlock_abi() > 0;
}

SandboxSupport sandbox_support() {
  const int abi = landlock_abi();
  return {.landlock_abi = abi,
          .private_mounts = abi > 0 && can_have_private_mounts(),
          .network_filter = abi > 0 && has_network_filter()};
}

std::unique_ptr<SandboxMaker> make_sandbox_maker() {
  return std::make_unique<LinuxSandboxMaker>();
}

}  // namespace yume::platform
