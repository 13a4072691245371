// SPDX-License-Identifier: MIT
#include "platform/file_attributes_posix.h"

#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#if defined(__linux__)
#include <sys/xattr.h>
#elif defined(__APPLE__)
#include <copyfile.h>
#include <sys/acl.h>
#endif

namespace yume::platform {
namespace {

constexpr mode_t k_permission_bits = 07777;
constexpr mode_t k_plain_permission_bits = 0777;  // without set-user-id, set-group-id, sticky
// With an access list the group's bits are that list's upper limit: more than the group may do.
constexpr mode_t k_bits_beside_a_list = 0707;

bool take_over_owner(int fresh, const struct stat& old) {
  struct stat status {};
  if (::fstat(fresh, &status) != 0) return false;
  if (status.st_uid == old.st_uid && status.st_gid == old.st_gid) return true;
  return ::fchown(fresh, old.st_uid, old.st_gid) == 0;
}

#if defined(__linux__)

constexpr const char* k_access_list = "system.posix_acl_access";

// Calls what reports a size when it is given no room, until the room suffices.
template <typename Read>
bool read_sized(std::string& into, Read read) {
  constexpr int k_attempts = 8;  // it may grow meanwhile
  for (int attempt = 0; attempt < k_attempts; ++attempt) {
    const ssize_t size = read(nullptr, 0);
    if (size < 0) return false;
    into.resize(static_cast<std::size_t>(size));
    if (size == 0) return true;
    const ssize_t got = read(into.data(), into.size());
    if (got >= 0) {
      into.resize(static_cast<std::size_t>(got));
      return true;
    }
    if (errno != ERANGE) return false;
  }
  return false;
}

std::vector<std::string> attribute_names(int fd) {
  std::string list;
  std::vector<std::string> names;
  if (!read_sized(list, [fd](char* to, std::size_t size) { return ::flistxattr(fd, to, size); })) {
    return names;  // a file system without any
  }
  for (std::size_t at = 0; at < list.size(); at += names.back().size() + 1) {
    names.emplace_back(list.c_str() + at);
  }
  return names;
}

bool copy_attribute(int fresh, int old, const std::string& name) {
  std::string value;
  const auto read = [&](char* to, std::size_t size) {
    return ::fgetxattr(old, name.c_str(), to, size);
  };
  if (!read_sized(value, read)) return errno == ENODATA;
  return ::fsetxattr(fresh, name.c_str(), value.data(), value.size(), 0) == 0;
}

// Of the others (security.*, trusted.*) a new file has its own, if it may have any.
bool must_be_kept(std::string_view name) {
  return name.starts_with("user.") || name.starts_with("system.");
}

bool has_access_list(int fd) {
  return ::fgetxattr(fd, k_access_list, nullptr, 0) >= 0;
}

bool take_over_extended(int fresh, int old) {
  // A directory may give new files an access list, and the old file's mode would then open the new
  // one to everybody on it.
  if (::fremovexattr(fresh, k_access_list) != 0 && errno != ENODATA && errno != ENOTSUP) {
    return false;
  }
  for (const std::string& name : attribute_names(old)) {
    if (name == "security.capability") continue;
    if (!copy_attribute(fresh, old, name) && must_be_kept(name)) return false;
  }
  return true;
}

#else

bool has_access_list(int fd) {
  const acl_t list = ::acl_get_fd_np(fd, ACL_TYPE_EXTENDED);
  if (list == nullptr) return false;
  ::acl_free(list);
  return true;
}

bool take_over_extended(int fresh, int old) {
  return ::fcopyfile(old, fresh, nullptr, COPYFILE_ACL | COPYFILE_XATTR) == 0;
}

#endif

}  // namespace

bool take_over_attributes(const Descriptor& fresh, const Descriptor& old,
                          const struct stat& old_status) {
  // The lists before the mode, which may forbid it, and the mode after fchown, which clears
  // set-user-id.
  const bool same = old.is_open() && take_over_owner(fresh.get(), old_status) &&
                    take_over_extended(fresh.get(), old.get());
  const mode_t kept = same                         ? k_permission_bits
                      : has_access_list(old.get()) ? k_bits_beside_a_list
                                                   : k_plain_permission_bits;
  return ::fchmod(fresh.get(), old_status.st_mode & kept) == 0 && same;
}

}  // namespace yume::platform
