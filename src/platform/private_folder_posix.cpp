// SPDX-License-Identifier: MIT
#include "platform/private_folder_posix.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "util/path_text.h"

namespace yume::platform {
namespace {

constexpr mode_t k_others = 077;

Error refuse(const std::filesystem::path& path, std::string_view why) {
  return Error{.code = ErrorCode::permission_denied,
               .message = "cannot use " + to_utf8(path) + ": " + std::string(why)};
}

}  // namespace

Result<void> check_private(const std::filesystem::path& path, const struct stat& status) {
  if (status.st_uid != ::geteuid()) return refuse(path, "it belongs to another user");
  if ((status.st_mode & k_others) != 0) return refuse(path, "others have access to it");
  return {};
}

Result<Descriptor> open_private_folder(const std::filesystem::path& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return error_from_errno("cannot make " + to_utf8(path), errno);
  }
  Descriptor fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  if (!fd.is_open() || ::fstat(fd.get(), &status) != 0) {
    return error_from_errno("cannot use " + to_utf8(path), errno);
  }
  if (const auto safe = check_private(path, status); !safe) return safe.error();
  return fd;
}

}  // namespace yume::platform
