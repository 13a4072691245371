// SPDX-License-Identifier: MIT
// Reading other programs' JSON without trusting it: what is missing or of another type reads as
// empty. Private to the importers; include it in .cpp files and private headers only.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/media.h"
#include "util/json_io.h"

namespace yume::transcript::import {

using Json = nlohmann::ordered_json;

// Nullopt when it is no JSON, or nested too deep to be a conversation. Mends bad UTF-8.
std::optional<Json> parse(std::string_view text);

// The value of the first of these keys that is there; null otherwise, and for what is no object.
const Json& at(const Json& object, std::initializer_list<const char*> keys);
std::string text_at(const Json& object, std::initializer_list<const char*> keys);
bool flag_at(const Json& object, std::initializer_list<const char*> keys);

RawJson raw(const Json& value);
// An object, also when it was given as the text of one.
RawJson object_of(const Json& value);

// Claude's {source:{media_type,data}}, Gemini's {inlineData:{mimeType,data}}, {mimeType,data}, and
// data: addresses.
std::optional<core::Media> media_of(const Json& block);

// A result's text: a string, blocks, or some other value as JSON. Pictures in it go to `media`.
std::string result_text(const Json& content, std::vector<core::Media>& media);

}  // namespace yume::transcript::import
