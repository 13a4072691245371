// SPDX-License-Identifier: MIT
// The same JSON with its members in other orders, at every level: no reader may depend on one.
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace yume::test {

namespace key_orders_detail {

using Json = nlohmann::ordered_json;

// `reorder(members)` changes the order of one object's members.
template <class Reorder>
Json reordered(const Json& value, Reorder& reorder) {
  if (value.is_array()) {
    Json array = Json::array();
    for (const Json& element : value) array.push_back(reordered(element, reorder));
    return array;
  }
  if (!value.is_object()) return value;
  std::vector<std::pair<std::string, Json>> members;
  for (const auto& [key, member] : value.items()) {
    members.emplace_back(key, reordered(member, reorder));
  }
  reorder(members);
  Json object = Json::object();
  for (auto& [key, member] : members) object[key] = std::move(member);
  return object;
}

}  // namespace key_orders_detail

// As it is, backwards, by name, and eight ways at random (the same ones each time).
inline std::vector<std::string> key_orders(std::string_view text) {
  using key_orders_detail::reordered;
  const auto value = nlohmann::ordered_json::parse(text);
  std::vector<std::string> texts{std::string(text)};
  auto backwards = [](auto& members) { std::reverse(members.begin(), members.end()); };
  texts.push_back(reordered(value, backwards).dump());
  auto by_name = [](auto& members) {
    std::sort(members.begin(), members.end(),
              [](const auto& left, const auto& right) { return left.first < right.first; });
  };
  texts.push_back(reordered(value, by_name).dump());
  for (unsigned seed = 1; seed <= 8; ++seed) {
    std::mt19937 random(seed);
    auto shuffled = [&random](auto& members) {
      std::shuffle(members.begin(), members.end(), random);
    };
    texts.push_back(reordered(value, shuffled).dump());
  }
  return texts;
}

// The same for a text of lines: each variant changes every line in the same way.
inline std::vector<std::string> key_orders_of_lines(std::string_view lines) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const std::vector<std::string> orders = key_orders(lines.substr(at, end - at));
    texts.resize(orders.size());
    for (std::size_t i = 0; i < orders.size(); ++i) texts[i] += orders[i] + "\n";
    at = end + 1;
  }
  return texts;
}

}  // namespace yume::test
