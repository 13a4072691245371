// SPDX-License-Identifier: MIT
// Facts about paths and commands that no mode may overlook. All by name, whether or not the file
// exists, so that creating one is judged like changing it.
#pragma once

#include <filesystem>
#include <string_view>

namespace yume::permissions {

// Component-wise: /w/app-secret is not inside /w/app.
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& root);

// Version control, shell start-up, credentials, editor and our own settings: changing one of these
// can run code later or lift a limit. Compared without regard to case.
bool is_protected(const std::filesystem::path& path);

// What no mode and no rule opens to a tool: our own credentials (gcloud's files and our cache of
// tokens), and what /proc tells of a process's memory, environment and open files.
bool is_never_opened(const std::filesystem::path& path);

// A removal of the file system's root or a directory directly below it, of the home or working
// directory or a parent of them, or of everything in one of these. Errs on the side of yes.
bool removes_something_vital(std::string_view command, const std::filesystem::path& cwd,
                             const std::filesystem::path& home);

}  // namespace yume::permissions
