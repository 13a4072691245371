// SPDX-License-Identifier: MIT
// The bytes of a session file, read where they are needed: a file of any size, or a text in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "platform/file_system.h"
#include "util/result.h"

namespace yume::transcript {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fewer than asked for only at the end.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) = 0;
};

class FileBytes final : public ByteSource {
 public:
  explicit FileBytes(std::unique_ptr<platform::OpenFile> file) : file_(std::move(file)) {}
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    return file_->read_at(offset, into);
  }

 private:
  std::unique_ptr<platform::OpenFile> file_;
};

// `bytes` outlives it.
class TextBytes final : public ByteSource {
 public:
  explicit TextBytes(std::string_view bytes) : bytes_(bytes) {}
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    const std::size_t from = std::min<std::uint64_t>(offset, bytes_.size());
    const std::size_t count = std::min(into.size(), bytes_.size() - from);
    std::copy_n(bytes_.data() + from, count, into.data());
    return count;
  }

 private:
  std::string_view bytes_;
};

}  // namespace yume::transcript
