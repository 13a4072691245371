// SPDX-License-Identifier: MIT
#include "app/options.h"

#include "agent/roles.h"
#include "app/dialect_choice.h"
#include "app/option_reader.h"
#include "app/restricting_flags.h"
#include "app/unserved_flags.h"
#include "app/wrap_choice.h"
#include "config/settings.h"
#include "core/tool_names.h"
#include "protocol/claude/agent_definitions.h"
#include "util/json_schema.h"
#include "util/uuid.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace yume::app {

namespace {

using platform::Environment;

std::string joined(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text.append(text.empty() ? "" : ",").append(value);
  return text;
}

// What stands between the commas.
std::vector<std::string> pieces_of(std::string_view list) {
  std::vector<std::string> pieces;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    std::string_view piece = list.substr(0, comma);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    while (piece.starts_with(' ')) piece.remove_prefix(1);
    while (piece.ends_with(' ')) piece.remove_suffix(1);
    if (!piece.empty()) pieces.emplace_back(piece);
  }
  return pieces;
}

// Names in a list flag, split like rules are: `--tools "Read,Bash"`, `--tools Read Bash`. Those of
// other programs mean the same tools.
std::vector<std::string> names(const std::vector<std::string>& values) {
  std::vector<std::string> out;
  for (const std::string& name : permissions::split_rules(joined(values))) {
    out.emplace_back(core::tool_name_for(name));
  }
  return out;
}

// Every word counts: people leave the quotes out. An empty prompt that was given is remembered.
void read_prompt(const Arguments& arguments, Options& options) {
  options.prompt = arguments.value("prompt");
  for (const std::string& word : arguments.positionals()) {
    if (!options.prompt || options.prompt->empty()) {
      options.prompt = word;
    } else if (!word.empty()) {
      options.prompt->append(" ").append(word);
    }
  }
  if (!options.prompt) options.doubtful_prompt = arguments.doubtful_word();
  options.prompt_file = arguments.value("prompt-file");
}

void read_formats(const Arguments& arguments, OptionReader& reader, Options& options) {
  if (auto format = reader.choice("output-format", "format", {"text", "json", "stream-json"},
                                  ExitCode::failure)) {
    options.output_format = static_cast<OutputFormat>(*format);
  }
  if (auto format =
          reader.choice("input-format", "format", {"text", "stream-json"}, ExitCode::failure)) {
    options.input_format = static_cast<InputFormat>(*format);
  }
  options.verbose = arguments.on("verbose");
  options.ascii = arguments.on("ascii");
  options.stays = arguments.on("interactive");
  const bool flagged = options.output_format.has_value();
  settle_format(options);
  const bool streams = options.output_format == OutputFormat::stream_json;
  if (options.face == Face::gemini || (streams && !flagged)) return;
  if (streams && !options.verbose && arguments.on("print")) {
    reader.fail("Error: When using --print, --output-format=stream-json requires --verbose",
                ExitCode::failure);
  }
  if (options.input_format == InputFormat::stream_json && !streams) {
    reader.fail("Error: --input-format=stream-json requires output-format=stream-json.",
                ExitCode::failure);
  }
}

void read_dialect(const Arguments& arguments, const Environment& environment, OptionReader& reader,
                  Options& options) {
  options.has_provider = arguments.has("provider");
  options.provider = arguments.value("provider").value_or("");
  options.dialect = options.has_provider ? DialectName::yume : DialectName::claude;
  if (options.has_provider) options.session.host = config::HostKind::yume;
  if (options.face == Face::gemini) {
    options.dialect = DialectName::gemini;
    options.dialect_reason = DialectReason::face;
    return;
  }
  const auto named = environment.get("YUME_CLI_DIALECT");
  if (named && !arguments.has("dialect")) {
    const auto dialect = parse_dialect(*named);
    if (!dialect) {
      reader.fail("error: YUME_CLI_DIALECT is '" + *named + "'; it can be " + dialect_list(),
                  ExitCode::usage);
    }
    options.dialect = dialect.value_or(options.dialect);
    options.dialect_reason = DialectReason::variable;
  }
  if (const auto chosen = reader.choice(
          "dialect", "name", {"yume", "yume-app", "claude", "gemini", "insights", "agent-events"},
          ExitCode::usage)) {
    options.dialect = static_cast<DialectName>(*chosen);
    options.dialect_reason = DialectReason::flag;
  }
}

void read_live_text(const Environment& environment, OptionReader& reader, Options& options) {
  const auto named = environment.get("YUME_CLI_LIVE_TEXT");
  if (!named) return;
  options.live_text = config::parse_live_text(*named);
  if (options.live_text) return;
  reader.fail("error: YUME_CLI_LIVE_TEXT is '" + *named +
                  "'; it can be on, off or a number of milliseconds up to 60000",
              ExitCode::usage);
}

// Gemini CLI's names for the modes.
void read_approval_mode(const Arguments& arguments, OptionReader& reader, Options& options) {
  using core::PermissionMode;
  constexpr std::array k_modes = {PermissionMode::default_mode, PermissionMode::accept_edits,
                                  PermissionMode::bypass, PermissionMode::plan};
  const auto mode = reader.choice("approval-mode", "mode", {"default", "auto_edit", "yolo", "plan"},
                                  ExitCode::usage);
  if (mode) options.permission_mode = k_modes.at(*mode);
  if (arguments.on("yolo")) options.permission_mode = PermissionMode::bypass;
  if (mode && arguments.has("permission-mode")) {
    reader.fail(
        "error: --approval-mode and --permission-mode are two names for one thing; give one",
        ExitCode::usage);
  }
}

void read_mode(const Arguments& arguments, OptionReader& reader, Options& options) {
  const auto mode = arguments.value("permission-mode");
  read_approval_mode(arguments, reader, options);
  if (mode) {
    options.auto_mode = *mode == "auto";
    options.nothing_unasked = *mode == "deny";
    if (options.auto_mode) {
      options.permission_mode = core::PermissionMode::accept_edits;
    } else if (options.nothing_unasked) {
      options.permission_mode = core::PermissionMode::dont_ask;
    } else {
      options.permission_mode = core::permission_mode_from(*mode);
    }
    if (!options.permission_mode) {
      reader.fail("error: option '--permission-mode <mode>' argument '" + *mode +
                      "' is invalid. Allowed choices are acceptEdits, auto, bypassPermissions, "
                      "default, deny, dontAsk, interactive, plan.",
                  ExitCode::failure);
    }
  }
  if (arguments.on("dangerously-skip-permissions")) {
    options.permission_mode = core::PermissionMode::bypass;
    options.auto_mode = options.nothing_unasked = false;
  }
  options.bypass_permitted = options.permission_mode == core::PermissionMode::bypass ||
                             arguments.on("allow-dangerously-skip-permissions");
}

// A restriction that cannot be read ends the run; an allowance that cannot be read allows nothing.
void read_rules(const Arguments& arguments, const char* flag, permissions::RuleEffect effect,
                OptionReader& reader, Options& options) {
  const std::string shown =
      effect == permissions::RuleEffect::allow ? "--allowedTools" : "--disallowedTools";
  for (const std::string& text : permissions::split_rules(joined(arguments.list(flag)))) {
    auto rule = permissions::parse_rule(text, effect);
    if (rule.ok()) {
      rule->origin = {.source = permissions::RuleSource::command_line, .name = shown};
      options.rules.of(effect).push_back(std::move(rule).value());
    } else if (effect == permissions::RuleEffect::allow) {
      options.notices.push_back(shown + ": " + rule.error().message + "; it allows nothing.");
    } else {
      reader.fail("error: " + shown + ": " + rule.error().message, ExitCode::usage);
    }
  }
}

void read_permissions(const Arguments& arguments, OptionReader& reader, Options& options) {
  if (auto unknown = unknown_restriction(arguments.unknown_flags())) {
    reader.fail(*std::move(unknown), ExitCode::usage);
  }
  read_mode(arguments, reader, options);
  read_rules(arguments, "allowed-tools", permissions::RuleEffect::allow, reader, options);
  read_rules(arguments, "disallowed-tools", permissions::RuleEffect::deny, reader, options);
  if (arguments.has("tools")) {
    auto wanted = names(arguments.list("tools"));
    if (wanted != std::vector<std::string>{"default"}) options.only_tools = std::move(wanted);
  }
  options.add_dirs = arguments.list("add-dir");
  for (const std::string& list : arguments.list("include-directories")) {
    for (std::string& one : pieces_of(list)) options.add_dirs.push_back(std::move(one));
  }
  options.mcp_configs = arguments.list("mcp-config");
  options.only_given_servers = arguments.on("strict-mcp-config");
  if (auto mode = reader.choice("sandbox", "mode", {"off", "workspace-write", "read-only"},
                                ExitCode::usage)) {
    options.sandbox = static_cast<config::SandboxMode>(*mode);
    options.sandbox_required = options.face == Face::gemini;
  }
  if (const auto asked = arguments.value("permission-prompt-tool");
      asked && asked->starts_with("mcp__") && arguments.value("permission-prompts") != "none") {
    options.permission_tool = *asked;
  }
  options.host_answers = arguments.value("permission-prompt-tool") == "stdio" &&
                         arguments.value("permission-prompts") != "none" &&
                         options.input_format == InputFormat::stream_json;
  // `-p` and a chosen format are for programs, and with --provider or --async nobody looks.
  options.person_answers = options.face == Face::claude && !arguments.on("print") &&
                           !arguments.has("output-format") && !arguments.has("provider") &&
                           !arguments.on("async") && !arguments.has("permission-prompt-tool") &&
                           arguments.value("permission-prompts") != "none";
}

// What is left out is not read: a name that is none would leave out more than was meant.
void read_setting_sources(const Arguments& arguments, OptionReader& reader, Options& options) {
  const auto sources = arguments.value("setting-sources");
  if (!sources) return;
  options.user_settings = options.project_settings = options.local_settings = false;
  for (const std::string& name : permissions::split_rules(*sources)) {
    if (name == "user") {
      options.user_settings = true;
    } else if (name == "project") {
      options.project_settings = true;
    } else if (name == "local") {
      options.local_settings = true;
    } else {
      reader.fail("error: --setting-sources: '" + name + "' is not user, project or local",
                  ExitCode::usage);
    }
  }
}

void read_fallback(const Environment& environment, OptionReader& reader,
                   config::SessionChoice& session) {
  const std::string named = environment.get("YUME_CLI_RESUME_FALLBACK").value_or("alias");
  if (named == "new") {
    session.fallback = config::ResumeFallback::fresh;
  } else if (named == "error") {
    session.fallback = config::ResumeFallback::error;
  } else if (named != "alias") {
    reader.fail("error: YUME_CLI_RESUME_FALLBACK is '" + named +
                    "'; it can be alias (default), new or error",
                ExitCode::usage);
  }
}

void read_session(const Arguments& arguments, const Environment& environment, OptionReader& reader,
                  Options& options) {
  config::SessionChoice& session = options.session;
  session.id = arguments.value("session-id");
  session.resume_id = arguments.value("resume");
  session.resume_newest = arguments.on("continue");
  session.fork = arguments.on("fork-session");
  session.resume_at = arguments.value("resume-session-at");
  session.persisted = !arguments.on("no-session-persistence");
  session.history_file = arguments.value("history-file");
  read_fallback(environment, reader, session);
  if (arguments.has("resume") && (!session.resume_id || session.resume_id->empty())) {
    if (options.person_answers) {
      session.resume_id.reset();
      options.picks_session = true;
    } else {
      reader.fail(std::string(k_no_session_id), ExitCode::failure);
    }
  }
  const bool any_id = options.has_provider || options.face == Face::gemini;
  if (session.id && !any_id && !is_uuid(*session.id)) {
    reader.fail("Error: Invalid session ID. Must be a valid UUID.", ExitCode::failure);
  }
}

void read_auth(const Arguments& arguments, const Environment& environment, OptionReader& reader,
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

void read_model(const Arguments& arguments, const Environment& environment, OptionReader& reader,
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

void read_thinking(const Arguments& arguments, const Environment& environment, OptionReader& reader,
                   Options& options) {
  gemini::ThinkingRequest& wish = options.thinking;
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
  if (const auto tokens = reader.number("max-thinking-tokens", 0)) {
    wish.max_tokens = *tokens;
  } else if (const auto named = environment.get("MAX_THINKING_TOKENS")) {
    wish.max_tokens = reader.whole_number("MAX_THINKING_TOKENS", *named, 0);
  }
}

void read_unserved(const Arguments& arguments, OptionReader& reader, Options& options) {
  UnservedFlags unserved = find_unserved(arguments);
  if (unserved.refusal) reader.fail(*std::move(unserved.refusal), ExitCode::usage);
  options.notices = std::move(unserved.notices);
}

// What Yume starts in the background.
void read_agent(const Arguments& arguments, OptionReader& reader, Options& options) {
  options.output_file = arguments.value("output-file");
  options.git_branch = arguments.value("git-branch");
  options.role = arguments.value("agent-type").value_or("");
  if (options.role.empty() || !agent::role_text(options.role).empty()) return;
  std::string roles;
  for (const std::string_view role : agent::k_roles) {
    roles.append(roles.empty() ? "" : ", ").append(role);
  }
  reader.fail("error: --agent-type wants one of " + roles + ", not '" + options.role + "'",
              ExitCode::usage);
}

void read_subagents(const Arguments& arguments, OptionReader& reader, Options& options) {
  options.forward_subagent_text = arguments.on("forward-subagent-text");
  if (const auto name = arguments.value("agent"); name && !name->empty()) options.agent = *name;
  const auto text = arguments.value("agents");
  if (!text || text->empty()) return;
  auto agents = protocol::parse_agents(*text, core::AgentSource::command_line);
  if (agents.ok()) {
    options.agents = std::move(agents).value();
  } else {
    reader.fail("error: --agents: " + agents.error().message, ExitCode::usage);
  }
}

void read_limits(const Arguments& arguments, OptionReader& reader, Options& options) {
  options.max_turns = reader.number("max-turns", 1).value_or(0);
  options.max_budget_usd = reader.amount("max-budget-usd");
  options.timeout = reader.seconds("timeout");
  if (const auto share = arguments.value("compact-threshold")) {
    options.compact_threshold = config::parse_share(*share);
    if (!options.compact_threshold) {
      reader.fail(
          "error: --compact-threshold wants a share of the model's window between 10% and "
          "95%, such as 70% or 0.7, not '" +
              *share + "'",
          ExitCode::usage);
    }
  }
  if (const auto size = arguments.value("max-message-size")) {
    options.max_message_bytes = config::parse_message_size(*size);
    if (!options.max_message_bytes) {
      reader.fail("error: --max-message-size wants a size between 1K and 1G, such as 64M, not '" +
                      *size + "'",
                  ExitCode::usage);
    }
  }
}

void read_prompts(const Arguments& arguments, OptionReader& reader, Options& options) {
  for (const char* flag : {"system-prompt", "append-system-prompt"}) {
    const std::string name = flag;
    if (!arguments.has(name) || !arguments.has(name + "-file")) continue;
    reader.fail(
        "Error: Cannot use both --" + name + " and --" + name + "-file. Please use only one.",
        ExitCode::failure);
  }
  options.system_prompt = arguments.value("system-prompt");
  options.system_prompt_file = arguments.value("system-prompt-file");
  options.append_system_prompt = arguments.value("append-system-prompt").value_or("");
  options.append_system_prompt_file = arguments.value("append-system-prompt-file");
}

void read_output_schema(const Arguments& arguments, OptionReader& reader, Options& options) {
  const auto text = arguments.value("json-schema");
  if (!text) return;
  if (const auto usable = parse_output_schema(*text); !usable.ok()) {
    reader.fail("error: --json-schema: the schema " + usable.error().message, ExitCode::failure);
    return;
  }
  options.output_schema = RawJson{*text};
}

}  // namespace

std::variant<Options, UsageError> read_options(const Arguments& arguments,
                                               const Environment& environment, Face face) {
  Options options;
  options.face = face;
  if (arguments.on("help")) {
    options.action = Action::show_help;
    return options;
  }
  if (arguments.on("version")) {
    options.action = Action::show_version;
    return options;
  }
  OptionReader reader(arguments);
  read_dialect(arguments, environment, reader, options);
  read_live_text(environment, reader, options);
  read_strategy(arguments, reader, options);
  read_formats(arguments, reader, options);
  read_prompt(arguments, options);
  read_permissions(arguments, reader, options);
  read_session(arguments, environment, reader, options);
  read_auth(arguments, environment, reader, options);
  read_model(arguments, environment, reader, options);
  read_thinking(arguments, environment, reader, options);
  options.cwd = arguments.value("cwd").value_or("");
  auto server = read_server_options(arguments, environment);
  if (server.ok()) {
    options.server = std::move(server).value();
  } else {
    reader.fail(server.error().message, ExitCode::usage);
  }
  options.acp = arguments.on("acp") || arguments.on("experimental-acp");
  options.partial_messages = arguments.on("include-partial-messages");
  options.hook_events = arguments.on("include-hook-events");
  options.replays_prompts = arguments.on("replay-user-messages");
  settle_format(options);
  options.settings = arguments.value("settings");
  read_setting_sources(arguments, reader, options);
  options.managed_settings = arguments.value("managed-settings");
  options.trusts_workspace = arguments.on("trust-workspace");
  options.no_slash_commands = arguments.on("disable-slash-commands");
  options.fallback_model = arguments.value("fallback-model").value_or("");
  read_limits(arguments, reader, options);
  read_output_schema(arguments, reader, options);
  read_unserved(arguments, reader, options);
  read_prompts(arguments, reader, options);
  read_agent(arguments, reader, options);
  read_subagents(arguments, reader, options);
  options.debug = arguments.has("debug") || arguments.on("debug-to-stderr");
  options.debug_file = arguments.value("debug-file");
  if (const auto retries = environment.get("YUME_MAX_RETRIES")) {
    std::from_chars(retries->data(), retries->data() + retries->size(), options.max_retries);
    options.max_retries = std::clamp(options.max_retries, 0, 100);
  }
  if (reader.problem()) return *reader.problem();
  return options;
}

}  // namespace yume::app
