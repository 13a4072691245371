// SPDX-License-Identifier: MIT
// New files that take another's place, or disappear. Private to src/platform; not a seam.
#pragma once

#include <filesystem>

#include "platform/handle_win32.h"
#include "util/result.h"

namespace yume::platform {

// A new file beside the one that it shall replace, which disappears unless it is renamed. Whoever
// writes it shares it with nobody who would write or remove it, so one that can be removed was left
// by a kill.
class TemporaryFile {
 public:
  // `access`: for CreateFileW; null: as the folder says.
  static Result<TemporaryFile> create(const std::filesystem::path& directory,
                                      SECURITY_ATTRIBUTES* access,
                                      const std::filesystem::path& target);
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  const Handle& file() const { return file_; }
  // ERROR_SUCCESS, or why not; see rename_over().
  DWORD rename_to(const std::filesystem::path& target);

 private:
  TemporaryFile(std::filesystem::path path, Handle file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::filesystem::path path_;  // empty once renamed or moved from
  Handle file_;
};

// Removes those that a killed process left in the directory.
void remove_abandoned_files(const std::filesystem::path& directory);

}  // namespace yume::platform
