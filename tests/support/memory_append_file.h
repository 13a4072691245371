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

  Result<void> append(std::string_view bytes) override {
    bytes_ += bytes;
    return {};
  }
  Result<void> sync() override { return {}; }
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

 private:
  std::string& bytes_;
};

}  // namespace yume::test
