// SPDX-License-Identifier: MIT
#include "config/command_file.h"

#include "permissions/rule.h"
#include "util/front_matter.h"
#include "util/utf8.h"

#include <algorithm>
#include <utility>

namespace yume::config {
namespace {

constexpr std::string_view k_white = " \t\r\n";
constexpr std::string_view k_all = "$ARGUMENTS";
constexpr std::size_t k_longest_description = 1'000;

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(k_white), text.size()));
  return text.substr(0, text.find_last_not_of(k_white) + 1);
}

// A list in YAML's form, or all in one line as --allowedTools has it.
std::vector<std::string> rules_in(const FrontMatter& header) {
  std::vector<std::string> rules;
  for (const std::string& entry : header.list("allowed-tools")) {
    for (std::string& rule : permissions::split_rules(entry)) rules.push_back(std::move(rule));
  }
  return rules;
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return std::string(utf8_prefix(trimmed(text), k_longest_description));
}

std::string first_line(std::string_view body) {
  std::string_view text = trimmed(body);
  text = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.find_first_not_of("# "), text.size()));
  return std::string(trimmed(text));
}

// Puts the arguments into a text.
class Filler {
 public:
  explicit Filler(std::string_view arguments)
      : arguments_(arguments), words_(split_arguments(arguments)) {}

  std::string fill(std::string_view text) {
    std::string filled;
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view rest = text.substr(at);
      if (rest.starts_with(k_all)) {
        filled += arguments_;
        used_ = true;
        at += k_all.size();
      } else if (is_position(rest)) {
        const auto index = static_cast<std::size_t>(rest[1] - '1');
        if (index < words_.size()) filled += words_[index];
        used_ = true;
        at += 2;
      } else {
        filled.push_back(rest.front());
        ++at;
      }
    }
    return filled;
  }
  [[nodiscard]] bool used() const { return used_; }

 private:
  // `$1` but not `$10` or `$1.50`, which are sums of money.
  static bool is_position(std::string_view rest) {
    const auto digit = [&rest](std::size_t i) {
      return i < rest.size() && rest[i] >= '0' && rest[i] <= '9';
    };
    if (rest.front() != '$' || !digit(1) || rest[1] == '0' || digit(2)) return false;
    const bool decimal = rest.size() > 3 && (rest[2] == '.' || rest[2] == ',') && digit(3);
    return !decimal;
  }

  std::string_view arguments_;
  std::vector<std::string> words_;
  bool used_ = false;
};

}  // namespace

CommandFile parse_command_file(std::string_view text) {
  MarkdownFile file = read_markdown(text);
  const FrontMatter& header = file.header;
  CommandFile command{.description = one_line(header.text("description")),
                      .argument_hint = one_line(header.text("argument-hint")),
                      .allowed_tools = rules_in(header),
                      .model = header.text("model"),
                      .for_model = !header.flag("disable-model-invocation").value_or(false),
                      .for_user = header.flag("user-invocable").value_or(true),
                      .body = std::move(file.body)};
  // `argument-hint: [issue]` is a list in YAML, and a hint to people.
  const std::string hint = header.written("argument-hint");
  if (hint.starts_with('[')) command.argument_hint = one_line(hint);
  if (command.model == "inherit") command.model.clear();
  if (command.description.empty()) command.description = one_line(first_line(command.body));
  return command;
}

std::vector<std::string> split_arguments(std::string_view arguments) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (const char letter : arguments) {
    if (quote != '\0') {
      if (letter == quote) {
        quote = '\0';
      } else {
        word.push_back(letter);
      }
    } else if (letter == '"' || letter == '\'') {
      quote = letter;
      in_word = true;
    } else if (k_white.find(letter) != std::string_view::npos) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word.push_back(letter);
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

std::vector<PromptPiece> fill_command(std::string_view body, std::string_view arguments) {
  Filler filler(arguments);
  std::vector<PromptPiece> pieces;
  std::size_t text_begin = 0;
  const auto add_text = [&](std::size_t end) {
    if (end > text_begin) {
      pieces.emplace_back(filler.fill(body.substr(text_begin, end - text_begin)));
    }
  };
  for (std::size_t at = body.find("!`"); at != std::string_view::npos; at = body.find("!`", at)) {
    const std::size_t end = body.find_first_of("`\n", at + 2);
    const bool begins_word = at == 0 || k_white.find(body[at - 1]) != std::string_view::npos;
    const bool closed = end != std::string_view::npos && body[end] == '`' && end > at + 2;
    if (!begins_word || !closed) {
      at += 2;
      continue;
    }
    add_text(at);
    pieces.emplace_back(ShellPiece{filler.fill(body.substr(at + 2, end - at - 2))});
    at = text_begin = end + 1;
  }
  add_text(body.size());
  if (!filler.used() && !arguments.empty()) {
    pieces.emplace_back("\n\nARGUMENTS: " + std::string(arguments));
  }
  return pieces;
}

}  // namespace yume::config
