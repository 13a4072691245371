// SPDX-License-Identifier: MIT
// Every program of a command is started by sandbox-exec, with a profile that is made from the
// description (sandbox_profile.h). What it starts itself stays behind the same wall.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "platform/private_folder_posix.h"
#include "platform/sandbox_places.h"
#include "platform/sandbox_posix.h"
#include "platform/sandbox_profile.h"

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

// With every kind of rule: a system that does not know one of them would start no command at all.
std::string profile_with_all_rules() {
  return sandbox_profile({.writable = {"/nowhere", "/nowhere/kept/open"},
                          .read_only = {"/nowhere/kept", "/nowhere/folder/kept"},
                          .closed = {"/nowhere/closed"},
                          .closed_sockets = {"/somewhere/socket"},
                          .temporary = "/nowhere/temporary",
                          .network = NetworkAccess::denied},
                         [](const fs::path& path) { return path; });
}

// A process that is behind such a wall itself cannot make another one.
bool can_start_behind_a_wall() {
  std::vector<std::string> words = sandbox_starter(profile_with_all_rules());
  words.emplace_back("/usr/bin/true");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::array<char*, 1> environment{nullptr};
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_CLOEXEC_DEFAULT);
  constexpr int k_streams = 3;
  for (int stream = 0; stream < k_streams; ++stream) {
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  pid_t pid = -1;
  const int failure =
      ::posix_spawn(&pid, argv[0], &actions, &attributes, argv.data(), environment.data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) return false;
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// What does not exist yet is protected under the name that it will have.
fs::path real_path(const fs::path& path) {
  std::error_code failure;
  fs::path real = fs::weakly_canonical(path, failure);
  return failure ? path.lexically_normal() : real;
}

class DarwinSandbox final : public PreparedSandbox {
 public:
  explicit DarwinSandbox(const std::string& profile) : starter_(sandbox_starter(profile)) {}

  int descriptor() const noexcept override { return -1; }
  std::vector<std::string> starter() const override { return starter_; }
  int enter_as_supervisor() noexcept override { return 0; }
  int enter_as_command() noexcept override { return 0; }

 private:
  std::vector<std::string> starter_;
};

class DarwinSandboxMaker final : public SandboxMaker {
 public:
  Result<std::unique_ptr<PreparedSandbox>> prepare(const Sandbox& sandbox) override {
    if (!has_sandbox()) {
      return Error{.code = ErrorCode::invalid_argument,
                   .message = "there is no sandbox for commands: sandbox-exec does not work here"};
    }
    YUME_TRY(const Descriptor outer, open_private_folder(sandbox.temporary.parent_path()));
    YUME_TRY(const Descriptor inner, open_private_folder(sandbox.temporary));
    return std::unique_ptr<PreparedSandbox>(
        std::make_unique<DarwinSandbox>(sandbox_profile(sandbox, real_path)));
  }
};

}  // namespace

bool has_sandbox() {
  static const bool works = can_start_behind_a_wall();
  return works;
}

SandboxSupport sandbox_support() {
  return {.profiles = has_sandbox()};
}

std::unique_ptr<SandboxMaker> make_sandbox_maker() {
  return std::make_unique<DarwinSandboxMaker>();
}

}  // namespace yume::platform
