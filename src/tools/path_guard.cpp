// SPDX-License-Identifier: MIT
#include "tools/path_guard.h"

#include <optional>

#include "platform/windows_path.h"
#include "tools/escaped_path.h"

namespace yume::tools {
namespace {

namespace fs = std::filesystem;

Error bad_path(std::string_view text, std::string_view why) {
  return Error{
      .code = ErrorCode::invalid_argument,
      .message = "cannot use path '" + std::string(text.substr(0, 200)) + "': " + std::string(why)};
}

enum class Tilde { expanded, literal };

struct Place {
  const fs::path& cwd;
  const fs::path& home;
};

Result<NamedFile> resolve(std::string_view text, Tilde tilde, const Place& place,
                          const platform::FileSystem& files) {
  if (text.empty()) return bad_path(text, "it is empty");
  if (text.find('\0') != std::string_view::npos) return bad_path("...", "it contains a NUL byte");
  if (text.size() > 4096) return bad_path(text, "it is longer than 4096 bytes");
  // Before it is joined: the standard library makes a network path, or one relative to a drive, one
  // of the working directory's drive.
  constexpr bool k_windows = fs::path::preferred_separator == '\\';
  if (const auto why = k_windows ? platform::why_unusable_windows_path(text) : std::nullopt) {
    return bad_path(text, *why);
  }
  fs::path given;
  if (tilde == Tilde::literal || text.front() != '~') {
    given = place.cwd / fs::path(text);  // an absolute right side replaces the left
  } else if (text == "~" || text.starts_with("~/")) {
    if (place.home.empty()) return bad_path(text, "the home directory is unknown");
    given = place.home / fs::path(text.substr(text.size() > 1 ? 2 : 1));
  } else {
    return bad_path(text, "only ~/ is expanded, not another user's home");
  }
  given = given.lexically_normal();
  for (const fs::path& name : given) {
    if (name.native().size() > 255) return bad_path(text, "a name in it is over 255 bytes");
  }
  YUME_TRY(fs::path real, files.real_path(given));
  return NamedFile{.given = std::move(given), .real = std::move(real)};
}

bool exists(const NamedFile& file, const platform::FileSystem& files) {
  const auto info = files.info(file.real);
  return info.ok() || info.error().code != ErrorCode::not_found;
}

}  // namespace

Result<NamedFile> resolve_path(std::string_view text, const fs::path& cwd, const fs::path& home,
                               const platform::FileSystem& files) {
  const Place place{.cwd = cwd, .home = home};
  // A name that really has these quotes is shown with others around it, so the file that the quoted
  // form was made for comes first.
  if (const auto meant = unescaped_path(text)) {
    auto file = resolve(*meant, Tilde::literal, place, files);
    if (file.ok() && exists(*file, files)) return file;
  }
  return resolve(text, Tilde::expanded, place, files);
}

}  // namespace yume::tools
