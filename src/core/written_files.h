// SPDX-License-Identifier: MIT
// Which files a turn has written, for hosts that look at them afterwards: each once, in the order
// of the first time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/event.h"

namespace yume::core {

class WrittenFiles {
 public:
  // `cwd`: what the names that a model gives are relative to; empty: they stay as they are. It may
  // be one of another machine, whose paths stay in that machine's form.
  explicit WrittenFiles(std::filesystem::path cwd = {}) : cwd_(std::move(cwd)) {}

  // Nothing for a call that failed or writes no file.
  void add(const ToolFinished& finished);
  void add(const std::vector<std::string>& files);
  [[nodiscard]] const std::vector<std::string>& list() const { return files_; }

 private:
  [[nodiscard]] std::string in_full(const std::string& path) const;

  std::filesystem::path cwd_;
  std::vector<std::string> files_;
};

}  // namespace yume::core
