// SPDX-License-Identifier: MIT
#include "golden/runner/file_tree.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace yume::golden {
namespace {

namespace fs = std::filesystem;

FileState read_state(const fs::directory_entry& entry) {
  if (entry.is_symlink()) {
    return {.bytes = "symlink -> " + fs::read_symlink(entry.path()).string() + "\n"};
  }
  if (!entry.is_regular_file()) return {.bytes = "special file\n"};
  const auto mode = entry.status().permissions();
  return {.bytes = read_file(entry.path()),
          .executable = (mode & fs::perms::owner_exec) != fs::perms::none};
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

FileTree read_tree(const fs::path& folder) {
  FileTree tree;
  if (!fs::is_directory(folder)) return tree;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_directory() && !entry.is_symlink()) continue;
    tree.emplace(entry.path().lexically_relative(folder).generic_string(), read_state(entry));
  }
  return tree;
}

FileTree without_modes(FileTree tree) {
  for (auto& [name, state] : tree) state.executable = false;
  return tree;
}

void write_tree(const fs::path& folder, const FileTree& tree) {
  for (const auto& [name, state] : tree) {
    const fs::path path = folder / name;
    fs::create_directories(path.parent_path());
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << state.bytes;
    if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
    if (state.executable) {
      fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add);
    }
  }
}

bool is_binary(std::string_view bytes) {
  return bytes.find('\0') != std::string_view::npos;
}

}  // namespace yume::golden
