// SPDX-License-Identifier: MIT
// A value that must never be printed. There is no operator<<, no implicit conversion and no
// comparison; reveal() is the one way out, and only what puts it on the wire may call it.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace yume {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}
  Secret(const Secret&) = default;
  Secret(Secret&&) noexcept = default;
  Secret& operator=(const Secret&) = default;
  Secret& operator=(Secret&&) noexcept = default;
  ~Secret() { wipe(); }

  [[nodiscard]] bool empty() const { return value_.empty(); }
  [[nodiscard]] std::string_view reveal() const { return value_; }

 private:
  void wipe() {
    // volatile: the compiler may not drop a write that nobody reads.
    volatile char* bytes = value_.data();
    for (std::size_t i = 0; i < value_.size(); ++i) bytes[i] = '\0';
  }

  std::string value_;
};

}  // namespace yume
