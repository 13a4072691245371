// SPDX-License-Identifier: MIT
#include "util/json_dom.h"

#include <nlohmann/json.hpp>

#include "util/json_walk.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace yume::json_dom {
namespace {

namespace dom = simdjson::dom;
using json_walk::k_ok;
using json_walk::Status;

// The parser asks for about fourteen times as much memory.
constexpr std::size_t k_longest = 256U << 10U;
constexpr int k_deepest = 256;
// How a depth is counted differs by one or two.
constexpr int k_margin = 2;

Status parse(std::string_view text, int max_depth, dom::parser& parser, dom::element& root) {
  if (text.empty() || text.size() > k_longest || max_depth <= k_margin) return simdjson::CAPACITY;
  const auto depth = static_cast<std::size_t>(std::min(max_depth, k_deepest) - k_margin);
  YUME_SIMD(json_walk::with_memory(parser.allocate(text.size(), depth)));
  const simdjson::padded_string copy = json_walk::padded(text);
  return json_walk::with_memory(parser.parse(copy).get(root));
}

template <class Json>
void build(dom::element element, Json& value) {
  switch (element.type()) {
    case dom::element_type::OBJECT:
      value = Json::object();
      for (const dom::key_value_pair member : dom::object(element)) {
        build(member.value, value[std::string(member.key)]);
      }
      return;
    case dom::element_type::ARRAY: {
      value = Json::array();
      for (const dom::element one : dom::array(element)) {
        build(one, value.emplace_back(nullptr));
      }
      return;
    }
    case dom::element_type::STRING:
      value = std::string(std::string_view(element));
      return;
    case dom::element_type::INT64: {
      const auto number = std::int64_t(element);
      // As the other reader has them: what is not negative has no sign.
      if (number >= 0) {
        value = static_cast<std::uint64_t>(number);
      } else {
        value = number;
      }
      return;
    }
    case dom::element_type::UINT64:
      value = std::uint64_t(element);
      return;
    case dom::element_type::DOUBLE:
      value = double(element);
      return;
    case dom::element_type::BOOL:
      value = bool(element);
      return;
    case dom::element_type::NULL_VALUE:
      value = nullptr;
      return;
  }
}

template <class Json>
bool read_any(std::string_view text, Json& value) {
  dom::parser parser;
  dom::element root;
  if (parse(text, k_deepest, parser, root) != k_ok) return false;
  build(root, value);
  return true;
}

}  // namespace

bool is_json(std::string_view text, int max_depth) {
  dom::parser parser;
  dom::element root;
  return parse(text, max_depth, parser, root) == k_ok;
}

bool read(std::string_view text, nlohmann::json& value) {
  return read_any(text, value);
}

bool read(std::string_view text, nlohmann::ordered_json& value) {
  return read_any(text, value);
}

}  // namespace yume::json_dom
