// SPDX-License-Identifier: MIT
// What single keywords of a JSON Schema say, and copying those that the server takes as they are.
// Pure; for schema.cpp.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "gemini/schema_parts.h"

namespace yume::gemini {

// nullptr when the schema has no such keyword.
const SchemaJson* keyword(const SchemaJson& schema, const char* name);
bool has_any(const SchemaJson& schema, std::initializer_list<const char*> keywords);

// `type` when it is one name, else empty.
std::string type_of(const SchemaJson& schema);
// The types it allows, by `type` or by what else it has; empty: any.
std::vector<std::string_view> types_of(const SchemaJson& schema);

// Copies the description, or the title for want of one; `note` goes behind it.
void describe(const SchemaJson& schema, SchemaJson& out, const std::string& note = {});
void copy_format(const SchemaJson& schema, std::initializer_list<std::string_view> allowed,
                 SchemaJson& out);
void copy_range(const SchemaJson& schema, bool whole, SchemaJson& out);
void copy_counts(const SchemaJson& schema, SchemaJson& out);

// A cleaned schema that excludes nothing.
bool is_any(const SchemaJson& cleaned);

// Type and description alone: what is left of a schema that is too deep.
SchemaJson schema_leaf(const SchemaJson& schema, const std::string& note = {});

}  // namespace yume::gemini
