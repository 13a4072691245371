// SPDX-License-Identifier: MIT
// An empty directory of the test's own, gone with everything in it at the end of the scope.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace yume::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    // Canonical, so that tests can compare it with resolved paths (/tmp is a link on macOS).
    std::string pattern =
        (std::filesystem::canonical(std::filesystem::temp_directory_path()) / "yume-test-XXXXXX")
            .string();
    path_ = ::mkdtemp(pattern.data()) != nullptr ? pattern : "";
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace yume::test
