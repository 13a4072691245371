// SPDX-License-Identifier: MIT
// A file into which a shell writes where it ended (platform/command_system.h): the system takes a
// process's current directory away with the process. Private to src/platform.
#pragma once

#include <filesystem>
#include <string>

#include "util/result.h"

namespace yume::platform {

class DirectoryReportFile {
 public:
  // An empty one in the user's folder for temporary files, which goes with this object.
  static Result<DirectoryReportFile> create(const std::string& what);

  DirectoryReportFile() = default;  // none
  DirectoryReportFile(DirectoryReportFile&& other) noexcept;
  DirectoryReportFile& operator=(DirectoryReportFile&& other) noexcept;
  ~DirectoryReportFile();

  // "NAME=path", for the shell's environment.
  [[nodiscard]] std::string variable() const;
  // The real path of the directory that was reported; empty: none was, or it is not there.
  [[nodiscard]] std::filesystem::path directory() const;

 private:
  explicit DirectoryReportFile(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

}  // namespace yume::platform
