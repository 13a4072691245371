// SPDX-License-Identifier: MIT
#include "util/byte_size.h"

#include "util/ascii.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace yume {
namespace {

struct Unit {
  std::string_view letter;
  std::string_view name;
  std::uint64_t bytes;
};
constexpr std::array k_units = {
    Unit{"G", " GiB", std::uint64_t{1} << 30U},
    Unit{"M", " MiB", std::uint64_t{1} << 20U},
    Unit{"K", " KiB", std::uint64_t{1} << 10U},
    Unit{"", " bytes", 1},
};

}  // namespace

std::optional<std::uint64_t> parse_byte_size(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc()) return std::nullopt;
  std::string unit = ascii_upper(text.substr(static_cast<std::size_t>(end - text.data())));
  if (unit.ends_with("IB")) {
    unit.resize(unit.size() - 2);
  } else if (unit.ends_with("B")) {
    unit.pop_back();
  }
  const auto* known = std::find_if(k_units.begin(), k_units.end(),
                                   [&unit](const Unit& one) { return one.letter == unit; });
  if (known == k_units.end() || number > UINT64_MAX / known->bytes) return std::nullopt;
  return number * known->bytes;
}

std::string byte_size_text(std::uint64_t bytes) {
  const auto* unit = std::find_if(k_units.begin(), k_units.end(),
                                  [bytes](const Unit& one) { return bytes >= one.bytes; });
  if (unit == k_units.end()) --unit;  // none at all
  const std::uint64_t whole = bytes / unit->bytes;
  std::string text = std::to_string(whole);
  if (const std::uint64_t rest = bytes % unit->bytes; rest > 0) {
    text += "." + std::to_string(rest * 10 / unit->bytes);
  }
  return text.append(unit->name);
}

}  // namespace yume
