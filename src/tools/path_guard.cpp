// SPDX-License-Identifier: MIT
#include "tools/path_guard.h"

namespace yume::tools {
namespace {

namespace fs = std::filesystem;

Error bad_path(std::string_view text, std::string_view why) {
  return Error{
      .code = ErrorCode::invalid_argument,
      .message = "cannot use path '" + std::string(text.substr(0, 200)) + "': " + std::string(why)};
}

}  // namespace

Result<NamedFile> resolve_path(std::string_view text, const fs::path& cwd, const fs::path& home,
                               const platform::FileSystem& files) {
  if (text.empty()) return bad_path(text, "it is empty");
  if (text.find('\0') != std::string_view::npos) return bad_path("...", "it contains a NUL byte");
  if (text.size() > 4096) return bad_path(text, "it is longer than 4096 bytes");
  fs::path given;
  if (text == "~" || text.starts_with("~/")) {
    if (home.empty()) return bad_path(text, "the home directory is unknown");
    given = home / fs::path(text.substr(text.size() > 1 ? 2 : 1));
  } else if (text.front() == '~') {
    return bad_path(text, "only ~/ is expanded, not another user's home");
  } else {
    given = cwd / fs::path(text);  // an absolute right side replaces the left
  }
  given = given.lexically_normal();
  for (const fs::path& name : given) {
    if (name.native().size() > 255) return bad_path(text, "a name in it is over 255 bytes");
  }
  YUME_TRY(fs::path real, files.real_path(given));
  return NamedFile{.given = std::move(given), .real = std::move(real)};
}

}  // namespace yume::tools
