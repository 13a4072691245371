// SPDX-License-Identifier: MIT
#include "platform/private_mounts_linux.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string_view>

#include "platform/supervised_command_posix.h"

namespace yume::platform {
namespace {

// The kernel's interface since Linux 5.12, for which Debian 12's C library has no names.
constexpr unsigned k_clone_tree = 1;             // OPEN_TREE_CLONE
constexpr unsigned k_close_on_exec = O_CLOEXEC;  // OPEN_TREE_CLOEXEC
constexpr unsigned k_recursive = 0x8000;         // AT_RECURSIVE
constexpr unsigned k_from_empty_path = 4;        // MOVE_MOUNT_F_EMPTY_PATH
constexpr std::uint64_t k_read_only_mount = 1;

struct MountAttributes {
  std::uint64_t set;
  std::uint64_t clear;
  std::uint64_t propagation;
  std::uint64_t user_namespace;
};

bool is_folder(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

int result_of(long returned) noexcept {
  return returned < 0 ? errno : 0;
}

int write_file(const char* path, std::string_view text) noexcept {
  const int fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  const int failure = result_of(::write(fd, text.data(), text.size()));
  ::close(fd);
  return failure;
}

int set_dumpable(int value) noexcept {
  return result_of(::syscall(SYS_prctl, PR_SET_DUMPABLE, value, 0, 0, 0));
}

// A copy of what is mounted at `path` and below, attached nowhere; -1 with errno.
int copy_tree(const char* path) noexcept {
  return static_cast<int>(
      ::syscall(SYS_open_tree, AT_FDCWD, path,
                k_clone_tree | k_close_on_exec | k_recursive | AT_SYMLINK_NOFOLLOW));
}

int make_read_only(int tree, const char* path) noexcept {
  const MountAttributes attributes{
      .set = k_read_only_mount, .clear = 0, .propagation = 0, .user_namespace = 0};
  return result_of(::syscall(SYS_mount_setattr, tree, path, k_recursive | AT_EMPTY_PATH,
                             &attributes, sizeof attributes));
}

// Takes the descriptor along.
int attach(int tree, const char* path) noexcept {
  const int failure =
      result_of(::syscall(SYS_move_mount, tree, "", AT_FDCWD, path, k_from_empty_path));
  ::close(tree);
  return failure;
}

int mount_copy(const char* source, const char* path, MountKind kind) noexcept {
  const int tree = copy_tree(source);
  if (tree < 0) return errno;
  if (kind != MountKind::pinned) {
    if (const int failure = make_read_only(tree, ""); failure != 0) {
      ::close(tree);
      return failure;
    }
  }
  return attach(tree, path);
}

std::string identity_map(unsigned id) {
  return std::to_string(id) + " " + std::to_string(id) + " 1";
}

}  // namespace

PrivateMounts::PrivateMounts(const std::vector<MountStep>& steps, const Covers& covers)
    : user_(::geteuid() == 0 ? User::root : User::other),
      user_map_(identity_map(::geteuid())),
      group_map_(identity_map(::getegid())),
      folder_cover_(covers.folder.native()),
      file_cover_(covers.file.native()) {
  for (const MountStep& step : steps) {
    if (step.kind == MountKind::writable && step.path == "/") {
      keeps_root_ = true;
      continue;
    }
    steps_.push_back(
        {.kind = step.kind, .path = step.path.native(), .is_folder = is_folder(step.path)});
  }
}

int PrivateMounts::enter() noexcept {
  if (const int failure = enter_namespace(); failure != 0) return failure;
  return take_steps();
}

int PrivateMounts::enter_namespace() noexcept {
  if (user_ == User::root) {
    if (::unshare(CLONE_NEWNS) != 0) return errno;
    // What is mounted outside later shows up here, but not the other way round.
    return result_of(::mount("none", "/", nullptr, MS_REC | MS_SLAVE, nullptr));
  }
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return errno;
  // The agent forbids others to look into it, and so owns none of its files in /proc.
  int failure = set_dumpable(1);
  if (failure == 0) failure = write_file("/proc/self/setgroups", "deny");
  if (failure == 0) failure = write_file("/proc/self/uid_map", user_map_);
  if (failure == 0) failure = write_file("/proc/self/gid_map", group_map_);
  const int concealed = set_dumpable(0);
  return failure != 0 ? failure : concealed;
}

int PrivateMounts::take_steps() noexcept {
  // Before everything is read-only: copies keep what they have.
  for (Step& step : steps_) {
    if (step.kind != MountKind::writable) continue;
    step.tree = copy_tree(step.path.c_str());
    if (step.tree < 0 && errno != ENOENT) return errno;
  }
  if (!keeps_root_) {
    if (const int failure = make_read_only(AT_FDCWD, "/"); failure != 0) return failure;
  }
  for (const Step& step : steps_) {
    const int failure = take(step);
    // Gone since it was looked for: there is nothing to protect.
    if (failure != 0 && failure != ENOENT) return failure;
  }
  return 0;
}

int PrivateMounts::take(const Step& step) const noexcept {
  const char* path = step.path.c_str();
  switch (step.kind) {
    case MountKind::writable:
      return step.tree < 0 ? ENOENT : attach(step.tree, path);
    case MountKind::closed:
      return mount_copy((step.is_folder ? folder_cover_ : file_cover_).c_str(), path, step.kind);
    case MountKind::pinned:
    case MountKind::read_only:
      break;
  }
  return mount_copy(path, path, step.kind);
}

bool can_have_private_mounts() {
  PrivateMounts trial({{MountKind::writable, "/dev"}}, {});
  int status = -1;
  {
    const AllSignalsBlocked blocked;
    const pid_t child = ::fork();
    if (child < 0) return false;
    if (child == 0) ::_exit(trial.enter() == 0 ? 0 : 1);
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  return status == 0;
}

}  // namespace yume::platform
