// SPDX-License-Identifier: MIT
// Removals that no mode runs unasked: of the file system's root or a directory directly below it,
// of the home or working directory or a parent of them, or of everything in one of these; and what
// writes over a disk. Errs on
// the side of yes. With `names`, links that lead to one of these count as well.
#pragma once

#include <filesystem>
#include <string_view>

#include "permissions/file_names.h"
#include "permissions/shell_text.h"

namespace yume::permissions {

bool removes_something_vital(const ShellText& shell, const std::filesystem::path& cwd,
                             const std::filesystem::path& home, const FileNames& names = {});
bool removes_something_vital(std::string_view command, const std::filesystem::path& cwd,
                             const std::filesystem::path& home);

}  // namespace yume::permissions
