// SPDX-License-Identifier: MIT
// The name of an enumerator as the source spells it, so that expected texts read, and stay true
// when another is added. From what g++ and clang say about a template's argument.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace yume::test {

template <auto k_value>
constexpr std::string_view spelled_name() {
  // "... [with auto k_value = yume::core::StopReason::refusal; ...]", or "(StopReason)7" if
  // nameless
  constexpr std::string_view k_start = "k_value = ";
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find(k_start) + k_start.size());
  text = text.substr(0, text.find_first_of(";]"));
  return text.starts_with('(') ? std::string_view() : text.substr(text.rfind(':') + 1);
}

// For enums whose values begin with 0 and are fewer than 64.
template <class Enum>
std::string enum_name(Enum value) {
  constexpr auto k_names = []<std::size_t... k_index>(std::index_sequence<k_index...>) {
    return std::array{spelled_name<static_cast<Enum>(k_index)>()...};
  }
  (std::make_index_sequence<64>{});
  return std::string(k_names.at(static_cast<std::size_t>(value)));
}

}  // namespace yume::test
