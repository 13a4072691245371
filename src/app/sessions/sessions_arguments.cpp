// SPDX-License-Identifier: MIT
#include "app/sessions/sessions_arguments.h"

#include <utility>

namespace yume::app {
namespace {

constexpr std::string_view k_usage =
    "Usage: yume-cli sessions list [--all] [--json] [--cwd <dir>]\n"
    "       yume-cli sessions show <id> [--json]\n"
    "       yume-cli sessions export <id> --format md|html|jsonl [--output <file>]\n"
    "       yume-cli sessions delete <id> [--yes] [--json]\n\n"
    "The conversations of this program and of Claude Code on this machine.\n\n"
    "  list     those of this directory, the last one first; --all: of every directory\n"
    "  show     who said what, tool calls in one line each, changes as diffs\n"
    "  export   the whole conversation as Markdown, as one web page, or the file as it is\n"
    "  delete   the conversation and all that belongs to it; asks first, unless --yes is given\n\n"
    "An id may be shortened to a beginning that no other session has.\n"
    "`yume-cli --resume <id>` goes on with a session.\n";

Error wrong(std::string message) {
  return {.code = ErrorCode::invalid_argument,
          .message = std::move(message) + "; see `yume-cli sessions --help`"};
}

std::optional<SessionsVerb> verb_of(std::string_view word) {
  if (word == "list") return SessionsVerb::list;
  if (word == "show") return SessionsVerb::show;
  if (word == "export") return SessionsVerb::export_one;
  if (word == "delete") return SessionsVerb::delete_one;
  if (word == "help" || word == "--help" || word == "-h") return SessionsVerb::help;
  return std::nullopt;
}

Result<ExportFormat> format_of(const std::string& name) {
  if (name == "md" || name == "markdown") return ExportFormat::markdown;
  if (name == "html") return ExportFormat::html;
  if (name == "jsonl") return ExportFormat::jsonl;
  return wrong("--format is '" + name + "'; it can be md, html or jsonl");
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& tokens) : tokens_(tokens) {}

  Result<SessionsArguments> parse() {
    const auto verb = verb_of(tokens_.front());
    if (!verb) return wrong("there is no `sessions " + tokens_.front() + "`");
    out_.verb = *verb;
    for (at_ = 1; at_ < tokens_.size(); ++at_) {
      if (const auto taken = take(tokens_[at_]); !taken) return taken.error();
    }
    if (out_.verb == SessionsVerb::help) return out_;
    return check();
  }

 private:
  Result<void> take(const std::string& token) {
    if (!token.starts_with('-') || token == "-") return take_word(token);
    const std::size_t equals = token.find('=');
    const std::string name = token.substr(0, equals);
    if (name == "--help" || name == "-h") {
      out_.verb = SessionsVerb::help;
      return {};
    }
    bool* flag = name == "--json"                                           ? &out_.json
                 : name == "--all" && out_.verb == SessionsVerb::list       ? &out_.all
                 : name == "--yes" && out_.verb == SessionsVerb::delete_one ? &out_.yes
                 : name == "-y" && out_.verb == SessionsVerb::delete_one    ? &out_.yes
                                                                            : nullptr;
    if (flag != nullptr) {
      if (equals != std::string::npos) return wrong(name + " takes no value");
      *flag = true;
      return {};
    }
    return take_option(
        name, equals == std::string::npos ? std::nullopt : std::optional(token.substr(equals + 1)));
  }

  Result<void> take_option(const std::string& name, std::optional<std::string> value) {
    const bool exports = out_.verb == SessionsVerb::export_one;
    const bool is_format = exports && name == "--format";
    const bool is_output = exports && (name == "--output" || name == "-o");
    const bool is_cwd = out_.verb == SessionsVerb::list && name == "--cwd";
    if (!is_format && !is_output && !is_cwd) {
      return wrong("`sessions " + tokens_.front() + "` has no " + name);
    }
    if (!value && at_ + 1 < tokens_.size()) value = tokens_[++at_];
    if (!value || value->empty()) return wrong(name + " needs a value");
    if (is_output) out_.output = std::move(value);
    if (is_cwd) out_.cwd = std::move(value);
    if (is_format) {
      YUME_TRY(out_.format, format_of(*value));
    }
    return {};
  }

  Result<void> take_word(const std::string& word) {
    const bool wants_id = out_.verb != SessionsVerb::list && out_.verb != SessionsVerb::help;
    if (!wants_id || !out_.id.empty()) return wrong("'" + word + "' is one word too many");
    if (word.empty()) return wrong("the session's id is empty");
    out_.id = word;
    return {};
  }

  Result<SessionsArguments> check() {
    if (out_.verb != SessionsVerb::list && out_.id.empty()) {
      return wrong("`sessions " + tokens_.front() + "` needs a session's id");
    }
    if (out_.verb == SessionsVerb::export_one && !out_.format) {
      return wrong("`sessions export` needs --format md, html or jsonl");
    }
    if (out_.verb == SessionsVerb::export_one && out_.json && !out_.output) {
      return wrong("`sessions export --json` says where the file is, so it needs --output");
    }
    return out_;
  }

  const std::vector<std::string>& tokens_;
  std::size_t at_ = 0;
  SessionsArguments out_;
};

}  // namespace

std::string_view sessions_usage() {
  return k_usage;
}

Result<SessionsArguments> parse_sessions_arguments(const std::vector<std::string>& tokens) {
  if (tokens.empty())
    return wrong("`sessions` needs to be told what to do: list, show, export or delete");
  return Parser(tokens).parse();
}

}  // namespace yume::app
