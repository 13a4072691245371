// SPDX-License-Identifier: MIT
// Everything that a session is opened with: what flags, environment, settings and a host's requests
// come to. Plain values; whoever needs a part of it takes that part.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/command_folder.h"
#include "config/places.h"
#include "config/wrap_spec.h"
#include "core/agent_definition.h"
#include "core/cost_meter.h"
#include "core/mcp.h"
#include "core/permission.h"
#include "core/session_report.h"
#include "core/usage.h"
#include "gemini/endpoint.h"
#include "gemini/model_info.h"
#include "gemini/request.h"
#include "hooks/hook_settings.h"
#include "net/http.h"
#include "permissions/policy.h"
#include "tools/shell.h"

namespace yume::config {

// What becomes of a session id that nothing is known about, when Yume is the host.
enum class ResumeFallback { alias, fresh, error };

// Which conversation to have.
struct SessionChoice {
  HostKind host = HostKind::claude;
  std::optional<std::string> id = {};         // for a new session
  std::optional<std::string> resume_id = {};  // to go on with
  bool resume_newest = false;                 // of the working directory
  bool fork = false;                          // go on in a copy
  std::optional<std::string> resume_at = {};  // only up to this message
  bool persisted = true;
  std::optional<std::string> history_file = {};  // a new session begins with it
  ResumeFallback fallback = ResumeFallback::alias;
};

struct ModelSpec {
  gemini::ModelInfo info = {};
  bool ask_for_limits = false;              // the catalog does not list it
  std::filesystem::path limits_cache = {};  // where the server's answers about limits are kept
  gemini::RequestSettings request = {};     // without prompt and tools
};

// The models that a host can change to while the session is open. Thread-safe.
struct ModelMenu {
  // By any name that a host may use; empty: there is no other.
  std::function<ModelSpec(std::string_view name)> choose = {};
  std::function<std::vector<core::ModelOffer>()> list = [] {
    return std::vector<core::ModelOffer>();
  };
};

// Which server, and how it is spoken to.
struct AccessSpec {
  gemini::EndpointRequest endpoint = {};
  std::vector<net::Header> extra_headers = {};
  bool key_as_bearer = false;  // gateways want `Authorization: Bearer KEY`
  net::Deadlines deadlines = {};
  int max_retries = 5;
};

struct PromptSpec {
  std::optional<std::string> replacement = std::nullopt;  // set (even to nothing): instead of ours
  std::string appended = {};                              // the host's addition
  std::string os_name = {};
  // In the place of our own words alone: surroundings and instruction files follow.
  std::optional<std::string> agent = std::nullopt;
  bool with_instructions = true;  // CLAUDE.md and the like
  // What MCP servers say about their tools; changes with the set of tools.
  std::vector<core::McpInstructions> servers = {};
};

struct LimitSpec {
  int max_turns = 0;  // model requests per user message; 0: no limit
  std::optional<double> max_budget_usd = std::nullopt;  // of this process, over all its turns
  // Shared with the subagents; absent: nobody else spends.
  std::shared_ptr<core::CostMeter> meter = {};
  bool own_output_limit = false;  // the user chose it: a reply that reaches it is not continued
  bool wants_structured_output = false;  // the answer must be a call of StructuredOutput
  std::optional<double> compaction_share = std::nullopt;  // of the window; else by model
};

struct ToolChoice {
  std::optional<RawJson> output_schema = std::nullopt;  // that the answer must fit; is checked
  std::optional<std::vector<std::string>> only = std::nullopt;  // absent: all there are
  bool host_answers = false;  // a host can be asked: tools that put questions to it make sense
  bool shows_output = false;  // somebody watches what commands write while they run
};

struct McpSpec {
  std::vector<core::McpServerConfig> servers = {};
  std::chrono::milliseconds connect_timeout{30'000};
  std::chrono::milliseconds call_timeout{600'000};
  std::string client_version = {};   // of Claude Code, as which we introduce ourselves
  bool host_carries = false;         // servers can be inside the host
  std::string permission_tool = {};  // that is asked whether a call may run; empty: none
  // The environment, for configurations that come later.
  std::function<std::optional<std::string>(std::string_view name)> variable = {};
};

// Where subagents come from; read when they are first needed.
struct AgentSpec {
  std::vector<core::AgentDefinition> given = {};   // by the command line
  std::filesystem::path user_folder = {};          // empty: none
  std::filesystem::path project_folder = {};       // empty: none, or the folder is not trusted
  std::optional<std::string> main = std::nullopt;  // whose role the session itself plays
  bool main_has_own_model = true;                  // else the session has the one it was given
  bool hold_turn = false;     // no turn can follow: this one waits for those in the background
  bool forward_text = false;  // hosts get what subagents say, not only what they do
  // From the name that a definition or a call gives.
  std::function<ModelSpec(const std::string& name)> model_named = {};
};

struct HookSpec {
  hooks::HookSettings settings = {};
  bool reports_events = false;  // the host wants to know what runs
};

// What a prompt can begin with besides the built-in commands.
struct CommandSpec {
  bool enabled = true;                     // else every prompt goes to the model as it is
  std::filesystem::path user_folder = {};  // the user's `.claude`; empty: not wanted
  std::vector<FoundCommand> project = {};  // of the working directory
  bool project_trusted = false;            // else the project's are not used
};

// The session as Yume's server reads it back.
struct YumeViewSpec {
  std::filesystem::path folder = {};
  // For views that are made anew.
  std::function<double(const std::string& model, const core::Usage&)> price = {};
  std::string made_by = {};  // the process that started us, as the index names it
};

struct SessionSpec {
  std::filesystem::path cwd = {};   // real
  std::filesystem::path home = {};  // empty: none is known
  WrapSpec wrap = {};
  ModelSpec model = {};
  ModelMenu models = {};
  std::string fallback_model = {};  // asked when the model is too busy; empty: none
  std::vector<core::SettingsFile> settings_files = {};  // lowest first
  AccessSpec access = {};
  PromptSpec prompt = {};
  LimitSpec limits = {};
  permissions::PolicySettings permissions = {};
  ToolChoice tools = {};
  AgentSpec agents = {};
  HookSpec hooks = {};
  McpSpec mcp = {};
  CommandSpec commands = {};
  tools::ShellSettings shell = {};
  std::vector<std::string> child_environment = {};  // "NAME=value", already cleaned of secrets
  // For the long outputs of a session that is not kept; empty: nowhere.
  std::filesystem::path output_directory = {};
  std::optional<YumeViewSpec> yume_view = std::nullopt;
  bool keeps_checkpoints = false;         // of files, before tools change them
  bool replays_prompts = false;           // the host wants to see each prompt again
  std::string credential_source = {};     // for the init line
  std::vector<std::string> notices = {};  // to be shown with the first turn
  std::string call_id_prefix = {};        // of a subagent: its calls have ids of their own
};

}  // namespace yume::config
