// SPDX-License-Identifier: MIT
// Files of a folder as values, to compare a folder before and after a run, and with a folder of
// expectations. Names are relative with `/`. Folders themselves are not listed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace yume::golden {

struct FileState {
  std::string bytes = {};  // for a symbolic link: "symlink -> TARGET\n"
  bool executable = false;
  bool operator==(const FileState&) const = default;
};

using FileTree = std::map<std::string, FileState>;

// Throws std::runtime_error, naming the path, when a file can't be read or written. A missing
// folder is an empty tree.
FileTree read_tree(const std::filesystem::path& folder);

// On Windows a file's name says whether it is executable; wine makes modes of access lists.
FileTree without_modes(FileTree tree);
void write_tree(const std::filesystem::path& folder, const FileTree& tree);
std::string read_file(const std::filesystem::path& path);

bool is_binary(std::string_view bytes);

}  // namespace yume::golden
