// SPDX-License-Identifier: MIT
#include "app/overflow_files.h"

#include "util/plain_name.h"

#include <system_error>
#include <utility>

namespace yume::app {

OverflowFiles::OverflowFiles(platform::FileSystem& files, const std::filesystem::path& home,
                             std::string session_id)
    : files_(files),
      directory_(home.empty() ? home : home / ".yume" / "tmp"),
      session_id_(std::move(session_id)) {}

std::string OverflowFiles::keep(std::string_view name, std::string_view content) {
  if (directory_.empty() || !files_.create_directories(directory_).ok()) return {};
  std::error_code failure;  // whole tool outputs are nobody else's business
  std::filesystem::permissions(directory_, std::filesystem::perms::owner_all, failure);
  if (failure) return {};
  const auto path = directory_ / (plain_name(session_id_) + "-" + plain_name(name) + ".txt");
  return files_.replace(path, content).ok() ? path.string() : std::string();
}

}  // namespace yume::app
