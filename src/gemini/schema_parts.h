// SPDX-License-Identifier: MIT
// The first half of cleaning a JSON Schema: references and `allOf` are resolved, so that what is
// left of a schema is one object with its own keywords. Pure; for schema.cpp.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace yume::gemini {

using SchemaJson = nlohmann::ordered_json;  // keeps the order of properties

// The references that led to a schema; one that would lead back into itself is not followed.
using RefTrail = std::vector<std::string>;

// `schema`, an object, without `$ref` and `allOf`. References into `root` are replaced by their
// target and added to `trail`; others, and those that are on the trail already, leave what is
// known without them. Stops when the budget of members looked at is used up.
SchemaJson flatten_schema(const SchemaJson& root, const SchemaJson& schema, RefTrail& trail,
                          int& budget);

// Adds to `schema` what the keywords of `other` demand besides, without `$ref` and `allOf`. Where
// both speak of the same, `schema` stays.
void merge_schema(SchemaJson& schema, const SchemaJson& other, int& budget);

}  // namespace yume::gemini
