// SPDX-License-Identifier: MIT
// What can be known of a JSON object that is too long to be kept: the values of a few members,
// wherever in the text they stand. Reads the bytes as they pass and keeps next to nothing; what is
// not JSON only has no such members.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace yume {

// A member whose value is looked for.
struct OutlineMember {
  std::string_view object;  // the member of the whole that it is in; empty: the whole itself
  std::string_view key;

  friend bool operator==(const OutlineMember&, const OutlineMember&) = default;
};

class JsonOutline {
 public:
  // `wanted` must outlive the outline: a constant.
  explicit JsonOutline(std::span<const OutlineMember> wanted)
      : wanted_(wanted), values_(wanted.size()) {}

  void feed(std::string_view bytes);

  // The value as it is written: a string with its quotes, a number, true, false or null. Empty when
  // the member is not there, is not wanted, is long, or is an object or array.
  [[nodiscard]] std::string_view value(const OutlineMember& member) const;
  // What is between a string's quotes, escapes as they are. Empty for all else.
  [[nodiscard]] std::string_view text(const OutlineMember& member) const;

 private:
  static constexpr std::size_t k_deepest = 2;  // where what is looked for can stand

  void in_string(char c);
  void between_strings(char c);
  void end_string();
  void end_scalar();
  void keep_value(std::string value);
  [[nodiscard]] bool watched() const { return depth_ >= 1 && depth_ <= k_deepest; }

  std::span<const OutlineMember> wanted_;
  std::vector<std::string> values_;
  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool after_backslash_ = false;
  bool is_value_ = false;  // a colon came before
  std::string text_;       // of what is being read, as far as it is of interest
  std::array<std::string, k_deepest> keys_ = {};
};

}  // namespace yume
