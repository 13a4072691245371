// SPDX-License-Identifier: MIT
#include "app/gemini_face/gemini_arguments.h"

#include "app/help.h"
#include "permissions/rule_book.h"
#include "util/nearest_word.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <utility>

namespace yume::app {
namespace {

constexpr std::string_view k_gemini_cli_version = "0.61.0";

constexpr auto k_switch = ValueKind::none;
constexpr auto k_one = ValueKind::one;
constexpr auto k_optional = ValueKind::optional;

// What a flag comes to here.
enum class Meaning {
  ours,         // our flag of that name takes its value
  nothing,      // accepted; there is nothing here that it could change
  prompt,       // the prompt, which may be empty
  yolo,         // no questions
  mode,         // an approval mode
  sandbox,      // commands run behind our wall
  directories,  // a list with commas
  allowed,      // tools in Gemini CLI's names
  servers,      // of MCP
  action,       // something else than a turn
  screen,       // a conversation on a screen, of which there is none
  refused,      // a restriction, or a promise, that cannot be kept here
};

struct GeminiFlag {
  FlagSpec spec;
  Meaning meaning = Meaning::nothing;
  std::string_view ours = {};
};

const std::vector<GeminiFlag>& gemini_flags() {
  constexpr std::string_view k_shown = "Options";
  static const std::vector<GeminiFlag> flags = {
      {{"prompt", 'p', k_one, "text", k_shown,
        "Run one turn with this prompt; what comes by stdin stands above it"},
       Meaning::prompt},
      {{"model", 'm', k_one, "model", k_shown, "A Gemini model id"}, Meaning::ours, "model"},
      {{"output-format", 'o', k_one, "format", k_shown, "text (default), json or stream-json"},
       Meaning::ours,
       "output-format"},
      {{"yolo", 'y', k_switch, "", k_shown, "Run every tool unasked (approval mode yolo)"},
       Meaning::yolo},
      {{"approval-mode", 0, k_one, "mode", k_shown, "default, auto_edit, yolo or plan"},
       Meaning::mode},
      {{"sandbox", 's', k_switch, "", k_shown,
        "Keep commands from changing anything outside the working directories"},
       Meaning::sandbox},
      {{"include-directories", 0, k_one, "dirs", k_shown,
        "Further directories to work in, with commas or repeated"},
       Meaning::directories},
      {{"allowed-tools", 0, k_one, "tools", k_shown,
        "Tools that run unasked, e.g. run_shell_command(git)"},
       Meaning::allowed},
      {{"allowed-mcp-server-names", 0, k_one, "names", k_shown, "Use only these MCP servers"},
       Meaning::servers},
      {{"resume", 'r', k_optional, "session", k_shown,
        "Go on with a session: latest (default), its number in the list, or its id"},
       Meaning::ours,
       "resume"},
      {{"session-id", 0, k_one, "id", k_shown, "Use this id for the session"},
       Meaning::ours,
       "session-id"},
      {{"list-sessions", 0, k_switch, "", k_shown, "List this project's sessions and exit"},
       Meaning::action},
      {{"delete-session", 0, k_one, "session", k_shown, "Delete a session by number or id"},
       Meaning::action},
      {{"acp", 0, k_switch, "", k_shown, "Speak the Agent Client Protocol"}, Meaning::action},
      {{"experimental-acp", 0, k_switch, "", "", ""}, Meaning::action},
      {{"debug", 'd', k_switch, "", k_shown, "Write a debug log to stderr"},
       Meaning::ours,
       "debug"},
      {{"version", 'v', k_switch, "", k_shown, "Show the version"}, Meaning::action},
      {{"help", 'h', k_switch, "", k_shown, "Show this help"}, Meaning::action},

      // Ours, under any face.
      {{"max-turns", 0, k_one, "n", k_shown, "At most this many model requests"},
       Meaning::ours,
       "max-turns"},
      {{"timeout", 0, k_one, "seconds", k_shown, "End the turn after this time"},
       Meaning::ours,
       "timeout"},
      {{"prompt-file", 0, k_one, "file", k_shown, "Read the prompt from this file"},
       Meaning::ours,
       "prompt-file"},
      {{"api-base", 0, k_one, "url", k_shown, "Server to use (or GOOGLE_GEMINI_BASE_URL)"},
       Meaning::ours,
       "api-base"},
      {{"cwd", 0, k_one, "dir", k_shown, "Work in this directory"}, Meaning::ours, "cwd"},
      {{"settings", 0, k_one, "file-or-json", "", ""}, Meaning::ours, "settings"},
      {{"debug-file", 0, k_one, "file", "", ""}, Meaning::ours, "debug-file"},

      // Its others. What only concerns its own screen or its own plugins changes nothing here.
      {{"skip-trust", 0, k_switch, "", "", ""}},
      {{"extensions", 'e', k_one, "names", "", ""}},
      {{"list-extensions", 'l', k_switch, "", "", ""}},
      {{"screen-reader", 0, k_switch, "", "", ""}},
      {{"raw-output", 0, k_switch, "", "", ""}},
      {{"accept-raw-output-risk", 0, k_switch, "", "", ""}},
      {{"checkpointing", 'c', k_switch, "", "", ""}},
      {{"all-files", 'a', k_switch, "", "", ""}},
      {{"show-memory-usage", 0, k_switch, "", "", ""}},
      {{"telemetry", 0, k_switch, "", "", ""}},
      {{"fake-responses", 0, k_one, "file", "", ""}, Meaning::refused},
      {{"record-responses", 0, k_one, "file", "", ""}, Meaning::refused},
      {{"policy", 0, k_one, "files", "", ""}, Meaning::refused},
      {{"admin-policy", 0, k_one, "files", "", ""}, Meaning::refused},
      {{"worktree", 'w', k_optional, "name", "", ""}, Meaning::refused},
      {{"session-file", 0, k_one, "file", "", ""}, Meaning::ours, "history-file"},
      {{"prompt-interactive", 'i', k_one, "text", "", ""}, Meaning::screen},
  };
  return flags;
}

// Its parser takes "outputFormat" for "output-format".
std::string with_dashes(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_capital && !out.empty()) out += '-';
    out += is_capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

const GeminiFlag* find_long(std::string_view given) {
  const auto& flags = gemini_flags();
  const std::string name = with_dashes(given);
  const auto found = std::find_if(flags.begin(), flags.end(), [&name](const GeminiFlag& flag) {
    return flag.spec.name == name;
  });
  return found == flags.end() ? nullptr : &*found;
}

// "no-sandbox" says of a switch that it is off.
bool is_negation(std::string_view name) {
  constexpr std::string_view k_no = "no-";
  if (!name.starts_with(k_no)) return false;
  const GeminiFlag* flag = find_long(name.substr(k_no.size()));
  return flag != nullptr && flag->spec.kind == k_switch;
}

const GeminiFlag* find_short(char name) {
  const auto& flags = gemini_flags();
  const auto found = std::find_if(flags.begin(), flags.end(), [name](const GeminiFlag& flag) {
    return flag.spec.short_name == name;
  });
  return found == flags.end() ? nullptr : &*found;
}

Error wrong(std::string message) {
  return {.code = ErrorCode::invalid_argument, .message = std::move(message)};
}

Error unknown(const std::string& token) {
  std::vector<std::string_view> names;
  for (const GeminiFlag& flag : gemini_flags()) names.push_back(flag.spec.name);
  const std::string name = token.substr(std::min(token.find_first_not_of('-'), token.size()));
  const auto meant = nearest_word(name, names);
  return wrong("Error: Unknown argument: " + name +
               (meant ? ". Did you mean --" + *meant + "?" : "") +
               " `gemini --help` lists the options.");
}

void for_each_piece(std::string_view list, const std::function<void(std::string)>& each) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view piece = list.substr(0, comma);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    while (piece.starts_with(' ')) piece.remove_prefix(1);
    while (piece.ends_with(' ')) piece.remove_suffix(1);
    if (!piece.empty()) each(std::string(piece));
  }
}

// `run_shell_command(git)` allows every command that begins so.
std::string rule_of(const std::string& tool) {
  const std::size_t open = tool.find('(');
  if (open == std::string::npos || !tool.ends_with(')')) return tool;
  const std::string name = tool.substr(0, open);
  if (name != "run_shell_command" && name != "ShellTool") return tool;
  const std::string command = tool.substr(open + 1, tool.size() - open - 2);
  return "Bash(" + command + (command.ends_with('*') ? "" : ":*") + ")";
}

constexpr std::string_view k_id_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> k_modes = {
    {{"default", "default"},
     {"auto_edit", "acceptEdits"},
     {"yolo", "bypassPermissions"},
     {"plan", "plan"}}};

}  // namespace

// What its parser, yargs, makes of the words.
class GeminiParser {
 public:
  explicit GeminiParser(const std::vector<std::string>& tokens) : tokens_(tokens) {}

  Result<GeminiArguments> parse() {
    while (at_ < tokens_.size() && !problem_) {
      const std::string& token = tokens_[at_++];
      if (token == "--") {
        words_.insert(words_.end(), tokens_.begin() + static_cast<std::ptrdiff_t>(at_),
                      tokens_.end());
        break;
      }
      if (token.starts_with("--")) {
        take_long(token);
      } else if (token.size() > 1 && token.front() == '-' && token[1] != ' ') {
        take_short(token);
      } else {
        words_.push_back(token);
      }
    }
    if (!problem_) finish();
    if (problem_) return *std::move(problem_);
    return std::move(result_);
  }

 private:
  void take_long(const std::string& token) {
    const std::size_t equals = token.find('=');
    const std::string_view name = std::string_view(token).substr(2, equals - 2);
    if (is_negation(name)) return;
    const GeminiFlag* flag = find_long(name);
    if (flag == nullptr) {
      problem_ = unknown(token.substr(0, equals));
      return;
    }
    std::optional<std::string> value;
    if (equals != std::string::npos) value = token.substr(equals + 1);
    take(*flag, std::move(value));
  }

  // `-yp text`, `-otext` and `-o=text` are all the same to its parser.
  void take_short(const std::string& token) {
    for (std::size_t i = 1; i < token.size() && !problem_; ++i) {
      const GeminiFlag* flag = find_short(token[i]);
      if (flag == nullptr) {
        problem_ = unknown(token);
        return;
      }
      if (flag->spec.kind == k_switch) {
        take(*flag, std::nullopt);
        continue;
      }
      std::string rest = token.substr(i + 1);
      if (rest.starts_with('=')) rest.erase(0, 1);
      take(*flag, rest.empty() ? std::nullopt : std::optional(rest));
      return;
    }
  }

  void take(const GeminiFlag& flag, std::optional<std::string> value) {
    const FlagSpec& spec = flag.spec;
    const bool more = at_ < tokens_.size();
    if (!value && spec.kind == k_one) {
      // A word that is a flag of its own is no value; a text that begins with a dash is.
      if (!more || is_flag(tokens_[at_])) {
        problem_ = wrong("Error: Not enough arguments following: " + std::string(spec.name));
        return;
      }
      value = tokens_[at_++];
    } else if (!value && spec.kind == k_optional && more && !is_flag(tokens_[at_])) {
      value = tokens_[at_++];
    }
    if (spec.kind == k_switch && value == "false") return;
    mean(flag, value.value_or(""));
  }

  static bool is_flag(const std::string& token) {
    if (token.starts_with("--")) {
      return find_long(std::string_view(token).substr(2, token.find('=') - 2)) != nullptr;
    }
    return token.size() == 2 && token.front() == '-' && find_short(token[1]) != nullptr;
  }

  void mean(const GeminiFlag& flag, const std::string& value) {
    switch (flag.meaning) {
      case Meaning::nothing:
        return;
      case Meaning::ours:
        set(flag.ours, value);
        return;
      case Meaning::prompt:
        prompt_ = value;
        return;
      case Meaning::yolo:
        yolo_ = true;
        return;
      case Meaning::mode:
        mode_ = value;
        return;
      case Meaning::sandbox:
        set("sandbox", "workspace-write");
        return;
      case Meaning::directories:
        for_each_piece(value, [this](const std::string& one) { add("add-dir", one); });
        return;
      case Meaning::allowed:
        for (const std::string& tool : permissions::split_rules(value)) {
          add("allowed-tools", rule_of(tool));
        }
        return;
      case Meaning::servers:
        for_each_piece(value, [this](const std::string& one) { result_.servers.push_back(one); });
        return;
      case Meaning::action:
        act(flag.spec.name, value);
        return;
      case Meaning::screen:
        if (result_.action == GeminiAction::run_turn) result_.action = GeminiAction::refuse_screen;
        return;
      case Meaning::refused:
        problem_ = wrong("Error: --" + std::string(flag.spec.name) +
                         " is not supported here; leave it out to go on without");
        return;
    }
  }

  void act(std::string_view name, const std::string& value) {
    if (name == "help") {
      result_.action = GeminiAction::show_help;
    } else if (result_.action == GeminiAction::show_help) {
      return;
    } else if (name == "version") {
      result_.action = GeminiAction::show_version;
    } else if (name == "list-sessions") {
      result_.action = GeminiAction::list_sessions;
    } else if (name == "delete-session") {
      result_.action = GeminiAction::delete_session;
      result_.session = value;
    } else {
      result_.action = GeminiAction::acp;
    }
  }

  void finish() {
    if (prompt_ && !words_.empty()) {
      problem_ =
          wrong("Error: Cannot use both a positional prompt and the --prompt (-p) flag together");
      return;
    }
    if (yolo_ && mode_) {
      problem_ = wrong(
          "Error: Cannot use both --yolo (-y) and --approval-mode together. Use "
          "--approval-mode=yolo instead.");
      return;
    }
    set_mode();
    const auto format = result_.ours.value("output-format");
    if (format && *format != "text" && *format != "json" && *format != "stream-json") {
      problem_ = wrong("Error: Invalid values: output-format, Given: \"" + *format +
                       "\", Choices: \"text\", \"json\", \"stream-json\"");
    }
    check_session_id();
    if (prompt_) set("prompt", *prompt_);
    for (const std::string& word : words_) result_.ours.positionals_.push_back(word);
    if (result_.ours.has("resume") && result_.ours.value("resume").value_or("").empty()) {
      set("resume", "latest");
    }
  }

  void check_session_id() {
    const auto id = result_.ours.value("session-id");
    if (!id || id->find_first_not_of(k_id_characters) == std::string::npos) return;
    problem_ = wrong("Error: Invalid session ID \"" + *id +
                     "\": only letters, digits, - and _ are allowed");
  }

  void set_mode() {
    if (yolo_) mode_ = "yolo";
    if (!mode_) return;
    for (const auto& [name, ours] : k_modes) {
      if (name == *mode_) return set("permission-mode", std::string(ours));
    }
    problem_ = wrong("Error: Invalid values: approval-mode, Given: \"" + *mode_ +
                     "\", Choices: \"default\", \"auto_edit\", \"yolo\", \"plan\"");
  }

  void set(std::string_view name, const std::string& value) {
    result_.ours.values_[std::string(name)] = {value};
  }
  void add(std::string_view name, const std::string& value) {
    result_.ours.values_[std::string(name)].push_back(value);
  }

  const std::vector<std::string>& tokens_;
  std::size_t at_ = 0;
  GeminiArguments result_;
  std::vector<std::string> words_;
  std::optional<std::string> prompt_;
  std::optional<std::string> mode_;
  bool yolo_ = false;
  std::optional<Error> problem_;
};

Result<GeminiArguments> parse_gemini_arguments(const std::vector<std::string>& tokens) {
  return GeminiParser(tokens).parse();
}

std::string gemini_help_text() {
  std::string text =
      "Usage: gemini [options] [prompt]\n\n"
      "Takes the command line of the official Gemini CLI, runs without a screen, and writes its\n"
      "lines. This is yume-cli: `yume-cli --help` has its own options.\n\nOptions:\n";
  for (const GeminiFlag& flag : gemini_flags()) {
    if (!flag.spec.group.empty()) text += flag_line(flag.spec);
  }
  text +=
      "\nExit codes: 0 good, 1 the turn failed or wrong usage, 41 no or a bad login, 42 no prompt\n"
      "or an unknown session, 53 the limit of turns, 130 interrupted.\n";
  return text;
}

std::string gemini_version_text() {
  return std::string(k_gemini_cli_version) + " (Gemini CLI) yume-cli " YUME_CLI_VERSION "\n";
}

}  // namespace yume::app
