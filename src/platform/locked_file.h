// SPDX-License-Identifier: MIT
// What AppendFile needs of a system: a regular file that is open in one process at a time. Private
// to src/platform. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "platform/append_file.h"
#include "util/result.h"

namespace yume::platform {

class LockedFile {
 public:
  virtual ~LockedFile() = default;

  [[nodiscard]] virtual Result<std::uint64_t> size() const = 0;
  // Exactly the bytes from `from` up to `to`.
  [[nodiscard]] virtual Result<std::string> read(std::uint64_t from, std::uint64_t to) const = 0;
  // All of it; after a failure any part of it may be there.
  virtual Result<void> write(std::uint64_t at, std::string_view bytes) = 0;
  // To less than it is long.
  virtual Result<void> cut(std::uint64_t size) = 0;
  // Returns when everything would survive a power cut, the file's name included.
  virtual Result<void> sync() = 0;
};

// The errors are those of open_append_file. The folder of what is created is there.
Result<std::unique_ptr<LockedFile>> open_locked_file(const std::filesystem::path& path,
                                                     OpenFor purpose);

}  // namespace yume::platform
