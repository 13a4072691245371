// SPDX-License-Identifier: MIT
#include "util/json_schema.h"

#include "util/json_io.h"
#include "util/json_tree.h"

// Else it ends the process where a schema is wrong.
#define VALIJSON_USE_EXCEPTIONS 1
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <algorithm>
#include <exception>
#include <optional>
#include <regex>
#include <set>
#include <utility>

namespace yume {
namespace {

using nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

constexpr std::size_t k_most_problems = 5;
constexpr std::size_t k_largest_schema = 1U << 20U;
// std::regex needs stack for each character.
constexpr std::size_t k_longest_matched = 4'000;

Error wrong(std::string why) {
  return {.code = ErrorCode::invalid_argument, .message = std::move(why)};
}

// What a local reference points to; null: nothing.
const json* target_of(const std::string& reference, const json& root) {
  try {
    const json::json_pointer place(reference.substr(1));
    return root.contains(place) ? &root.at(place) : nullptr;
  } catch (const json::exception&) {
    return nullptr;
  }
}

// Schemas that speak of the same value as this one does.
std::vector<const json*> same_value_schemas(const json& node, const json& root) {
  std::vector<const json*> next;
  if (const std::string reference = text_at(node, "$ref"); reference.starts_with('#')) {
    if (const json* target = target_of(reference, root)) next.push_back(target);
  }
  for (const char* key : {"not", "if", "then", "else"}) {
    if (const auto found = node.find(key); found != node.end()) next.push_back(&*found);
  }
  for (const char* key : {"allOf", "anyOf", "oneOf", "dependencies", "dependentSchemas"}) {
    const auto found = node.find(key);
    if (found == node.end() || !found->is_structured()) continue;
    for (const json& one : *found) next.push_back(&one);
  }
  return next;
}

// Whether checking one value would never end. `open` is what is being looked at, `done` what was.
bool has_ring(const json& node, const json& root, std::set<const json*>& open,
              std::set<const json*>& done) {
  if (!node.is_object() || done.contains(&node)) return false;
  if (!open.insert(&node).second) return true;
  for (const json* next : same_value_schemas(node, root)) {
    if (has_ring(*next, root, open, done)) return true;
  }
  open.erase(&node);
  done.insert(&node);
  return false;
}

bool has_ring_anywhere(const json& node, const json& root, std::set<const json*>& done) {
  std::set<const json*> open;
  if (has_ring(node, root, open, done)) return true;
  if (!node.is_structured()) return false;
  return std::any_of(node.begin(), node.end(),
                     [&](const json& child) { return has_ring_anywhere(child, root, done); });
}

// Why the references in a schema cannot be used; nothing: they can.
std::optional<std::string> bad_reference(const json& node, const json& root) {
  if (node.is_object() && node.contains("$ref") && node["$ref"].is_string()) {
    const std::string reference = node["$ref"].get<std::string>();
    if (!reference.starts_with('#')) {
      return "refers to '" + reference.substr(0, 200) +
             "', and only references inside the schema (#/...) are followed";
    }
    const bool pointer = reference == "#" || reference.starts_with("#/");
    if (!pointer || target_of(reference, root) == nullptr) {
      return "refers to '" + reference.substr(0, 200) + "', which it does not contain";
    }
  }
  if (!node.is_structured()) return std::nullopt;
  for (const json& child : node) {
    if (auto why = bad_reference(child, root)) return why;
  }
  return std::nullopt;
}

// The reason why a pattern in the schema cannot be used; nothing: all can.
std::optional<std::string> bad_pattern(const json& node) {
  const auto check = [](const std::string& pattern) -> std::optional<std::string> {
    try {
      const std::regex compiled(pattern);
      return std::nullopt;
    } catch (const std::regex_error& failure) {
      return "has the pattern '" + pattern.substr(0, 200) +
             "', which cannot be read: " + failure.what();
    }
  };
  if (!node.is_structured()) return std::nullopt;
  if (node.is_object()) {
    const auto pattern = node.find("pattern");
    if (pattern != node.end() && pattern->is_string()) {
      if (auto why = check(pattern->get<std::string>())) return why;
    }
    const auto named = node.find("patternProperties");
    if (named != node.end() && named->is_object()) {
      for (const auto& [key, child] : named->items()) {
        if (auto why = check(key)) return why;
      }
    }
  }
  for (const json& child : node) {
    if (auto why = bad_pattern(child)) return why;
  }
  return std::nullopt;
}

bool has_patterns(const json& node) {
  if (node.is_object() &&
      (node.contains("pattern") || node.contains("patternProperties") || node.contains("format"))) {
    return true;
  }
  if (!node.is_structured()) return false;
  for (const json& child : node) {
    if (has_patterns(child)) return true;
  }
  return false;
}

bool has_long_text(const json& node) {
  if (node.is_string()) return node.get_ref<const std::string&>().size() > k_longest_matched;
  if (!node.is_structured()) return false;
  for (const auto& [key, child] : node.items()) {
    if (key.size() > k_longest_matched || has_long_text(child)) return true;
  }
  return false;
}

// "<root>[items][0]" is "/items/0".
std::string place_text(const std::vector<std::string>& context) {
  std::string text;
  for (std::size_t i = 1; i < context.size(); ++i) {
    std::string_view part = context[i];
    if (part.starts_with('[') && part.ends_with(']')) part = part.substr(1, part.size() - 2);
    text.append("/").append(part);
  }
  return text.empty() ? "root" : text;
}

}  // namespace

struct JsonSchema::Parts {
  json text;
  valijson::Schema schema;
  bool has_patterns = false;
};

JsonSchema::JsonSchema(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
JsonSchema::JsonSchema(JsonSchema&&) noexcept = default;
JsonSchema& JsonSchema::operator=(JsonSchema&&) noexcept = default;
JsonSchema::~JsonSchema() = default;

Result<JsonSchema> JsonSchema::parse(std::string_view text) {
  if (text.size() > k_largest_schema) return wrong("is larger than 1 MB");
  if (!check_json(text).ok()) return wrong("is not valid JSON");
  auto parts = std::make_unique<Parts>();
  parts->text = read_json(text);
  if (!parts->text.is_object()) return wrong("is not a JSON object");
  if (auto why = bad_reference(parts->text, parts->text)) return wrong(*std::move(why));
  std::set<const json*> done;
  if (has_ring_anywhere(parts->text, parts->text, done)) {
    return wrong("refers back to itself without an end");
  }
  if (auto why = bad_pattern(parts->text)) return wrong(*std::move(why));
  parts->has_patterns = has_patterns(parts->text);
  try {
    valijson::SchemaParser parser;
    parser.populateSchema(Adapter(parts->text), parts->schema);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& failure) {
    return wrong(std::string("cannot be used: ") + failure.what());
  }
  return JsonSchema(std::move(parts));
}

std::vector<std::string> JsonSchema::problems(const json& value) const {
  if (parts_->has_patterns && has_long_text(value)) {
    return {"a text is longer than 4,000 bytes, and cannot be compared with the schema's patterns"};
  }
  std::vector<std::string> found;
  try {
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(parts_->schema, Adapter(value), &results)) return {};
    for (const auto& error : results) {
      // Said of each value around the one that is wrong.
      if (!found.empty() && error.description.starts_with("Failed to validate")) continue;
      if (found.size() >= k_most_problems) break;
      found.push_back(place_text(error.context) + ": " + error.description);
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& failure) {
    found.push_back(std::string("root: it cannot be checked: ") + failure.what());
  }
  if (found.empty()) found.emplace_back("root: it does not fit");
  return found;
}

Result<JsonSchema> parse_output_schema(std::string_view text) {
  YUME_TRY(JsonSchema schema, JsonSchema::parse(text));
  const json root = read_json(text);
  const auto type = root.find("type");
  if (type != root.end() && *type != "object") {
    return wrong("must have the type object: the answer is one");
  }
  return schema;
}

}  // namespace yume
