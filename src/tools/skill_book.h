// SPDX-License-Identifier: MIT
// The skills that the model can look up: descriptions that it sees from the start, and texts that
// it gets when it asks for one. Where they lie is for others to know.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yume::tools {

struct SkillLine {
  std::string name;
  std::string description;
};

struct SkillText {
  std::string name;
  std::string text;
};

class SkillBook {
 public:
  virtual ~SkillBook() = default;
  [[nodiscard]] virtual std::vector<SkillLine> skills() const = 0;
  // Nothing when there is no such skill, or it cannot be read any more.
  [[nodiscard]] virtual std::optional<SkillText> open(std::string_view name,
                                                      std::string_view arguments) const = 0;
};

}  // namespace yume::tools
