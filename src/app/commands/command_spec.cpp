// SPDX-License-Identifier: MIT
#include "app/commands/command_spec.h"

#include "app/help.h"
#include "platform/stdio.h"
#include "util/nearest_word.h"

#include <algorithm>
#include <utility>

namespace yume::app {
namespace {

constexpr FlagSpec k_help = {"help", 'h', ValueKind::none, "", "", "Show this help"};

bool is_flag(std::string_view token) {
  return token.size() > 1 && token.front() == '-';
}

bool has_help_flag(const std::vector<std::string>& tokens) {
  const auto end = std::find(tokens.begin(), tokens.end(), "--");
  return std::any_of(tokens.begin(), end,
                     [](const std::string& token) { return token == "--help" || token == "-h"; });
}

std::string without_dashes(std::string_view token) {
  token.remove_prefix(std::min(token.find_first_not_of('-'), token.size()));
  return std::string(token.substr(0, token.find('=')));
}

// The command's flag that a person may have meant by a word or by another flag.
std::string nearest_flag(const CommandSpec& command, std::string_view typed) {
  std::vector<std::string_view> names = {k_help.name};
  for (const FlagSpec& flag : command.flags) names.push_back(flag.name);
  const auto nearest = nearest_word(without_dashes(typed), names);
  return nearest ? "--" + *nearest : std::string();
}

// "list, show or delete"
std::string choice_of(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 < words.size() ? ", " : " or ";
    text += words[i];
  }
  return text;
}

}  // namespace

class StrictParser {
 public:
  StrictParser(const CommandSpec& command, const std::vector<std::string>& tokens)
      : command_(command), tokens_(tokens) {}

  Result<Arguments> parse() {
    if (has_help_flag(tokens_)) {
      out_.values_["help"];
      return std::move(out_);
    }
    bool words_only = false;
    while (at_ < tokens_.size()) {
      const std::string& token = tokens_[at_++];
      if (!words_only && token == "--") {
        words_only = true;
        continue;
      }
      const auto taken = !words_only && is_flag(token) ? take_flag(token) : take_word(token);
      if (!taken) return taken.error();
    }
    return std::move(out_);
  }

 private:
  Result<void> take_flag(const std::string& token) {
    const std::size_t equals = token.find('=');
    const std::string name = token.substr(0, equals);
    const FlagSpec* flag = find_flag(command_.flags, token);
    const bool is_letter = !token.starts_with("--");
    if (flag == nullptr || (is_letter && name.size() > 2)) {
      return wrong_usage(command_, "`" + std::string(command_.name) + "` has no " + name,
                         nearest_flag(command_, name));
    }
    std::vector<std::string>& values = out_.values_[std::string(flag->name)];
    if (equals != std::string::npos) {
      if (flag->kind == ValueKind::none) return wrong_usage(command_, name + " takes no value");
      values.push_back(token.substr(equals + 1));
    } else {
      take_values(*flag, values);
    }
    const bool wants_one = flag->kind == ValueKind::one || flag->kind == ValueKind::list;
    if (wants_one && (values.empty() || values.back().empty())) {
      return wrong_usage(command_, name + " needs a value");
    }
    return {};
  }

  void take_values(const FlagSpec& flag, std::vector<std::string>& values) {
    const auto next_is_value = [this] { return at_ < tokens_.size() && !is_flag(tokens_[at_]); };
    switch (flag.kind) {
      case ValueKind::none:
        break;
      case ValueKind::one:
        if (at_ < tokens_.size()) values.push_back(tokens_[at_++]);
        break;
      case ValueKind::optional:
        if (next_is_value()) values.push_back(tokens_[at_++]);
        break;
      case ValueKind::list:
        while (next_is_value()) values.push_back(tokens_[at_++]);
        break;
    }
  }

  Result<void> take_word(const std::string& word) {
    if (command_.operand.empty() || !out_.positionals_.empty()) {
      return wrong_usage(command_, "'" + word + "' is one word too many",
                         nearest_flag(command_, word));
    }
    if (word.empty()) return wrong_usage(command_, std::string(command_.operand) + " is empty");
    out_.positionals_.push_back(word);
    return {};
  }

  const CommandSpec& command_;
  const std::vector<std::string>& tokens_;
  std::size_t at_ = 0;
  Arguments out_;
};

std::vector<FlagSpec> turn_flags(const std::vector<std::string_view>& names) {
  std::vector<FlagSpec> flags;
  for (const std::string_view name : names) {
    const FlagSpec* flag = find_flag(known_flags(), "--" + std::string(name));
    if (flag != nullptr) flags.push_back(*flag);
  }
  return flags;
}

bool asks_for_help(std::string_view word) {
  return word == "help" || word == "--help" || word == "-h";
}

std::string command_help(const CommandSpec& command) {
  std::string text = "Usage: yume-cli " + std::string(command.name);
  if (!command.operand.empty()) text.append(" ").append(command.operand);
  text.append(" [options]\n\n").append(command.summary).append("\nOptions:\n");
  for (const FlagSpec& flag : command.flags) text += flag_line(flag);
  return text + flag_line(k_help);
}

Error wrong_usage(const CommandSpec& command, std::string problem, std::string_view meant) {
  const std::string where = "see `yume-cli " + std::string(command.help_at) + " --help`";
  if (meant.empty()) {
    problem += "; " + where;
  } else {
    problem.append("; did you mean ").append(meant).append("? Else ").append(where);
  }
  return {.code = ErrorCode::invalid_argument, .message = std::move(problem)};
}

Result<const CommandSpec*> choose_command(const CommandGroup& group,
                                          const std::vector<std::string>& tokens) {
  const std::string group_name(group.name);
  std::vector<std::string_view> words;
  for (const CommandSpec& command : group.commands) {
    words.push_back(command.name.substr(group.name.size() + 1));
    if (!tokens.empty() && tokens.front() == words.back()) return &command;
  }
  const CommandSpec& first = group.commands.front();
  if (tokens.empty()) {
    return wrong_usage(first, "`" + group_name + "` needs to know what to do: " + choice_of(words));
  }
  const auto nearest = nearest_word(tokens.front(), words);
  const std::string meant = nearest ? "`" + group_name + " " + *nearest + "`" : std::string();
  std::string problem = "there is no `" + group_name + " " + tokens.front() + "`";
  if (!nearest) problem += ", only " + choice_of(words);
  return wrong_usage(first, std::move(problem), meant);
}

Result<Arguments> parse_command_line(const CommandSpec& command,
                                     const std::vector<std::string>& tokens) {
  return StrictParser(command, tokens).parse();
}

std::variant<Arguments, ExitCode> read_command_line(const CommandSpec& command,
                                                    const std::vector<std::string>& tokens,
                                                    protocol::Output& out) {
  auto arguments = parse_command_line(command, tokens);
  if (!arguments.ok()) return refuse_usage(arguments.error());
  if (!arguments->on("help")) return std::move(arguments).value();
  out.bytes(command_help(command));
  return ExitCode::success;
}

ExitCode refuse_usage(const Error& error) {
  (void)platform::stderr_stream()->write("Error: " + error.message + "\n");
  return ExitCode::usage;
}

}  // namespace yume::app
