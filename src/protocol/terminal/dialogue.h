// SPDX-License-Identifier: MIT
// One question to the person at a terminal, from what they are shown to their answer, which may
// take several lines. Knows no terminal: texts out, lines in. Texts are safe to show.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "core/host_question.h"

namespace yume::protocol {

class Dialogue {
 public:
  enum class Expects {
    answer,     // to what prompt() asks now; what was typed before it was shown does not count
    next_line,  // of the answer that was begun
  };
  using Step = std::variant<core::HostAnswer, Expects>;

  virtual ~Dialogue() = default;
  // What is asked about, whole, with its line end. Shown once.
  [[nodiscard]] virtual std::string opening() const = 0;
  // Stands in front of what is typed next.
  [[nodiscard]] virtual std::string prompt() const = 0;
  // nullopt: the end of input.
  virtual Step take(const std::optional<std::string>& line) = 0;
};

}  // namespace yume::protocol
