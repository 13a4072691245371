// SPDX-License-Identifier: MIT
// JSON as a tree of values, for small inputs at the edges. Reading and writing are here and not
// called on the library itself, because they are templates: compiled once, not in thirty files.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace yume {

// A discarded value (is_discarded(), and of no other kind) for what is not JSON. The depth is the
// caller's business: check_json() limits it.
nlohmann::json read_json(std::string_view text);
nlohmann::ordered_json read_ordered_json(std::string_view text);  // keeps the order of keys

// A member's text; empty when it is none, or not there.
std::string text_at(const nlohmann::json& object, const char* key);
std::string text_at(const nlohmann::ordered_json& object, const char* key);

struct JsonLayout {
  int indent = -1;  // negative: one line
  char indent_character = ' ';
  bool ascii_only = false;
};

// Bytes that are not UTF-8 become U+FFFD.
std::string write_json(const nlohmann::json& value, const JsonLayout& layout = {});
std::string write_json(const nlohmann::ordered_json& value, const JsonLayout& layout = {});

}  // namespace yume
