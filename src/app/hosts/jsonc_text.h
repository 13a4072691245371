// SPDX-License-Identifier: MIT
// JSON as people write it in settings files: with comments and with commas behind the last entry.
// Says where the entries of objects stand, so that one can be added without touching the rest.
// Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "util/result.h"

namespace yume::app {

struct JsoncMember {
  std::string key = {};
  std::size_t key_begin = 0;
  std::size_t value_begin = 0;
  std::size_t value_end = 0;
};

class JsoncText {
 public:
  // Error invalid_argument when it is no JSON even without comments and last commas, or when its
  // value is no object.
  static Result<JsoncText> read(std::string text);

  [[nodiscard]] const std::string& text() const { return text_; }
  // The same text as plain JSON: blanks, of the same number, are where it is none.
  [[nodiscard]] const std::string& plain() const { return plain_; }
  // There is no value, only comments or nothing at all.
  [[nodiscard]] bool is_blank() const { return is_blank_; }
  // Where the value begins: at a brace.
  [[nodiscard]] std::size_t root() const { return root_; }

  // Of the object that begins at `open`, in their order.
  [[nodiscard]] std::vector<JsoncMember> members(std::size_t open) const;
  // Where its closing brace is.
  [[nodiscard]] std::size_t end_of_object(std::size_t open) const;
  // A comma stands behind its last member.
  [[nodiscard]] bool has_last_comma(std::size_t close) const;

 private:
  std::string text_;
  std::string plain_;
  std::vector<std::size_t> last_commas_;
  bool is_blank_ = false;
  std::size_t root_ = 0;
};

}  // namespace yume::app
