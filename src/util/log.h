// SPDX-License-Identifier: MIT
// The debug log: off unless asked for, and then a file of its own or stderr. Never stdout. Secrets
// have a type that cannot be passed here.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "util/result.h"

namespace yume {

class Log {
 public:
  virtual ~Log() = default;
  virtual void write(std::string_view area, std::string_view message) = 0;
};

// Discards everything.
Log& null_log();
// One line per message with a time stamp, written at once. Errors when the file cannot be opened.
Result<std::unique_ptr<Log>> open_file_log(const std::filesystem::path& path);

}  // namespace yume
