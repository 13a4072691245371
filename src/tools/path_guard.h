// SPDX-License-Identifier: MIT
// From the path a model wrote to the file it really names. Decides nothing: permission does that on
// the real path this returns.
#pragma once

#include <filesystem>
#include <string_view>

#include "platform/file_system.h"
#include "util/result.h"

namespace yume::tools {

struct NamedFile {
  std::filesystem::path given;  // absolute, as named: what messages show
  std::filesystem::path real;   // symbolic links resolved
};

// Absolute or relative to `cwd`; only a leading `~/` is expanded. The quoted form of escaped_path()
// means the file it stands for, when that is there. Errors: empty, NUL, `~user`, a
// path over 4,096 bytes or a name over 255.
Result<NamedFile> resolve_path(std::string_view text, const std::filesystem::path& cwd,
                               const std::filesystem::path& home,
                               const platform::FileSystem& files);

}  // namespace yume::tools
