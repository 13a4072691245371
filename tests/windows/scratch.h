// SPDX-License-Identifier: MIT
// A folder of a test's own that goes away with it.
#pragma once

#include <filesystem>
#include <system_error>

#include "platform/kept_files.h"
#include "util/uuid.h"

namespace yume::test {

class Scratch {
 public:
  // Under the name that the file system keeps, not the short one that TEMP may have.
  Scratch() : path_(std::filesystem::temp_directory_path() / ("yume-test-" + random_hex(16))) {
    std::filesystem::create_directories(path_);
  }
  ~Scratch() { (void)platform::remove_tree(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace yume::test
