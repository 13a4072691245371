// SPDX-License-Identifier: MIT
#include "platform/sandbox_rules_linux.h"

#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

// All others stay closed: disks, memory, keyboards. The last ones compute.
constexpr std::array<const char*, 19> k_devices = {
    "/dev/null",       "/dev/zero",    "/dev/full",
    "/dev/random",     "/dev/urandom", "/dev/tty",
    "/dev/ptmx",       "/dev/pts",     "/dev/kvm",
    "/dev/kfd",        "/dev/dri",     "/dev/nvidiactl",
    "/dev/nvidia-uvm", "/dev/nvidia0", "/dev/nvidia1",
    "/dev/nvidia2",    "/dev/nvidia3", "/dev/nvidia-modeset",
    "/dev/nvidia-caps"};

// The clock of files ticks every few milliseconds.
constexpr std::int64_t k_settled_ns = 50'000'000;

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::vector<fs::path> list_folder(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    std::error_code unknown;
    if (!at->is_symlink(unknown)) entries.push_back(at->path());
  }
  return entries;
}

}  // namespace

SandboxRules::ListedFolder::ListedFolder(const fs::path& folder)
    : path_(folder.native()), was_(look(path_)) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  if (was_ && nanoseconds(now) - was_->changed_ns <= k_settled_ns) was_.reset();
}

bool SandboxRules::ListedFolder::is_same() const {
  return was_ && look(path_) == was_;
}

std::optional<SandboxRules::ListedFolder::State> SandboxRules::ListedFolder::look(
    const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return State{
      .device = status.st_dev, .inode = status.st_ino, .changed_ns = nanoseconds(status.st_ctim)};
}

Result<SandboxRules::Rules> SandboxRules::rules_for(const SandboxPlaces& places,
                                                    NetworkAccess network,
                                                    const SandboxSupport& support) {
  const bool serves = last_ && last_->places == places && last_->network == network &&
                      last_->private_mounts == support.private_mounts &&
                      std::all_of(last_->listed.begin(), last_->listed.end(),
                                  [](const ListedFolder& folder) { return folder.is_same(); });
  if (!serves) {
    YUME_TRY(last_, make(places, network, support));
  }
  return last_->rules;
}

Result<SandboxRules::Made> SandboxRules::make(const SandboxPlaces& places, NetworkAccess network,
                                              const SandboxSupport& support) {
  YUME_TRY(LandlockRules rules, LandlockRules::create(support.landlock_abi, network));
  std::vector<ListedFolder> listed;
  const auto list = [&listed](const fs::path& folder) {
    listed.emplace_back(folder);
    return list_folder(folder);
  };
  rules.allow_listing("/");
  std::vector<fs::path> unread = {"/dev"};
  if (!support.private_mounts) {
    unread.insert(unread.end(), places.closed.begin(), places.closed.end());
  }
  for (const fs::path& tree : trees_without("/", unread, list)) rules.allow_reading(tree);
  const auto changed = support.private_mounts ? places.writable : changeable_trees(places, list);
  for (const fs::path& tree : changed) rules.allow_changing(tree);
  for (const char* device : k_devices) rules.allow_device(device);
  return Made{.places = places,
              .network = network,
              .private_mounts = support.private_mounts,
              .listed = std::move(listed),
              .rules = std::make_shared<const LandlockRules>(std::move(rules))};
}

}  // namespace yume::platform
