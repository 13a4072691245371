// SPDX-License-Identifier: MIT
// The fast way to read most JSON: checked and taken apart by simdjson, several times as fast as by
// the library whose trees the program uses. What it does not take is left to that one, which also
// says what is wrong. Include it in .cpp files of this folder only.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace yume::json_dom {

// True: it is JSON, and not deeper than that. False says nothing: it may be long, or have a number
// of more than 64 bits.
bool is_json(std::string_view text, int max_depth);

// False leaves `value` in any state, and says as little.
bool read(std::string_view text, nlohmann::json& value);
bool read(std::string_view text, nlohmann::ordered_json& value);

}  // namespace yume::json_dom
