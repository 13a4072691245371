// SPDX-License-Identifier: MIT
// One or several replacements on a text, all or none, and the words for those that cannot be made.
// Shared by Edit and MultiEdit. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/tool_details.h"

namespace yume::tools {

using EditStep = core::TextReplacement;

struct EditedText {
  std::string content;
  std::vector<std::size_t> matches;  // of each step
};

struct EditRefusal {
  std::string text;  // Claude's words, a blank line, and what may help
};

// Each step sees what the one before it left.
std::variant<EditedText, EditRefusal> apply_edits(std::string_view content,
                                                  const std::vector<EditStep>& steps);

inline constexpr std::string_view k_no_changes =
    "No changes to make: old_string and new_string are exactly the same.";

}  // namespace yume::tools
