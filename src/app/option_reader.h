// SPDX-License-Identifier: MIT
// Reads the values of flags and collects the first problem, so that reading options stays a
// straight list of fields.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/argv.h"
#include "app/exit_codes.h"
#include "app/options.h"

namespace yume::app {

// All but fail() return nullopt for a flag that is not there.
class OptionReader {
 public:
  explicit OptionReader(const Arguments& arguments) : arguments_(arguments) {}

  void fail(std::string message, ExitCode code);
  [[nodiscard]] const std::optional<UsageError>& problem() const { return problem_; }

  // The value's place in `choices`. Claude's own words for a wrong one.
  std::optional<std::size_t> choice(const char* flag, const char* value_name,
                                    const std::vector<std::string_view>& choices, ExitCode code);
  std::optional<int> number(const char* flag, int lowest);
  // `origin`: what the text is the value of.
  int whole_number(const std::string& origin, const std::string& text, int lowest);
  // With a fraction if need be.
  std::optional<std::chrono::milliseconds> seconds(const char* flag);
  std::optional<double> amount(const char* flag);

 private:
  const Arguments& arguments_;
  std::optional<UsageError> problem_;
};

}  // namespace yume::app
