// SPDX-License-Identifier: MIT
#include "util/json_tree.h"

#include "util/json_dom.h"

namespace yume {
namespace {

template <typename Json>
std::string write(const Json& value, const JsonLayout& layout) {
  return value.dump(layout.indent, layout.indent_character, layout.ascii_only,
                    Json::error_handler_t::replace);
}

template <typename Json>
std::string member_text(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->template get<std::string>()
                                                     : std::string();
}

}  // namespace

nlohmann::json read_json(std::string_view text) {
  nlohmann::json value;
  if (json_dom::read(text, value)) return value;
  return nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
}

nlohmann::ordered_json read_ordered_json(std::string_view text) {
  nlohmann::ordered_json value;
  if (json_dom::read(text, value)) return value;
  return nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::string text_at(const nlohmann::json& object, const char* key) {
  return member_text(object, key);
}

std::string text_at(const nlohmann::ordered_json& object, const char* key) {
  return member_text(object, key);
}

std::string write_json(const nlohmann::json& value, const JsonLayout& layout) {
  return write(value, layout);
}

std::string write_json(const nlohmann::ordered_json& value, const JsonLayout& layout) {
  return write(value, layout);
}

}  // namespace yume
