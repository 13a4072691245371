// SPDX-License-Identifier: MIT
#include "util/decimal.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace yume {
namespace own {
namespace {

std::size_t digits_at(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_not_of("0123456789", at);
  return (end == std::string_view::npos ? text.size() : end) - at;
}

// Of [-]digits[.digits][e[+-]digits], with digits before or behind the point.
std::size_t decimal_length(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  std::size_t digits = digits_at(text, at);
  at += digits;
  if (at < text.size() && text[at] == '.') {
    const std::size_t behind = digits_at(text, at + 1);
    digits += behind;
    if (digits > 0) at += 1 + behind;
  }
  if (digits == 0) return 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t exponent = at + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (const std::size_t count = digits_at(text, exponent); count > 0) at = exponent + count;
  }
  return at;
}

}  // namespace

// The program never leaves the locale "C", in which strtod and printf write a point.
std::optional<Decimal> leading_decimal(std::string_view text) {
  const std::size_t length = decimal_length(text);
  if (length == 0) return std::nullopt;
  const std::string number(text.substr(0, length));
  const double value = std::strtod(number.c_str(), nullptr);
  const bool vanished =
      value == 0 && number.find_first_of("123456789") < number.find_first_of("eE");
  if (std::isinf(value) || vanished) return std::nullopt;
  return Decimal{value, length};
}

std::string fixed_decimal(double value) {
  // 17 significant digits always mean the same number; the smallest has them 323 places behind the
  // point.
  constexpr int k_most_places = 340;
  std::array<char, 720> digits{};
  for (int places = 0;; ++places) {
    std::snprintf(digits.data(), digits.size(), "%.*f", places, value);
    if (places == k_most_places || std::strtod(digits.data(), nullptr) == value) {
      return digits.data();
    }
  }
}

}  // namespace own

#if defined(__cpp_lib_to_chars) && !defined(__APPLE__) && !defined(YUME_OWN_CANCEL)

std::optional<Decimal> leading_decimal(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || !std::isfinite(value)) return std::nullopt;
  return Decimal{value, static_cast<std::size_t>(end - text.data())};
}

std::string fixed_decimal(double value) {
  std::array<char, 720> digits{};
  const auto written =
      std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
  return std::string(digits.data(), written.ptr);
}

#else

std::optional<Decimal> leading_decimal(std::string_view text) {
  return own::leading_decimal(text);
}

std::string fixed_decimal(double value) {
  return own::fixed_decimal(value);
}

#endif

std::optional<double> whole_decimal(std::string_view text) {
  const auto read = leading_decimal(text);
  return read && read->length == text.size() ? std::optional(read->value) : std::nullopt;
}

}  // namespace yume
