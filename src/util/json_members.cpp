// SPDX-License-Identifier: MIT
#include "util/json_members.h"

#include <utility>

#include "util/json_walk.h"

namespace yume {
namespace {

using namespace json_walk;

Status take_raw(od::value value, std::string& out) {
  od::json_type type{};
  YUME_SIMD(value.type().get(type));
  std::string_view raw;
  if (type == od::json_type::object) {
    od::object object;
    YUME_SIMD(value.get_object().get(object));
    YUME_SIMD(object.raw_json().get(raw));
  } else if (type == od::json_type::array) {
    od::array array;
    YUME_SIMD(value.get_array().get(array));
    YUME_SIMD(array.raw_json().get(raw));
  } else {
    raw = value.raw_json_token();
  }
  // A token reaches to the next one.
  out = raw.substr(0, raw.find_last_not_of(" \t\r\n") + 1);
  return k_ok;
}

template <class Take>
Status read_members(std::string_view text, const Take& take) {
  const simdjson::padded_string copy = padded(text);
  od::parser parser;
  od::document document;
  YUME_SIMD(with_memory(parser.iterate(copy).get(document)));
  od::object object;
  YUME_SIMD(document.get_object().get(object));
  for (auto member : object) {
    od::field field;
    YUME_SIMD(std::move(member).get(field));
    std::string_view key;
    YUME_SIMD(field.unescaped_key().get(key));
    std::string name(key);
    std::string raw;
    YUME_SIMD(take_raw(field.value(), raw));
    take(std::move(name), std::move(raw));
  }
  return k_ok;
}

}  // namespace

std::optional<JsonMembers> JsonMembers::of(std::string_view text) {
  JsonMembers found;
  const Status status = read_members(text, [&found](std::string name, std::string raw) {
    found.members_.insert_or_assign(std::move(name), RawJson{std::move(raw)});
  });
  if (status != k_ok) return std::nullopt;
  return found;
}

const RawJson& JsonMembers::at(std::string_view key) const {
  static const RawJson k_none;
  const auto found = members_.find(key);
  return found == members_.end() ? k_none : found->second;
}

std::optional<std::string> json_text(std::string_view json) {
  if (!json.starts_with('"')) return std::nullopt;
  const simdjson::padded_string copy = padded(json);
  od::parser parser;
  od::document document;
  std::string_view text;
  if (with_memory(parser.iterate(copy).get(document)) != k_ok ||
      document.get_string().get(text) != k_ok) {
    return std::nullopt;
  }
  return std::string(text);
}

}  // namespace yume
