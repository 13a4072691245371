// SPDX-License-Identifier: MIT
#include "app/options.h"

#include "util/uuid.h"

#include <algorithm>
#include <charconv>

namespace yume::app {

std::optional<double> parse_share(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (percent || value > 1) value /= 100;
  if (!(value >= 0.1 && value <= 0.95)) return std::nullopt;
  return value;
}

namespace {

using platform::Environment;

// Collects the first problem, so that reading stays a straight list of fields.
class Reader {
 public:
  explicit Reader(const Arguments& arguments) : arguments_(arguments) {}

  void fail(std::string message, ExitCode code) {
    if (!problem_) problem_ = UsageError{std::move(message), code};
  }

  // The value's place in `choices`. Claude's own words for a wrong one.
  std::optional<std::size_t> choice(const char* flag, const char* value_name,
                                    const std::vector<std::string_view>& choices, ExitCode code) {
    const auto value = arguments_.value(flag);
    if (!value) return std::nullopt;
    const auto found = std::find(choices.begin(), choices.end(), *value);
    if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
    std::string allowed;
    for (const std::string_view one : choices) {
      allowed.append(allowed.empty() ? "" : ", ").append(one);
    }
    fail("error: option '--" + std::string(flag) + " <" + value_name + ">' argument '" + *value +
             "' is invalid. Allowed choices are " + allowed + ".",
         code);
    return std::nullopt;
  }

  std::optional<int> number(const char* flag, int lowest) {
    const auto value = arguments_.value(flag);
    if (!value) return std::nullopt;
    int number = 0;
    const auto [end, failure] =
        std::from_chars(value->data(), value->data() + value->size(), number);
    if (failure != std::errc() || end != value->data() + value->size() || number < lowest) {
      fail("error: --" + std::string(flag) + " wants a whole number from " +
               std::to_string(lowest) + ", not '" + *value + "'",
           ExitCode::usage);
    }
    return number;
  }

  std::optional<UsageError> problem_;

 private:
  const Arguments& arguments_;
};

std::string joined(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text.append(text.empty() ? "" : ",").append(value);
  return text;
}

// Names in a list flag, split like rules are: `--tools "Read,Bash"`, `--tools Read Bash`.
std::vector<std::string> names(const std::vector<std::string>& values) {
  std::vector<std::string> out;
  for (const permissions::Rule& rule : permissions::parse_rules(joined(values))) {
    out.push_back(rule.tool);
  }
  return out;
}

void read_prompt(const Arguments& arguments, Options& options) {
  if (auto prompt = arguments.value("prompt")) options.prompt = std::move(prompt);
  for (const std::string& word : arguments.positionals()) {
    if (options.prompt && !options.prompt->empty()) return;
    options.prompt = word;  // an empty one is remembered, but gives way to any other
  }
  if (!options.prompt) options.doubtful_prompt = arguments.doubtful_word();
}

void read_formats(const Arguments& arguments, Reader& reader, Options& options) {
  if (auto format = reader.choice("output-format", "format", {"text", "json", "stream-json"},
                                  ExitCode::failure)) {
    options.output_format = static_cast<OutputFormat>(*format);
  }
  if (auto format =
          reader.choice("input-format", "format", {"text", "stream-json"}, ExitCode::failure)) {
    options.input_format = static_cast<InputFormat>(*format);
  }
  options.verbose = arguments.on("verbose");
  const bool streams = options.output_format == OutputFormat::stream_json;
  if (streams && !options.verbose && arguments.on("print")) {
    reader.fail("Error: When using --print, --output-format=stream-json requires --verbose",
                ExitCode::failure);
  }
  if (options.input_format == InputFormat::stream_json && !streams) {
    reader.fail("Error: --input-format=stream-json requires output-format=stream-json.",
                ExitCode::failure);
  }
}

void read_dialect(const Arguments& arguments, const Environment& environment, Reader& reader,
                  Options& options) {
  options.has_provider = arguments.has("provider");
  options.dialect = options.has_provider ? DialectName::yume : DialectName::claude;
  const auto named = environment.get("YUME_CLI_DIALECT");
  if (named && !arguments.has("dialect")) {
    if (*named != "yume" && *named != "claude") {
      reader.fail("error: YUME_CLI_DIALECT is '" + *named + "'; it can be yume or claude",
                  ExitCode::usage);
    }
    options.dialect = *named == "yume" ? DialectName::yume : DialectName::claude;
  }
  if (auto chosen = reader.choice("dialect", "name", {"yume", "claude"}, ExitCode::usage)) {
    options.dialect = static_cast<DialectName>(*chosen);
  }
}

void read_permissions(const Arguments& arguments, Reader& reader, Options& options) {
  if (const auto mode = arguments.value("permission-mode")) {
    options.auto_mode = *mode == "auto";
    options.permission_mode =
        options.auto_mode ? core::PermissionMode::accept_edits : core::permission_mode_from(*mode);
    if (!options.permission_mode) {
      reader.fail("error: option '--permission-mode <mode>' argument '" + *mode +
                      "' is invalid. Allowed choices are acceptEdits, auto, bypassPermissions, "
                      "default, dontAsk, plan.",
                  ExitCode::failure);
    }
  }
  if (arguments.on("dangerously-skip-permissions")) {
    options.permission_mode = core::PermissionMode::bypass;
  }
  options.allow = permissions::parse_rules(joined(arguments.list("allowed-tools")));
  options.deny = permissions::parse_rules(joined(arguments.list("disallowed-tools")));
  if (arguments.has("tools")) {
    auto wanted = names(arguments.list("tools"));
    if (wanted != std::vector<std::string>{"default"}) options.only_tools = std::move(wanted);
  }
  options.add_dirs = arguments.list("add-dir");
  options.host_answers = arguments.value("permission-prompt-tool") == "stdio" &&
                         arguments.value("permission-prompts") != "none" &&
                         options.input_format == InputFormat::stream_json;
}

void read_fallback(const Environment& environment, Reader& reader, SessionOptions& session) {
  const std::string named = environment.get("YUME_CLI_RESUME_FALLBACK").value_or("alias");
  if (named == "new") {
    session.fallback = ResumeFallback::fresh;
  } else if (named == "error") {
    session.fallback = ResumeFallback::error;
  } else if (named != "alias") {
    reader.fail("error: YUME_CLI_RESUME_FALLBACK is '" + named +
                    "'; it can be alias (default), new or error",
                ExitCode::usage);
  }
}

void read_session(const Arguments& arguments, const Environment& environment, Reader& reader,
                  Options& options) {
  SessionOptions& session = options.session;
  session.id = arguments.value("session-id");
  session.resume_id = arguments.value("resume");
  session.resume_newest = arguments.on("continue");
  session.fork = arguments.on("fork-session");
  session.resume_at = arguments.value("resume-session-at");
  session.persisted = !arguments.on("no-session-persistence");
  session.history_file = arguments.value("history-file");
  read_fallback(environment, reader, session);
  if (arguments.has("resume") && (!session.resume_id || session.resume_id->empty())) {
    reader.fail("Error: --resume needs a session ID; `yume-cli sessions list` shows them",
                ExitCode::failure);
  }
  if (session.id && !options.has_provider && !is_uuid(*session.id)) {
    reader.fail("Error: Invalid session ID. Must be a valid UUID.", ExitCode::failure);
  }
}

void read_auth(const Arguments& arguments, const Environment& environment, Reader& reader,
               Options& options) {
  if (auto choice =
          reader.choice("auth", "source", {"auto", "gcloud", "adc", "api-key"}, ExitCode::usage)) {
    options.auth = static_cast<AuthChoice>(*choice);
  }
  if (auto mode =
          reader.choice("token-cache", "where", {"runtime", "memory", "off"}, ExitCode::usage)) {
    options.token_cache = static_cast<TokenCacheMode>(*mode);
  }
  options.gcloud_path =
      arguments.value("gcloud-path").value_or(environment.get("YUME_GCLOUD").value_or(""));
}

void read_model(const Arguments& arguments, const Environment& environment, Reader& reader,
                Options& options) {
  options.model = arguments.value("model").value_or(environment.get("GEMINI_MODEL").value_or(""));
  const auto add = [&](const std::string& origin, const std::string& text) {
    auto map = gemini::parse_model_map(text);
    if (!map.ok()) {
      reader.fail("error: " + origin + ": " + map.error().message, ExitCode::usage);
      return;
    }
    for (auto& [name, id] : *map) options.model_map.insert_or_assign(name, std::move(id));
  };
  if (const auto text = environment.get("YUME_MODEL_MAP")) add("YUME_MODEL_MAP", *text);
  for (const std::string& text : arguments.list("model-map")) add("--model-map", text);
}

void read_thinking(const Arguments& arguments, Reader& reader, Options& options) {
  gemini::ThinkingWish& wish = options.thinking;
  if (auto effort = reader.choice("effort", "level", {"low", "medium", "high", "xhigh", "max"},
                                  ExitCode::failure)) {
    wish.effort = static_cast<gemini::Effort>(*effort);
  }
  if (auto mode = reader.choice("thinking", "mode", {"adaptive", "enabled", "disabled"},
                                ExitCode::failure)) {
    wish.mode = static_cast<gemini::ThinkingMode>(*mode);
  }
  // Hosts pass on what their library offers; only one word has a meaning of its own here.
  if (arguments.value("thinking-display") == "omitted") {
    wish.display = gemini::ThinkingDisplay::omitted;
  }
  if (const auto tokens = reader.number("max-thinking-tokens", 0)) wish.max_tokens = *tokens;
}

}  // namespace

std::variant<Options, UsageError> read_options(const Arguments& arguments,
                                               const Environment& environment) {
  Options options;
  if (arguments.on("help")) {
    options.action = Action::show_help;
    return options;
  }
  if (arguments.on("version")) {
    options.action = Action::show_version;
    return options;
  }
  Reader reader(arguments);
  read_dialect(arguments, environment, reader, options);
  read_formats(arguments, reader, options);
  read_prompt(arguments, options);
  read_permissions(arguments, reader, options);
  read_session(arguments, environment, reader, options);
  read_auth(arguments, environment, reader, options);
  read_model(arguments, environment, reader, options);
  read_thinking(arguments, reader, options);
  options.cwd = arguments.value("cwd").value_or("");
  auto server = read_server_options(arguments, environment);
  if (server.ok()) {
    options.server = std::move(server).value();
  } else {
    reader.fail(server.error().message, ExitCode::usage);
  }
  options.partial_messages = arguments.on("include-partial-messages");
  options.hook_events = arguments.on("include-hook-events");
  options.settings = arguments.value("settings");
  if (const auto sources = arguments.value("setting-sources")) {
    options.user_hooks = ("," + *sources + ",").find(",user,") != std::string::npos;
  }
  options.max_turns = reader.number("max-turns", 1).value_or(0);
  if (const auto share = arguments.value("compact-threshold")) {
    options.compact_threshold = parse_share(*share);
    if (!options.compact_threshold) {
      reader.fail(
          "error: --compact-threshold wants a share of the model's window between 10% and "
          "95%, such as 70% or 0.7, not '" +
              *share + "'",
          ExitCode::usage);
    }
  }
  options.system_prompt = arguments.value("system-prompt");
  options.system_prompt_file = arguments.value("system-prompt-file");
  options.append_system_prompt = arguments.value("append-system-prompt").value_or("");
  options.append_system_prompt_file = arguments.value("append-system-prompt-file");
  options.debug = arguments.has("debug") || arguments.on("debug-to-stderr");
  options.debug_file = arguments.value("debug-file");
  if (const auto retries = environment.get("YUME_MAX_RETRIES")) {
    std::from_chars(retries->data(), retries->data() + retries->size(), options.max_retries);
    options.max_retries = std::clamp(options.max_retries, 0, 100);
  }
  if (reader.problem_) return *std::move(reader.problem_);
  return options;
}

}  // namespace yume::app
