// SPDX-License-Identifier: MIT
// All names that lead to a file. Denials fire on any of them, permission needs all of them.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

namespace yume::permissions {

// As given, what each symbolic link on the way makes of it, the real one last. The only look at
// the disk that a decision takes; may return the given name alone.
using FileNames =
    std::function<std::vector<std::filesystem::path>(const std::filesystem::path& given)>;

// Whether a folder is where the path leads.
using FolderCheck = std::function<bool(const std::filesystem::path& path)>;

// `given` is absolute and may still have ".." in it: behind a link that is not the folder that the
// text suggests, so the names are those of the text without it, and those that the links lead to.
std::vector<std::filesystem::path> all_names(const std::filesystem::path& given,
                                             const FileNames& names);

// The path without "." and final slashes. ".." stays: only the disk knows where it leads.
std::filesystem::path with_parents_kept(const std::filesystem::path& path);

}  // namespace yume::permissions
