// SPDX-License-Identifier: MIT
#include "app/option_reader.h"

#include "util/decimal.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace yume::app {
void OptionReader::fail(std::string message, ExitCode code) {
  if (!problem_) problem_ = UsageError{std::move(message), code};
}

std::optional<std::size_t> OptionReader::choice(const char* flag, const char* value_name,
                                                const std::vector<std::string_view>& choices,
                                                ExitCode code) {
  const auto value = arguments_.value(flag);
  if (!value) return std::nullopt;
  const auto found = std::find(choices.begin(), choices.end(), *value);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  std::string allowed;
  for (const std::string_view one : choices) {
    allowed.append(allowed.empty() ? "" : ", ").append(one);
  }
  fail("error: option '--" + std::string(flag) + " <" + value_name + ">' argument '" + *value +
           "' is invalid. Allowed choices are " + allowed + ".",
       code);
  return std::nullopt;
}

std::optional<int> OptionReader::number(const char* flag, int lowest) {
  const auto value = arguments_.value(flag);
  if (!value) return std::nullopt;
  return whole_number("--" + std::string(flag), *value, lowest);
}

int OptionReader::whole_number(const std::string& origin, const std::string& text, int lowest) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size() || number < lowest) {
    fail("error: " + origin + " wants a whole number from " + std::to_string(lowest) + ", not '" +
             text + "'",
         ExitCode::usage);
  }
  return number;
}

std::optional<std::chrono::milliseconds> OptionReader::seconds(const char* flag) {
  constexpr double k_longest = 31.0 * 24 * 3600;
  const auto value = arguments_.value(flag);
  if (!value) return std::nullopt;
  const auto number = whole_decimal(*value);
  if (!number || *number <= 0 || *number > k_longest) {
    fail("error: --" + std::string(flag) +
             " wants a number of seconds above 0, such as 600, not '" + *value + "'",
         ExitCode::usage);
    return std::nullopt;
  }
  return std::max(std::chrono::milliseconds(1),
                  std::chrono::milliseconds(static_cast<std::int64_t>(*number * 1000)));
}

std::optional<double> OptionReader::amount(const char* flag) {
  const auto value = arguments_.value(flag);
  if (!value) return std::nullopt;
  const auto number = whole_decimal(*value);
  if (!number || *number <= 0) {
    fail("error: --" + std::string(flag) + " wants an amount above 0, such as 0.50, not '" +
             *value + "'",
         ExitCode::usage);
    return std::nullopt;
  }
  return number;
}

}  // namespace yume::app
