// SPDX-License-Identifier: MIT
#include "gemini/schema.h"

#include "gemini/schema_keywords.h"
#include "gemini/schema_parts.h"
#include "util/json_tree.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

namespace yume::gemini {
namespace {

using Json = SchemaJson;

// The server refuses schemas that are too deep or too large without saying where its limits are;
// these are far above what hand-made tools need.
constexpr int k_max_depth = 12;
constexpr int k_max_nodes = 1'000;
constexpr int k_max_merges = 20'000;  // members looked at to resolve references and allOf
constexpr std::size_t k_max_input = 128U << 10U;
constexpr int k_max_nesting = 512;  // of the JSON text: values are copied recursively
constexpr std::size_t k_max_choices = 32;
constexpr std::size_t k_max_enum = 256;

// The alternatives of an `anyOf`, each once.
class Choices {
 public:
  void add(Json cleaned) {
    if (const Json* inner = keyword(cleaned, "anyOf")) {
      for (const Json& one : *inner) add(one);
    } else if (is_any(cleaned)) {
      any_ = true;
    } else if (std::find(list_.begin(), list_.end(), cleaned) == list_.end()) {
      list_.push_back(std::move(cleaned));
    }
  }

  // `otherwise` when they exclude nothing. An `anyOf` stands alone: some servers refuse siblings.
  Json take(Json otherwise) {
    if (any_ || list_.empty() || list_.size() > k_max_choices) return otherwise;
    if (list_.size() == 1) return std::move(list_.front());
    Json out = Json::object();
    out["anyOf"] = std::move(list_);
    return out;
  }

 private:
  std::vector<Json> list_;
  bool any_ = false;
};

class Cleaner {
 public:
  explicit Cleaner(const Json& root) : root_(root) {}

  Json clean(const Json& schema, int depth) {
    ++nodes_;
    if (!schema.is_object()) return Json::object();
    if (depth >= k_max_depth || exhausted()) return schema_leaf(schema);
    if (!has_any(schema, {"$ref", "allOf"})) return clean_flat(schema, depth);
    const std::size_t before = trail_.size();
    const Json flat = flatten_schema(root_, schema, trail_, merges_);
    Json out = clean_flat(flat, depth);
    trail_.resize(before);
    return out;
  }

 private:
  [[nodiscard]] bool exhausted() const { return nodes_ > k_max_nodes; }

  Json clean_flat(const Json& schema, int depth) {
    for (const char* name : {"anyOf", "oneOf"}) {
      const Json* choices = keyword(schema, name);
      if (choices != nullptr && choices->is_array() && !choices->empty()) {
        return clean_choices(schema, *choices, depth);
      }
    }
    if (const Json* value = keyword(schema, "const")) {
      return clean_enum(schema, Json::array({*value}));
    }
    if (const Json* values = keyword(schema, "enum"); values != nullptr && values->is_array()) {
      return clean_enum(schema, *values);
    }
    const auto types = types_of(schema);
    return types.size() > 1 ? clean_types(schema, types, depth)
                            : clean_one(schema, types.empty() ? "" : types.front(), depth);
  }

  // What stands beside the choices holds for each of them.
  Json clean_choices(const Json& schema, const Json& choices, int depth) {
    Json own = schema;
    for (const char* name : {"anyOf", "oneOf", "title"}) own.erase(name);
    const bool says_what = has_any(own, {"type", "properties", "items", "enum", "const"});
    const bool only_conditions =
        std::none_of(choices.begin(), choices.end(), [&own](const Json& choice) {
          return !choice.is_object() ||
                 has_any(choice, {"$ref", "allOf", "anyOf", "oneOf", "properties", "items",
                                  "prefixItems", "enum", "const"}) ||
                 (choice.contains("type") && type_of(choice) != type_of(own));
        });
    if (says_what && only_conditions) return clean_flat(own, depth);
    Choices result;
    for (const Json& choice : choices) {
      if (exhausted()) break;
      if (choice == Json(false)) continue;
      const std::size_t before = trail_.size();
      Json merged = flatten_schema(root_, choice, trail_, merges_);
      if (type_of(merged) != "null") merge_schema(merged, own, merges_);
      result.add(clean(merged, depth + 1));
      trail_.resize(before);
    }
    Json otherwise = Json::object();
    describe(schema, otherwise);
    return exhausted() ? otherwise : result.take(std::move(otherwise));
  }

  Json clean_types(const Json& schema, const std::vector<std::string_view>& types, int depth) {
    Json choices = Json::array();
    for (const std::string_view type : types) choices.push_back(Json{{"type", type}});
    Json own = schema;
    own.erase("type");
    return clean_choices(own, choices, depth);
  }

  // Only strings may be enumerated everywhere; other values go into the description.
  Json clean_enum(const Json& schema, const Json& values) {
    const auto types = types_of(schema);
    const auto wanted = [&types](std::string_view type) {
      return types.empty() || std::find(types.begin(), types.end(), type) != types.end();
    };
    Json strings = Json::array();
    Json numbers = Json::array();
    Json others = Json::array();
    bool has_null = false;
    for (const Json& value : values) {
      if (value.is_string() && wanted("string")) {
        const bool is_new = std::find(strings.begin(), strings.end(), value) == strings.end();
        if (is_new && value != Json("")) strings.push_back(value);
      } else if (value.is_number() && (wanted("number") || wanted("integer"))) {
        numbers.push_back(value);
      } else if (value.is_null()) {
        has_null = true;
      } else {
        others.push_back(value);
      }
      if (strings.size() > k_max_enum || numbers.size() > k_max_enum) return schema_leaf(schema);
    }
    Choices result;
    if (!strings.empty()) {
      Json one{{"type", "string"}};
      describe(schema, one);
      one["enum"] = std::move(strings);
      result.add(std::move(one));
    }
    if (!numbers.empty()) result.add(clean_numbers(schema, numbers));
    if (!others.empty()) result.add(noted(schema, others));
    if (has_null) result.add(Json{{"type", "null"}});
    return result.take(values.empty() ? schema_leaf(schema) : noted(schema, values));
  }

  static std::string note_of(const Json& values) {
    std::string note = values.size() == 1 ? "(always " : "(one of ";
    for (std::size_t i = 0; i < values.size(); ++i)
      note += (i > 0 ? ", " : "") + write_json(values[i]);
    return note + ")";
  }

  static Json noted(const Json& schema, const Json& values) {
    const bool truths = std::all_of(values.begin(), values.end(),
                                    [](const Json& value) { return value.is_boolean(); });
    if (!truths) return schema_leaf(schema, note_of(values));
    Json out{{"type", "boolean"}};
    describe(schema, out, note_of(values));
    return out;
  }

  static Json clean_numbers(const Json& schema, const Json& numbers) {
    const bool whole = std::all_of(numbers.begin(), numbers.end(),
                                   [](const Json& number) { return number.is_number_integer(); });
    Json out{{"type", whole ? "integer" : "number"}};
    describe(schema, out, note_of(numbers));
    return out;
  }

  Json clean_one(const Json& schema, std::string_view type, int depth) {
    Json out = Json::object();
    if (!type.empty()) out["type"] = type;
    describe(schema, out);
    if (type == "object") {
      clean_object(schema, depth, out);
    } else if (type == "array") {
      clean_array(schema, depth, out);
    } else if (type == "string") {
      copy_format(schema, {"date-time", "date", "time"}, out);
    } else if (type == "integer" || type == "number") {
      copy_format(schema, {"int32", "int64", "float", "double"}, out);
      copy_range(schema, type == "integer", out);
    }
    return out;
  }

  void clean_object(const Json& schema, int depth, Json& out) {
    Json properties = Json::object();
    if (const Json* given = keyword(schema, "properties"); given != nullptr && given->is_object()) {
      for (const auto& [name, property] : given->items()) {
        if (exhausted()) break;
        if (!name.empty() && property != Json(false)) properties[name] = clean(property, depth + 1);
      }
    }
    Json required = Json::array();
    if (const Json* given = keyword(schema, "required"); given != nullptr && given->is_array()) {
      for (const Json& name : *given) {
        const bool known = name.is_string() && properties.contains(name.get<std::string>());
        const bool is_new = std::find(required.begin(), required.end(), name) == required.end();
        if (known && is_new) required.push_back(name);
      }
    }
    if (!properties.empty()) out["properties"] = std::move(properties);
    if (!required.empty()) out["required"] = std::move(required);
    // With patterns for names, others are not forbidden as a whole.
    const Json* rest = keyword(schema, "additionalProperties");
    if (rest == nullptr || schema.contains("patternProperties") || exhausted()) return;
    if (*rest == Json(false)) {
      out["additionalProperties"] = false;
    } else if (rest->is_object()) {
      Json cleaned = clean(*rest, depth + 1);
      if (!is_any(cleaned)) out["additionalProperties"] = std::move(cleaned);
    }
  }

  void clean_array(const Json& schema, int depth, Json& out) {
    const Json* items = keyword(schema, "items");
    const Json* tuple = keyword(schema, "prefixItems");
    if (items != nullptr && items->is_array()) tuple = std::exchange(items, nullptr);
    Json first = Json::array();
    if (tuple != nullptr && tuple->is_array() && tuple->size() <= k_max_choices) {
      for (const Json& one : *tuple) first.push_back(clean(one, depth + 1));
    }
    if (!first.empty()) out["prefixItems"] = std::move(first);
    const bool needs_items =
        !out.contains("prefixItems") || (items != nullptr && items->is_object());
    if (needs_items) out["items"] = clean(items != nullptr ? *items : Json(true), depth + 1);
    copy_counts(schema, out);
  }

  const Json& root_;
  RefTrail trail_ = {};
  int nodes_ = 0;
  int merges_ = k_max_merges;
};

// A whole's alternatives as one object: every property may come, required is what all require.
Json joined(const Json& choices) {
  Json out{{"type", "object"}};
  int budget = k_max_merges;
  std::optional<std::vector<Json>> required;
  for (const Json& choice : choices) {
    if (type_of(choice) != "object") continue;
    const Json names = choice.value("required", Json::array());
    if (!required) {
      required.emplace(names.begin(), names.end());
    } else {
      std::erase_if(*required, [&names](const Json& name) {
        return std::find(names.begin(), names.end(), name) == names.end();
      });
    }
    if (const Json* properties = keyword(choice, "properties")) {
      merge_schema(out, Json{{"properties", *properties}}, budget);
    }
  }
  if (required && !required->empty()) out["required"] = *required;
  return out;
}

bool nests_too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '{' || c == '[')) {
      if (++depth > k_max_nesting) return true;
    } else if (!in_string && (c == '}' || c == ']')) {
      --depth;
    }
  }
  return false;
}

}  // namespace

RawJson clean_schema(const RawJson& schema) {
  const RawJson none{std::string(k_no_parameters)};
  if (schema.text.size() > k_max_input || nests_too_deep(schema.text)) return none;
  const Json root = read_ordered_json(schema.text);
  if (!root.is_object()) return none;
  Json cleaned = Cleaner(root).clean(root, 0);
  if (const Json* choices = keyword(cleaned, "anyOf")) cleaned = joined(*choices);
  if (type_of(cleaned) != "object") return none;
  const Json* rest = keyword(cleaned, "additionalProperties");
  if (!cleaned.contains("properties") && (rest == nullptr || !rest->is_object())) return none;
  return {write_json(cleaned)};
}

std::string clean_function_name(std::string_view name) {
  constexpr std::size_t k_longest = 64;
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto is_allowed = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
  };
  std::string out;
  if (name.empty() || !is_letter(name.front())) out.push_back('_');
  for (const char c : name) out.push_back(is_allowed(c) ? c : '_');
  if (out.size() <= k_longest) return out;
  std::uint32_t hash = 2'166'136'261U;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16'777'619U;
  std::array<char, 10> tail{};
  std::snprintf(tail.data(), tail.size(), "_%08x", static_cast<unsigned>(hash));
  out.resize(k_longest - (tail.size() - 1));
  return out + tail.data();
}

}  // namespace yume::gemini
