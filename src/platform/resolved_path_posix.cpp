// SPDX-License-Identifier: MIT
#include "platform/resolved_path_posix.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include <array>
#include <cerrno>
#include <cstdint>
#include <deque>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "platform/denial_posix.h"
#include "platform/path_walk.h"
#include "util/path_text.h"

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

constexpr int k_always = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
#if defined(O_PATH)
constexpr int k_pass_through = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
#elif defined(O_SEARCH)
constexpr int k_pass_through = O_SEARCH | O_NOFOLLOW | O_CLOEXEC;
#else
constexpr int k_pass_through = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
#endif

Result<Hop> look_at(const fs::path& asked, const fs::path& folder, const fs::path& name) {
  const fs::path next = folder / name;
  std::array<char, 4096> target;
  const ssize_t length = ::readlink(next.c_str(), target.data(), target.size());
  if (length >= 0) {
    return Hop{Hop::Kind::link, std::string(target.data(), static_cast<std::size_t>(length))};
  }
  // EINVAL: there, but not a link.
  if (errno == EINVAL) return Hop{Hop::Kind::entry, name};
  if (errno == ENOENT || errno == ENOTDIR) return Hop{.kind = Hop::Kind::missing};
  return error_reaching("cannot resolve " + to_utf8(asked), next, errno, Wanted::to_read);
}

Walked walk(const fs::path& path) {
  return walk_path(path, [&path](const fs::path& folder, const fs::path& name) {
    return look_at(path, folder, name);
  });
}

#if defined(__linux__)
// A link that should be a directory is called none.
bool is_link(const fs::path& path) {
  struct stat status {};
  const bool link = ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
  errno = ENOTDIR;
  return link;
}
#endif

// Of a name that could not be opened with O_NOFOLLOW: systems disagree on how they call a link.
int reason_at(const Descriptor& directory, const std::string& name, int error_number) {
  struct stat status {};
  const bool is_link =
      ::fstatat(directory.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISLNK(status.st_mode);
  return is_link ? ELOOP : error_number;
}

Descriptor step_into(const Descriptor& directory, const std::string& name, int flags) {
  Descriptor next(::openat(directory.get(), name.c_str(), flags));
  if (!next.is_open()) errno = reason_at(directory, name, errno);
  return next;
}

Descriptor open_step_by_step(const fs::path& real_path, int flags) {
  Descriptor at(::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const fs::path relative = real_path.relative_path();
  for (auto name = relative.begin(); at.is_open() && name != relative.end(); ++name) {
    const bool last = std::next(name) == relative.end();
    at = step_into(at, name->native(), last ? flags | k_always : k_pass_through);
  }
  return at;
}

}  // namespace

std::vector<fs::path> names_on_the_way(const fs::path& path) {
  return all_names(path, walk(path));
}

Result<fs::path> resolve_links(const fs::path& path) {
  return walk(path).real;
}

Descriptor open_resolved(const fs::path& real_path, int flags, OpenWay way) {
#if defined(__linux__)
  if (way == OpenWay::best) {
    open_how how{};
    how.flags = static_cast<std::uint64_t>(flags | k_always);
    how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    constexpr int k_attempts = 16;
    for (int attempt = 0; attempt < k_attempts; ++attempt) {
      Descriptor opened(
          static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, real_path.c_str(), &how, sizeof(how))));
      if (opened.is_open()) return opened;
      if (errno == ENOSYS || errno == EPERM) break;  // an old kernel, a sandbox
      // EAGAIN: something on the way was renamed meanwhile.
      if (errno == ENOTDIR && is_link(real_path)) errno = ELOOP;
      if (errno != EINTR && errno != EAGAIN) return opened;
    }
  }
#elif defined(O_NOFOLLOW_ANY)
  if (way == OpenWay::best) {
    constexpr int k_nowhere = (k_always & ~O_NOFOLLOW) | O_NOFOLLOW_ANY;
    Descriptor opened(::open(real_path.c_str(), flags | k_nowhere));
    // Said by systems that do not know it; step by step then.
    if (opened.is_open() || errno != EINVAL) return opened;
  }
#endif
  return open_step_by_step(real_path, flags);
}

Descriptor open_or_make_directory(const fs::path& real_path, int most_new) {
  constexpr int k_flags = O_RDONLY | O_DIRECTORY;
  Descriptor directory = open_resolved(real_path, k_flags);
  if (directory.is_open() || (errno != EACCES && (errno != ENOENT || most_new == 0))) {
    return directory;
  }

  Descriptor at(::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::deque<std::string> missing;
  for (const fs::path& name : real_path.relative_path()) {
    if (!missing.empty()) {
      missing.push_back(name.native());
      continue;
    }
    Descriptor next = step_into(at, name.native(), k_pass_through);
    if (!next.is_open() && errno != ENOENT) return next;
    if (next.is_open()) {
      at = std::move(next);
    } else {
      missing.push_back(name.native());
    }
  }
  if (missing.size() > static_cast<std::size_t>(most_new)) {
    errno = EMLINK;
    return {};
  }
  for (const std::string& name : missing) {
    constexpr mode_t k_mode = 0777;  // the umask takes away what it must
    if (::mkdirat(at.get(), name.c_str(), k_mode) != 0 && errno != EEXIST) return {};
    at = step_into(at, name, k_pass_through);
    if (!at.is_open()) return at;
  }
  Descriptor opened(::openat(at.get(), ".", k_flags | O_CLOEXEC));
  // What may be entered but not listed will do.
  return opened.is_open() || errno != EACCES ? std::move(opened) : std::move(at);
}

Error error_opening(std::string_view what, int error_number) {
  if (error_number == ELOOP) {
    return Error{.code = ErrorCode::permission_denied,
                 .message = std::string(what) +
                            ": a symbolic link is in the way that was not there when the path was "
                            "judged"};
  }
  Error error = error_from_errno(what, error_number);
  if (error_number == ENOTDIR) error.code = ErrorCode::not_found;
  return error;
}

}  // namespace yume::platform
