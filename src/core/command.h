// SPDX-License-Identifier: MIT
// What a host can want of a session: a closed variant. Parsing is total, so a line that cannot be
// read is a command too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/agent_definition.h"
#include "core/hooks.h"
#include "core/mcp.h"
#include "core/message.h"
#include "core/permission.h"
#include "core/session_commands.h"

namespace yume::core {

struct Prompt {
  enum class Urgency {
    now,    // the turn that runs ends for it
    next,   // with the results of the calls that run, else with the next turn
    later,  // never in a turn that runs
  };
  UserMessage message;
  std::string uuid = {};    // the host's own; empty: it gave none
  bool wants_reply = true;  // else the model sees it with the next message that does
  Urgency urgency = Urgency::next;
  friend bool operator==(const Prompt&, const Prompt&) = default;
};

// Ends the running turn and keeps the session.
struct Interrupt {
  bool cancel_queued = false;  // the prompts behind it, too
  friend bool operator==(const Interrupt&, const Interrupt&) = default;
};

// What a host sets before it begins; takes effect with the next turn.
struct Initialize {
  std::optional<std::string> system_prompt;  // empty text means "no prompt", absent "the default"
  std::string append_system_prompt;
  std::vector<HostHookGroup> hooks = {};
  std::vector<std::string> mcp_servers = {};                          // inside the host, by name
  std::optional<std::vector<AgentDefinition>> agents = std::nullopt;  // absent: as before
  bool forward_subagent_text = false;
  std::optional<RawJson> output_schema = std::nullopt;  // that answers must fit; is checked
  friend bool operator==(const Initialize&, const Initialize&) = default;
};

// Holds from the next decision on, also in the turn that runs.
struct SetMode {
  PermissionMode mode = PermissionMode::default_mode;
  friend bool operator==(const SetMode&, const SetMode&) = default;
};

// From the next turn on; an empty name: the model that the session began with.
struct SetModel {
  std::string name;
  friend bool operator==(const SetModel&, const SetModel&) = default;
};

// How much the model may think, from the next turn on; 0: as little as it can, absent: as the
// session began.
struct SetThinking {
  std::optional<std::int64_t> max_tokens;
  friend bool operator==(const SetThinking&, const SetThinking&) = default;
};

// All files as they were when that message of the user came.
struct RewindFiles {
  std::string prompt_uuid;
  bool dry_run = false;  // only say what would change
  friend bool operator==(const RewindFiles&, const RewindFiles&) = default;
};

// What a host wants to know; answered at once, also during a turn.
enum class Query { models, context, settings, version, cost, rules, hooks, plan };

// A prompt that still waits is forgotten.
struct CancelPrompt {
  std::string uuid;
  friend bool operator==(const CancelPrompt&, const CancelPrompt&) = default;
};

// The model knows this file, as it was at that time.
struct SeedReadState {
  std::string path;
  std::int64_t modified_ms = 0;  // since the epoch
  friend bool operator==(const SeedReadState&, const SeedReadState&) = default;
};

struct RenameSession {
  std::string title;
  std::string session_id = {};  // that is meant; empty: the one that there is
  friend bool operator==(const RenameSession&, const RenameSession&) = default;
};

// A file's bytes for the host, where the Read tool may read it without asking.
struct ReadFile {
  std::string path;
  std::size_t max_bytes = 1U << 20U;
  bool base64 = false;  // else as text
  friend bool operator==(const ReadFile&, const ReadFile&) = default;
};

// The end of what a background command has printed.
struct GetTaskOutput {
  std::string task_id;
  friend bool operator==(const GetTaskOutput&, const GetTaskOutput&) = default;
};

// For this session, as if they stood in --settings: those that are absent stay as they are.
struct ApplySettings {
  std::optional<std::string> model = std::nullopt;  // empty: the one that the session began with
  std::optional<PermissionMode> mode = std::nullopt;
  std::vector<PermissionUpdate> updates = {};
  std::optional<SetThinking> thinking = std::nullopt;
  friend bool operator==(const ApplySettings&, const ApplySettings&) = default;
};

// A host that creates sessions means the one that there is, if it can be that one.
struct BeginSession {
  std::string cwd;  // empty: any
  ApplySettings settings;
  Prompt prompt;
  friend bool operator==(const BeginSession&, const BeginSession&) = default;
};

// Nothing more will be asked: the program ends after the turn that runs, or ends that, too.
struct EndSession {
  enum class When { after_turn, now };
  When when = When::after_turn;
  friend bool operator==(const EndSession&, const EndSession&) = default;
};

// Ends one piece of background work, or a subagent that a call waits for.
struct StopTask {
  std::string task_id;
  friend bool operator==(const StopTask&, const StopTask&) = default;
};

// A request that this program does not serve.
struct Unsupported {
  std::string what;
  friend bool operator==(const Unsupported&, const Unsupported&) = default;
};

// Not taken, and why: the host is told, and the session goes on.
struct Refused {
  std::string why;
  std::string code = "request_too_large";  // for programs
  friend bool operator==(const Refused&, const Refused&) = default;
};

// Blank lines, keep-alives, kinds of the future.
struct Ignored {
  friend bool operator==(const Ignored&, const Ignored&) = default;
};

// A line that cannot be meant for this program: it ends, and reports why.
struct Malformed {
  std::string reason;  // for stderr
  friend bool operator==(const Malformed&, const Malformed&) = default;
};

using Command =
    std::variant<Prompt, Interrupt, Initialize, SetMode, StopTask, SetModel, SetThinking,
                 RewindFiles, Query, CancelPrompt, SeedReadState, RenameSession, ReadFile,
                 GetTaskOutput, ApplySettings, McpQueryStatus, McpSetServers, McpReconnect,
                 McpToggle, McpFromHost, McpCallTool, McpReadResource, BeginSession, Greet,
                 Authenticate, OpenSession, CloseSession, DeleteSession, ListSessions, EndSession,
                 Unsupported, Refused, Ignored, Malformed>;

}  // namespace yume::core
