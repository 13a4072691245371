// SPDX-License-Identifier: MIT
// Where the parts of a JSON text lie, so that one can be exchanged and every other byte stays. For
// valid JSON only. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace yume::tools {

struct JsonSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct JsonArraySpans {
  JsonSpan whole;  // with its brackets
  std::vector<JsonSpan> elements;
};

// The array that the object `text` has under `key`, which must be written without escapes; the last
// one when there are several, as parsers have it. nullopt when there is none.
std::optional<JsonArraySpans> find_json_array(std::string_view text, std::string_view key);

}  // namespace yume::tools
