// SPDX-License-Identifier: MIT
#include "gemini/schema_parts.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace yume::gemini {
namespace {

using Json = SchemaJson;

constexpr std::size_t k_longest_trail = 32;
constexpr int k_deepest_all_of = 16;

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// One step of a JSON pointer in a URI fragment: `%25` and then `~1`, `~0`.
std::string decode_step(std::string_view step) {
  std::string plain;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool coded = step[i] == '%' && i + 2 < step.size() && hex_value(step[i + 1]) >= 0 &&
                       hex_value(step[i + 2]) >= 0;
    if (coded) {
      plain.push_back(static_cast<char>(hex_value(step[i + 1]) * 16 + hex_value(step[i + 2])));
      i += 2;
    } else {
      plain.push_back(step[i]);
    }
  }
  std::string out;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const bool tilde = plain[i] == '~' && i + 1 < plain.size();
    if (tilde && (plain[i + 1] == '0' || plain[i + 1] == '1')) {
      out.push_back(plain[++i] == '0' ? '~' : '/');
    } else {
      out.push_back(plain[i]);
    }
  }
  return out;
}

const Json* child(const Json& node, const std::string& step) {
  if (node.is_object()) {
    const auto found = node.find(step);
    return found == node.end() ? nullptr : &*found;
  }
  if (!node.is_array()) return nullptr;
  std::size_t index = 0;
  const auto [end, failure] = std::from_chars(step.data(), step.data() + step.size(), index);
  const bool good = failure == std::errc() && end == step.data() + step.size();
  return good && index < node.size() ? &node[index] : nullptr;
}

// "#", "#/$defs/Point". nullptr for what is elsewhere or nowhere.
const Json* resolve(const Json& root, std::string_view ref) {
  if (!ref.starts_with('#')) return nullptr;
  ref.remove_prefix(1);
  const Json* node = &root;
  while (!ref.empty() && node != nullptr) {
    if (!ref.starts_with('/')) return nullptr;
    ref.remove_prefix(1);
    const std::size_t end = std::min(ref.find('/'), ref.size());
    node = child(*node, decode_step(ref.substr(0, end)));
    ref.remove_prefix(end);
  }
  return node;
}

void flatten_into(const Json& root, const Json& schema, RefTrail& trail, int depth, int& budget,
                  Json& out) {
  if (!schema.is_object() || depth > k_deepest_all_of) return;
  merge_schema(out, schema, budget);
  if (const auto ref = schema.find("$ref"); ref != schema.end() && ref->is_string()) {
    const std::string name = ref->get<std::string>();
    const Json* target = resolve(root, name);
    const bool known = std::find(trail.begin(), trail.end(), name) != trail.end();
    if (target != nullptr && target->is_object()) {
      if (!known && trail.size() < k_longest_trail) {
        trail.push_back(name);
        flatten_into(root, *target, trail, depth + 1, budget, out);
      } else if (const auto type = target->find("type"); type != target->end()) {
        merge_schema(out, Json{{"type", *type}}, budget);
      }
    }
  }
  if (const auto all = schema.find("allOf"); all != schema.end() && all->is_array()) {
    for (const Json& part : *all) flatten_into(root, part, trail, depth + 1, budget, out);
  }
}

}  // namespace

SchemaJson flatten_schema(const SchemaJson& root, const SchemaJson& schema, RefTrail& trail,
                          int& budget) {
  Json out = Json::object();
  flatten_into(root, schema, trail, 0, budget, out);
  return out;
}

void merge_schema(SchemaJson& schema, const SchemaJson& other, int& budget) {
  for (const auto& [keyword, value] : other.items()) {
    if (keyword == "$ref" || keyword == "allOf") continue;
    budget -= 1 + static_cast<int>(value.is_structured() ? value.size() : 0);
    if (budget < 0) return;
    const auto present = schema.find(keyword);
    if (present == schema.end()) {
      schema[keyword] = value;
    } else if (keyword == "properties" && present->is_object() && value.is_object()) {
      for (const auto& [name, property] : value.items()) {
        if (!present->contains(name)) (*present)[name] = property;
      }
    } else if (keyword == "required" && present->is_array() && value.is_array()) {
      present->insert(present->end(), value.begin(), value.end());
    }
  }
}

}  // namespace yume::gemini
