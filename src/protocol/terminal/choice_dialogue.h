// SPDX-License-Identifier: MIT
// The questions of AskUserQuestion, one after the other: a person answers each with the number of
// an option, or in their own words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "protocol/terminal/dialogue.h"
#include "protocol/terminal/terminal_style.h"

namespace yume::protocol {

class ChoiceDialogue final : public Dialogue {
 public:
  ChoiceDialogue(const core::ToolCall& call, EscapeCodes codes);

  [[nodiscard]] std::string opening() const override { return {}; }
  [[nodiscard]] std::string prompt() const override;
  Step take(const std::optional<std::string>& line) override;

 private:
  [[nodiscard]] const nlohmann::ordered_json& current() const;
  [[nodiscard]] std::vector<std::string> labels() const;
  // What the line chooses; empty: nothing that there is.
  [[nodiscard]] std::string chosen(std::string_view line) const;

  nlohmann::ordered_json input_;
  EscapeCodes codes_;
  nlohmann::ordered_json answers_ = nlohmann::ordered_json::object();
  std::size_t at_ = 0;
  bool not_understood_ = false;
};

}  // namespace yume::protocol
