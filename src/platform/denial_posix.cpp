// SPDX-License-Identifier: MIT
#include "platform/denial_posix.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <optional>

#include "platform/resolved_path_posix.h"
#include "util/path_text.h"

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

// Their names would have to be asked of a name service, which a static program cannot.
std::string user(uid_t id) {
  return id == 0 ? "root" : "user " + std::to_string(id);
}

std::string octal(mode_t mode) {
  std::array<char, 8> digits;
  std::snprintf(digits.data(), digits.size(), "%04o", static_cast<unsigned>(mode & 07777U));
  return digits.data();
}

bool may(const fs::path& path, int access) {
  return ::faccessat(AT_FDCWD, path.c_str(), access, AT_EACCESS) == 0;
}

// "it", or "its directory /a/b".
std::optional<std::string> why_closed(const fs::path& path, const std::string& name) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return name + " belongs to " + user(status.st_uid) + " (mode " + octal(status.st_mode) +
         "), and this program runs as " + user(::geteuid()) + "; only " +
         (status.st_uid == 0 ? "" : user(status.st_uid) + " or ") + "root can change that";
}

// Even root cannot change these.
std::optional<std::string> why_fixed([[maybe_unused]] const fs::path& path,
                                     [[maybe_unused]] const std::string& name) {
#if defined(__linux__)
  struct statx status {};
  if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, 0, &status) != 0) return std::nullopt;
  const auto set = status.stx_attributes & status.stx_attributes_mask;
  if ((set & STATX_ATTR_IMMUTABLE) != 0) {
    return name + " is marked immutable; root can lift that with chattr -i";
  }
  if ((set & STATX_ATTR_APPEND) != 0) {
    return name + " is marked append-only; root can lift that with chattr -a";
  }
#endif
  return std::nullopt;
}

std::optional<std::string> why_not_entered(const fs::path& path) {
  fs::path directory;
  for (const fs::path& name : path.parent_path()) {
    directory /= name;
    if (!may(directory, X_OK)) return why_closed(directory, "the directory " + to_utf8(directory));
  }
  return std::nullopt;
}

std::optional<std::string> why_not_written(const fs::path& path, const std::string& name) {
  if (auto why = why_fixed(path, name)) return why;
  return may(path, W_OK) ? std::nullopt : why_closed(path, name);
}

std::optional<std::string> why_denied(const fs::path& path, Wanted wanted) {
  if (auto why = why_not_entered(path)) return why;
  struct stat status {};
  const bool exists = ::lstat(path.c_str(), &status) == 0;
  if (wanted == Wanted::to_read) {
    return exists && !may(path, R_OK) ? why_closed(path, "it") : std::nullopt;
  }
  if (exists) {
    if (auto why = why_not_written(path, "it")) return why;
  }
  const fs::path directory = path.parent_path();
  return why_not_written(directory, "its directory " + to_utf8(directory));
}

}  // namespace

Error error_reaching(std::string_view what, const fs::path& path, int error_number, Wanted wanted) {
  Error error = error_opening(what, error_number);
  if (error_number != EACCES && error_number != EPERM) return error;
  if (const auto why = why_denied(path, wanted)) error.message += ": " + *why;
  return error;
}

}  // namespace yume::platform
