// SPDX-License-Identifier: MIT
// Writing JSON: compact, keys in the order given, ASCII only (`\uXXXX`, never a lone surrogate), so
// that no host can cut a character in two. Reading JSON is done at the edges with a library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "util/result.h"

namespace yume {

// A JSON value as text. The type says "already JSON, do not quote".
struct RawJson {
  std::string text;

  friend bool operator==(const RawJson&, const RawJson&) = default;
};

// Appends `text` as a quoted JSON string. Bytes that are not UTF-8 become U+FFFD.
void append_json_string(std::string& out, std::string_view text);
// The same without the quotes, for a string that comes in pieces of whole characters.
void append_json_characters(std::string& out, std::string_view text);

// Appends valid JSON `raw` compact and in ASCII: white space between tokens goes, non-ASCII becomes
// escapes, a lone surrogate escape becomes \ufffd. Values, key order and number spelling stay.
void append_ascii_json(std::string& out, std::string_view raw);

// The longest prefix of `text`, whole characters, whose quoted form takes at most `max_bytes`.
std::string_view json_prefix(std::string_view text, std::size_t max_bytes);

// `raw` with every string value longer than `max_bytes` cut and marked, so that a line stays short.
std::string shorten_json_strings(std::string_view raw, std::size_t max_bytes);

// Valid JSON, one value, at most `max_depth` containers deep. The message tells where it is wrong.
Result<void> check_json(std::string_view raw, int max_depth = 128);

// Builds one JSON value into a string. Calls must nest properly; that is the caller's contract and
// is not checked.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  JsonWriter& string(std::string_view value);
  // A string whose characters the caller appends between the two (append_json_characters).
  JsonWriter& begin_string();
  JsonWriter& end_string();
  JsonWriter& integer(std::int64_t value);
  JsonWriter& number(double value);  // finite; shortest form that reads back equal
  JsonWriter& boolean(bool value);
  JsonWriter& null();
  JsonWriter& raw(std::string_view json);  // made ASCII and compact

  // A key and its value in one call.
  JsonWriter& field(std::string_view name, std::string_view value) {
    return key(name).string(value);
  }
  JsonWriter& field(std::string_view name, const char* value) { return key(name).string(value); }
  JsonWriter& field(std::string_view name, std::int64_t value) { return key(name).integer(value); }
  JsonWriter& field(std::string_view name, int value) { return key(name).integer(value); }
  JsonWriter& field(std::string_view name, bool value) { return key(name).boolean(value); }
  JsonWriter& field(std::string_view name, const RawJson& value) {
    return key(name).raw(value.text);
  }

 private:
  void separate();

  std::string& out_;
  bool needs_comma_ = false;
};

}  // namespace yume
