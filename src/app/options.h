// SPDX-License-Identifier: MIT
// What the command line and the environment ask for, typed and checked. Decides nothing about
// files.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/argv.h"
#include "app/exit_codes.h"
#include "app/server_options.h"
#include "config/session_spec.h"
#include "config/settings.h"
#include "core/agent_definition.h"
#include "core/permission.h"
#include "gemini/model_catalog.h"
#include "gemini/thinking.h"
#include "permissions/rule_book.h"
#include "platform/environment.h"

namespace yume::app {

enum class OutputFormat { text, json, stream_json };
enum class InputFormat { text, stream_json };
enum class Face { claude, gemini };  // whose command line it is
enum class DialectName { yume, yume_app, claude, gemini, insights, agent_events };
enum class DialectReason { usual, flag, variable, settings, parent, face };
enum class AuthChoice { automatic, gcloud, adc, api_key };
enum class TokenCacheMode { runtime, memory, off };
enum class Action { run_turn, show_help, show_version };

struct Options {
  Face face = Face::claude;
  Action action = Action::run_turn;
  bool has_provider = false;  // Yume is the host
  std::string provider;       // as given
  DialectName dialect = DialectName::claude;
  DialectReason dialect_reason = DialectReason::usual;
  std::optional<config::LiveText> live_text;  // absent: the settings say it, or it is on
  std::optional<OutputFormat> output_format;  // absent: text, live on a terminal
  InputFormat input_format = InputFormat::text;
  bool verbose = false;
  bool stays = false;             // `-i`: a conversation follows the prompt
  bool converses = false;         // with the person at the terminal
  bool picks_session = false;     // `--resume` without an id: the person chooses one
  bool ascii = false;             // on a terminal: nothing else is drawn
  bool partial_messages = false;  // Claude's stream events beside the lines
  bool replays_prompts = false;   // show each prompt again when it is taken
  bool hook_events = false;       // tell what hooks run

  bool reconnects = false;  // a tab of Yume's takes up its session again, and asks nothing
  bool acp = false;         // an agent of editors, which open its sessions

  std::optional<std::string> prompt;           // from argv; may be empty when given so
  std::optional<std::string> prompt_file;      // in whose place the prompt is there
  std::optional<std::string> doubtful_prompt;  // used when nothing can come by stdin
  std::string model;                           // as given
  std::string fallback_model;                  // as given; empty: none
  gemini::ModelMap model_map;                  // of the environment and the flag
  gemini::ThinkingRequest thinking;
  std::string cwd;  // empty: where we were started
  ServerOptions server;
  AuthChoice auth = AuthChoice::automatic;
  std::string gcloud_path;  // empty: from PATH
  TokenCacheMode token_cache = TokenCacheMode::runtime;
  config::SessionChoice session;
  config::StrategyName strategy = config::StrategyName::gemini_rest;
  std::string gemini_path;  // empty: where it is usually found
  std::vector<std::string> agent_command;
  int max_turns = 0;
  std::optional<std::chrono::milliseconds> timeout;  // of a turn
  std::optional<double> max_budget_usd;
  std::optional<double> compact_threshold;  // share of the window
  std::optional<std::size_t> max_message_bytes;
  int max_retries = 5;

  std::optional<core::PermissionMode> permission_mode;
  bool auto_mode = false;         // `--permission-mode auto`
  bool nothing_unasked = false;   // `--permission-mode deny`
  bool bypass_permitted = false;  // a host may switch to bypassPermissions later
  permissions::RuleSet rules;     // of the flags
  std::optional<std::vector<std::string>> only_tools;
  std::vector<std::string> add_dirs;
  bool host_answers = false;    // questions may be put to it by stdin
  bool person_answers = false;  // the person may be asked, if there is a terminal
  std::optional<config::SandboxMode> sandbox;
  bool sandbox_required = false;  // where there is none, nothing runs

  std::vector<std::string> mcp_configs;  // JSON or names of files
  bool only_given_servers = false;       // those of no other place
  // The names of those that alone may be used; absent: all of them.
  std::optional<std::vector<std::string>> only_servers;
  std::string permission_tool;  // of a server, that is asked; empty: none

  std::optional<std::string> system_prompt;
  std::optional<std::string> system_prompt_file;
  std::string append_system_prompt;
  std::optional<std::string> append_system_prompt_file;
  std::string role;                                 // of an agent that works by itself; empty: none
  std::vector<core::AgentDefinition> agents = {};   // that can be called
  std::optional<std::string> agent = std::nullopt;  // whose part the session plays
  bool forward_subagent_text = false;

  std::optional<RawJson> output_schema;    // that the answer must fit
  std::optional<std::string> output_file;  // also takes the result
  std::optional<std::string> git_branch;   // to work on

  std::optional<std::string> settings;          // JSON or the name of a file
  std::optional<std::string> managed_settings;  // JSON
  bool user_settings = true;                    // --setting-sources has `user`, or is not there
  bool project_settings = true;                 // likewise
  bool local_settings = true;
  bool trusts_workspace = false;  // for this run
  bool no_slash_commands = false;

  std::vector<std::string> notices;  // what was asked for and has no effect

  bool debug = false;
  std::optional<std::string> debug_file;
};

inline constexpr std::string_view k_no_session_id =
    "Error: --resume needs a session ID; `yume-cli sessions list` shows them";

struct UsageError {
  std::string message;  // for stderr
  ExitCode code = ExitCode::failure;
};

std::variant<Options, UsageError> read_options(const Arguments& arguments,
                                               const platform::Environment& environment,
                                               Face face = Face::claude);

}  // namespace yume::app
