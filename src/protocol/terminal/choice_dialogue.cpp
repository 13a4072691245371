// SPDX-License-Identifier: MIT
#include "protocol/terminal/choice_dialogue.h"

#include "protocol/terminal/typed_words.h"
#include "util/escape_codes.h"
#include "util/json_tree.h"

#include <charconv>
#include <optional>
#include <utility>

namespace yume::protocol {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view k_not_answered = "The user did not answer the questions.";

bool takes_several(const Json& question) {
  const auto several = question.find("multiSelect");
  return several != question.end() && several->is_boolean() && several->get<bool>();
}

// nullopt: the word is no number.
std::optional<std::size_t> number_in(std::string_view word) {
  std::size_t number = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (problem != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

// "1, 3" as its words.
std::vector<std::string_view> listed(std::string_view line) {
  constexpr std::string_view k_between = " ,\t";
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t first = line.find_first_not_of(k_between);
    if (first == std::string_view::npos) return words;
    line.remove_prefix(first);
    const std::size_t end = std::min(line.find_first_of(k_between), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

}  // namespace

// The tool has checked that there are questions with options.
ChoiceDialogue::ChoiceDialogue(const core::ToolCall& call, EscapeCodes codes)
    : input_(read_ordered_json(call.input.text)), codes_(codes) {}

const Json& ChoiceDialogue::current() const {
  return input_["questions"][at_];
}

std::vector<std::string> ChoiceDialogue::labels() const {
  std::vector<std::string> out;
  for (const Json& option : current()["options"]) out.push_back(text_at(option, "label"));
  return out;
}

std::string ChoiceDialogue::prompt() const {
  const bool several = takes_several(current());
  const std::string what = several ? "Numbers, or your own words: " : "Number, or your own words: ";
  if (not_understood_) return "There is no such option. " + what;
  std::string out =
      styled(k_bold, spelled_for_terminal(text_at(current(), "question")), codes_) + "\n";
  int number = 0;
  for (const Json& option : current()["options"]) {
    const std::string description = text_at(option, "description");
    out += "  " + std::to_string(++number) + "  " + spelled_for_terminal(text_at(option, "label"));
    if (!description.empty()) out += ": " + spelled_for_terminal(description);
    out += "\n";
  }
  return out + what;
}

std::string ChoiceDialogue::chosen(std::string_view line) const {
  const std::vector<std::string> options = labels();
  const std::vector<std::string_view> words = listed(line);
  if (words.size() > 1 && !takes_several(current())) return std::string(line);
  std::string out;
  for (const std::string_view word : words) {
    const auto number = number_in(word);
    if (!number) return std::string(line);
    if (*number < 1 || *number > options.size()) return {};
    out += (out.empty() ? "" : ", ") + options[*number - 1];
  }
  return out;
}

Dialogue::Step ChoiceDialogue::take(const std::optional<std::string>& line) {
  if (!line) return core::HostDenies{.message = std::string(k_not_answered)};
  const std::string answer = chosen(typed_words(*line));
  not_understood_ = answer.empty();
  if (not_understood_) return Expects::answer;
  answers_[text_at(current(), "question")] = answer;
  if (++at_ < input_["questions"].size()) return Expects::answer;
  input_["answers"] = std::move(answers_);
  return core::HostAllows{.input = RawJson{write_json(input_)}};
}

}  // namespace yume::protocol
