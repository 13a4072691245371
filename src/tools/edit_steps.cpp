// SPDX-License-Identifier: MIT
#include "tools/edit_steps.h"

#include "tools/match_help.h"
#include "tools/replace_text.h"
#include "util/utf8.h"

namespace yume::tools {
namespace {

// The text in question, which the model knows; a long one only in part.
std::string in_quotes(std::string_view text) {
  constexpr std::size_t k_longest = 10'000;
  const std::string_view shown = utf8_prefix(text, k_longest);
  std::string out = "\nString: " + std::string(shown);
  if (shown.size() < text.size()) {
    out += "... [" + std::to_string(text.size()) + " bytes]";
  }
  return out;
}

std::string not_found(std::string_view content, const EditStep& step) {
  return "String to replace not found in file." + in_quotes(step.old_text) + "\n\n" +
         explain_mismatch(content, step.old_text);
}

std::string ambiguous(const Ambiguous& found, const EditStep& step) {
  std::string text = "Found " + std::to_string(found.matches) +
                     " matches of the string to replace, but replace_all is false. To replace all "
                     "occurrences, set replace_all to true. To replace only one occurrence, please "
                     "provide more context to uniquely identify the instance." +
                     in_quotes(step.old_text) + "\n\nMatches begin at lines ";
  for (std::size_t i = 0; i < found.lines.size(); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(found.lines[i]);
  }
  return text + (found.lines.size() < found.matches ? " and further on." : ".");
}

std::string which(std::size_t index, std::size_t count) {
  if (count == 1) return {};
  return "\n\nThis was edit " + std::to_string(index + 1) + " of " + std::to_string(count) +
         "; none of them was made.";
}

}  // namespace

std::variant<EditedText, EditRefusal> apply_edits(std::string_view content,
                                                  const std::vector<EditStep>& steps) {
  EditedText edited{.content = std::string(content), .matches = {}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const EditStep& step = steps[i];
    auto replaced = replace_text(
        edited.content, {.old_text = step.old_text, .new_text = step.new_text, .all = step.all});
    if (auto* text = std::get_if<ReplacedText>(&replaced)) {
      edited.content = std::move(text->content);
      edited.matches.push_back(text->matches);
      continue;
    }
    const auto* many = std::get_if<Ambiguous>(&replaced);
    return EditRefusal{
        (many != nullptr ? ambiguous(*many, step) : not_found(edited.content, step)) +
        which(i, steps.size())};
  }
  return edited;
}

}  // namespace yume::tools
