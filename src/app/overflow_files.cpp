// SPDX-License-Identifier: MIT
#include "app/overflow_files.h"

#include "util/path_text.h"
#include "util/plain_name.h"
#include "util/uuid.h"

#include <system_error>
#include <utility>

namespace yume::app {

OverflowFiles::OverflowFiles(platform::FileSystem& files, std::filesystem::path directory)
    : files_(files), directory_(std::move(directory)) {}

std::string OverflowFiles::keep(std::string_view name, std::string_view content) {
  if (directory_.empty() || !files_.create_directories(directory_).ok()) return {};
  std::error_code failure;  // whole tool outputs are nobody else's business
  std::filesystem::permissions(directory_, std::filesystem::perms::owner_all, failure);
  if (failure) return {};
  const auto path = directory_ / (plain_name(name) + "-" + random_hex(8) + ".txt");
  return files_.replace(path, content).ok() ? to_utf8(path) : std::string();
}

}  // namespace yume::app
