// SPDX-License-Identifier: MIT
#include "gemini/schema_keywords.h"

#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

namespace yume::gemini {
namespace {

using Json = SchemaJson;

constexpr std::size_t k_max_description = 2'000;
constexpr std::int64_t k_max_items = 1'000;
constexpr double k_beyond_numbers = 9'007'199'254'740'991;  // what generators put for "no limit"

constexpr std::array<std::string_view, 7> k_types = {"object",  "array",   "string", "number",
                                                     "integer", "boolean", "null"};

std::string_view known_type(const Json& name) {
  if (!name.is_string()) return {};
  std::string lower = name.get<std::string>();
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto found = std::find(k_types.begin(), k_types.end(), lower);
  return found == k_types.end() ? std::string_view() : *found;
}

// The inclusive limit; an exclusive one moves by `step` when that is exact.
std::optional<Json> limit(const Json& schema, const char* inclusive, const char* exclusive,
                          std::int64_t step) {
  const auto usable = [](const Json* value) {
    return value != nullptr && value->is_number() &&
           std::abs(value->get<double>()) < k_beyond_numbers;
  };
  if (const Json* value = keyword(schema, inclusive); usable(value)) return *value;
  const Json* value = keyword(schema, exclusive);
  if (!usable(value)) return std::nullopt;
  if (!value->is_number_integer()) return *value;
  return Json(value->get<std::int64_t>() + step);
}

}  // namespace

const Json* keyword(const Json& schema, const char* name) {
  const auto found = schema.find(name);
  return found == schema.end() ? nullptr : &*found;
}

bool has_any(const Json& schema, std::initializer_list<const char*> keywords) {
  return std::any_of(keywords.begin(), keywords.end(),
                     [&schema](const char* name) { return schema.contains(name); });
}

std::string type_of(const Json& schema) {
  const Json* type = keyword(schema, "type");
  return type != nullptr && type->is_string() ? type->get<std::string>() : std::string();
}

std::vector<std::string_view> types_of(const Json& schema) {
  std::vector<std::string_view> types;
  if (const Json* type = keyword(schema, "type")) {
    const Json list = type->is_array() ? *type : Json::array({*type});
    for (const Json& name : list) {
      const std::string_view known = known_type(name);
      const bool is_new = std::find(types.begin(), types.end(), known) == types.end();
      if (!known.empty() && is_new) types.push_back(known);
    }
  }
  if (types.empty() && has_any(schema, {"properties", "required", "additionalProperties"})) {
    types.push_back("object");
  } else if (types.empty() && has_any(schema, {"items", "prefixItems"})) {
    types.push_back("array");
  }
  const auto number = std::find(types.begin(), types.end(), "number");
  if (number != types.end()) std::erase(types, "integer");
  return types;
}

void describe(const Json& schema, Json& out, const std::string& note) {
  for (const char* name : {"description", "title"}) {
    const Json* value = keyword(schema, name);
    if (value == nullptr || !value->is_string() || value->get_ref<const std::string&>().empty()) {
      continue;
    }
    std::string text = value->get<std::string>();
    if (!note.empty()) text += " " + note;
    const char* const place = note.empty() ? name : "description";
    out[place] = std::string(utf8_prefix(text, k_max_description));
    return;
  }
  if (!note.empty()) out["description"] = std::string(utf8_prefix(note, k_max_description));
}

void copy_format(const Json& schema, std::initializer_list<std::string_view> allowed, Json& out) {
  const Json* format = keyword(schema, "format");
  if (format == nullptr || !format->is_string()) return;
  const std::string name = format->get<std::string>();
  if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) out["format"] = name;
}

void copy_range(const Json& schema, bool whole, Json& out) {
  const auto lowest = limit(schema, "minimum", "exclusiveMinimum", whole ? 1 : 0);
  const auto highest = limit(schema, "maximum", "exclusiveMaximum", whole ? -1 : 0);
  if (lowest && highest && lowest->get<double>() > highest->get<double>()) return;
  if (lowest) out["minimum"] = *lowest;
  if (highest) out["maximum"] = *highest;
}

void copy_counts(const Json& schema, Json& out) {
  const auto count = [&schema](const char* name) -> std::optional<std::int64_t> {
    const Json* value = keyword(schema, name);
    if (value == nullptr || !value->is_number_integer()) return std::nullopt;
    const auto number = value->get<std::int64_t>();
    return number >= 0 && number <= k_max_items ? std::optional(number) : std::nullopt;
  };
  const auto fewest = count("minItems");
  const auto most = count("maxItems");
  if (fewest && most && *fewest > *most) return;
  if (fewest) out["minItems"] = *fewest;
  if (most) out["maxItems"] = *most;
}

bool is_any(const Json& cleaned) {
  return !has_any(cleaned, {"type", "anyOf"});
}

Json schema_leaf(const Json& schema, const std::string& note) {
  Json out = Json::object();
  const auto types = types_of(schema);
  if (types.size() == 1) out["type"] = types.front();
  describe(schema, out, note);
  if (types.size() == 1 && types.front() == "array") out["items"] = Json::object();
  return out;
}

}  // namespace yume::gemini
