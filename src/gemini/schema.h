// SPDX-License-Identifier: MIT
// Makes tool declarations from anywhere (MCP servers, hosts) acceptable to Gemini: a refused schema
// costs the whole request. Pure; never fails, since a permissive schema always does.
#pragma once

#include <string>
#include <string_view>

#include "util/json_io.h"

namespace yume::gemini {

// What a tool without parameters gets. The declaration may then leave its schema out.
inline constexpr std::string_view k_no_parameters = R"({"type":"object","properties":{}})";

// An object schema for `parametersJsonSchema` that uses only keywords the server knows, within
// bounded depth and size, without references. It may allow more than `schema` did, hardly ever
// less. What is no JSON or no object schema becomes k_no_parameters. Cleaning twice changes
// nothing more.
RawJson clean_schema(const RawJson& schema);

// At most 64 of the characters a function name may have, not beginning with a digit. A longer name
// is cut and ends in a hash of the whole, so that cut names stay different; names which differ only
// in forbidden characters do not. A good name stays as it is.
std::string clean_function_name(std::string_view name);

}  // namespace yume::gemini
