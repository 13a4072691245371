// SPDX-License-Identifier: MIT
// Decimal numbers in texts, whatever the locale: std::from_chars and std::to_chars for double, or,
// where the standard library does not have them (Apple's, before macOS 13.3), the same by other
// means.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace yume {

struct Decimal {
  double value = 0;
  std::size_t length = 0;  // of the text that was read
};

// The number with which the text begins: "-1.5", "2e3", no space or plus before it, no hexadecimal.
// nullopt when there is none, or it does not fit.
std::optional<Decimal> leading_decimal(std::string_view text);
// All of the text, or nothing.
std::optional<double> whole_decimal(std::string_view text);
// The shortest text that means the same number, without an exponent.
std::string fixed_decimal(double value);

// How it is done where the standard library cannot; for tests.
namespace own {
std::optional<Decimal> leading_decimal(std::string_view text);
std::string fixed_decimal(double value);
}  // namespace own

}  // namespace yume
