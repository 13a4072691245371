// SPDX-License-Identifier: MIT
// --output-file: where a host that reads no lines finds how the turn ended.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "platform/file_system.h"
#include "platform/stdio.h"
#include "protocol/line_writer.h"

namespace yume::app {

// Each line replaces what the file holds; folders are made. A file that cannot be written is
// reported on stderr.
class ResultFile final : public protocol::Output {
 public:
  ResultFile(std::filesystem::path file, platform::FileSystem& files, platform::OutputStream& err)
      : file_(std::move(file)), files_(files), err_(err) {}

  void line(std::string_view text) override;
  void bytes(std::string_view text) override { line(text); }

 private:
  std::filesystem::path file_;
  platform::FileSystem& files_;
  platform::OutputStream& err_;
};

}  // namespace yume::app
