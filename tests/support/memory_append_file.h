// SPDX-License-Identifier: MIT
// A session's file in memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "platform/append_file.h"

namespace yume::test {

// Writes into a string that the test keeps.
class MemoryAppendFile final : public platform::AppendFile {
 public:
  explicit MemoryAppendFile(std::string& bytes) : bytes_(bytes) {}

  using platform::AppendFile::append;
  Result<void> append(std::span<const std::string_view> pieces) override {
    for (const std::string_view piece : pieces) bytes_ += piece;
    return {};
  }
  Result<void> sync() override { return {}; }
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

 private:
  std::string& bytes_;
};

}  // namespace yume::test
