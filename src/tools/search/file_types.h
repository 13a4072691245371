// SPDX-License-Identifier: MIT
// File types by name ("ts", "py"), as ripgrep's --type knows them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tools/search/glob_pattern.h"

namespace yume::tools::search {

class FileType {
 public:
  explicit FileType(std::string_view globs);  // with a space between
  // `name` is a file's name without directories.
  [[nodiscard]] bool contains(std::string_view name) const;

 private:
  std::vector<GlobPattern> globs_;
};

std::optional<FileType> find_file_type(std::string_view name);

}  // namespace yume::tools::search
