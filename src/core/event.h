// SPDX-License-Identifier: MIT
// Everything that happens in a session, as one closed variant. Strategies produce events, dialects
// turn them into lines; adding one breaks every emitter at compile time, on purpose.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/mcp.h"
#include "core/message.h"
#include "core/permission.h"
#include "core/tool_call.h"
#include "core/usage.h"
#include "util/cancel.h"

namespace yume::core {

// First event of every turn.
struct SessionStarted {
  std::string session_id;
  std::string model;
  std::string cwd;
  PermissionMode mode = PermissionMode::default_mode;
  std::vector<std::string> tools;
  std::vector<std::string> slash_commands = {};  // without the slash
  std::vector<std::string> skills = {};
  std::vector<std::string> agents = {};
  std::string credential_source;  // "GEMINI_API_KEY", "none", ...
  Usage context = {};             // of the last request that is known of, also of another process
  std::vector<McpServerState> mcp_servers = {};
};

// A message of the user became part of the turn, as the host sent it; for hosts that want to see
// which. Several may make one turn.
struct PromptTaken {
  std::string uuid;  // by which the host knows it; empty: by none
  UserMessage message;
  std::string record_uuid = {};  // in the session's records; empty: it is in none
};

// Where a message stands that the host gave a uuid.
struct PromptMoved {
  enum class State { queued, started, completed, cancelled };
  std::string uuid;
  State state = State::queued;
};

// One model reply begins. Its blocks follow as deltas and calls, its end as MessageDone.
struct MessageStarted {
  std::string message_id;
  std::string model;
};

struct TextDelta {
  std::string text;
};

struct ThoughtDelta {
  std::string text;
};

// How much of a text one line takes, quoted: what hosts can read, less the line's other fields.
inline constexpr std::size_t k_longest_block = 980'000;

// The text or thought that the last deltas made is complete, and on disk when the session is kept.
// Of one that is too long for a line the first k_longest_block bytes are, each time that many have
// come, so that nobody has to hold it whole.
struct BlockDone {
  enum class Extent { all, first_line };
  std::string uuid = {};  // of its line
  Extent extent = Extent::all;
  bool aborted = false;
};

// The running total of the request in progress; replaces what was said before.
struct UsageUpdated {
  Usage usage;
};

// A call whose arguments arrive in pieces, for hosts that watch them. Nothing may run yet: the call
// becomes real with its ToolCallReady, which repeats the id, or comes to nothing with its stream.
struct ToolCallStarted {
  std::string id;
  std::string name;
};

// The next piece of the started call's input as JSON text.
struct ToolArgsDelta {
  std::string json;
};

// A complete call, announced after its stream has ended well and before anything of it runs.
struct ToolCallReady {
  ToolCall call;
  std::string uuid = {};  // of its record; empty: the session is not kept
};

// A call has been running for a while. Told now and then until its ToolFinished.
struct ToolProgress {
  std::string call_id;
  std::string tool_name;
  std::chrono::seconds elapsed{0};
  std::string terminal_id = {};  // of the host, in which it runs; empty: in none
  // The last whole lines that it has written so far, for a person who watches (ToolContext).
  std::string output = {};
};

// A command goes on running while the conversation does. Its end may come in any later turn or
// between two.
struct BackgroundStarted {
  std::string task_id;
  std::string call_id;  // of the call that started it
  std::string description;
};

enum class BackgroundStatus { running, completed, failed, killed };

struct BackgroundEnded {
  std::string task_id;
  std::string call_id;
  BackgroundStatus status = BackgroundStatus::completed;
  std::string summary;  // for people
  std::string output_file;
};

// A subagent begins to work for a call, while the call waits for it or in the background. What it
// says carries the call's id in its address. Its end comes before the call's result, or, in the
// background, in any later turn or between two.
struct AgentStarted {
  std::string agent_id;
  std::string call_id;
  std::string type;
  std::string description;
  std::string prompt;
  bool in_background = false;
};

// What a subagent has used so far.
struct AgentWork {
  std::int64_t tokens = 0;  // of its last request and reply
  std::int64_t calls = 0;
  std::chrono::milliseconds duration{0};

  friend bool operator==(const AgentWork&, const AgentWork&) = default;
};

struct AgentProgress {
  std::string agent_id;
  std::string call_id;
  std::string type;
  std::string description;
  AgentWork work;
  std::string last_tool;
};

// The last of what is said about a subagent.
struct AgentEnded {
  std::string agent_id;
  std::string call_id;
  BackgroundStatus status = BackgroundStatus::completed;
  std::string summary;      // for people
  std::string output_file;  // its transcript; empty: not kept
  AgentWork work;
};

struct ToolFinished {
  ToolCall call;
  ToolOutcome outcome;
  std::string uuid = {};
};

// A call was refused without anyone being asked. Its ToolFinished follows.
struct PermissionRefused {
  ToolCall call;
  std::string message;
};

// A program of the user's runs before we go on; for hosts that asked to be told.
struct HookStarted {
  std::string hook_id;
  std::string name;  // "PreCompact:manual"
  std::string event;
};
enum class HookOutcome { success, error, cancelled };
struct HookEnded {
  HookStarted hook;
  std::string output;
  std::string error_output;
  std::optional<int> exit_code = std::nullopt;
  HookOutcome outcome = HookOutcome::success;
};

// The conversation begins anew, under another id; what was said stays on disk under the old one,
// which this still carries.
struct ConversationReset {
  std::string new_session_id;
  std::string prompt_uuid = {};  // the host's, of the message that wanted it; empty: none
};

// What the session is about, for hosts that want to know. After `running` there is always an
// `idle`.
enum class SessionState { idle, running, requires_action };
struct StateChanged {
  SessionState state = SessionState::idle;
};

// From now on the session has this mode.
struct ModeChanged {
  PermissionMode mode = PermissionMode::default_mode;
};

// From the next turn on the session has this model.
struct ModelChanged {
  std::string model;
};

enum class StopReason { end_turn, tool_use, max_tokens, refusal, aborted };

struct MessageDone {
  StopReason stop = StopReason::end_turn;
  Usage usage;
};

// What kind of failure stopped a request or a turn; hosts choose their wording and colours by it.
enum class FailureKind {
  none,
  authentication,
  rate_limit,
  invalid_request,
  model_not_found,
  server_error,
  max_output_tokens,
  refusal,
  unknown,
};

struct RetryScheduled {
  int attempt = 1;
  int max_retries = 0;
  std::chrono::milliseconds delay{0};
  int http_status = 0;  // 0: no answer at all
  FailureKind kind = FailureKind::unknown;
  std::string reason;  // for people
};

enum class CompactionTrigger { automatic, manual };
constexpr std::string_view name_of(CompactionTrigger trigger) {
  return trigger == CompactionTrigger::manual ? "manual" : "auto";
}

// The conversation is being summed up, which may take a while. Ends in one of the next two.
struct CompactionStarted {
  CompactionTrigger trigger = CompactionTrigger::automatic;
};
struct Compacted {
  CompactionTrigger trigger = CompactionTrigger::automatic;
  std::int64_t pre_tokens = 0;
  std::int64_t post_tokens = 0;
  std::string boundary_uuid;
  std::string summary_uuid;
  std::string summary;
};
struct CompactionFailed {
  CompactionTrigger trigger = CompactionTrigger::automatic;
  std::string reason;
};

// Something a person should see; not an error of the turn.
struct Notice {
  std::string text;
};

enum class TurnOutcome {
  success,
  max_turns,
  max_budget,            // the next request would cost more than the host allows
  stuck,                 // the model went round in circles
  timed_out,             // it took longer than the host allows
  no_structured_output,  // the model gave no answer that fits the host's schema
  interrupted,
  failed,
  rejected,  // never began: an unknown session, an unusable working directory
};

// The turn was ended by a limit, which its text names.
constexpr bool at_limit(TurnOutcome outcome) {
  switch (outcome) {
    case TurnOutcome::max_turns:
    case TurnOutcome::max_budget:
    case TurnOutcome::stuck:
    case TurnOutcome::timed_out:
    case TurnOutcome::no_structured_output:
      return true;
    case TurnOutcome::success:
    case TurnOutcome::interrupted:
    case TurnOutcome::failed:
    case TurnOutcome::rejected:
      break;
  }
  return false;
}

// Exactly one per turn, last.
struct TurnDone {
  TurnOutcome outcome = TurnOutcome::success;
  std::string text;  // the last text block, or the error text
  std::optional<RawJson> structured_output = std::nullopt;  // fits the host's schema
  FailureKind failure = FailureKind::none;
  int http_status = 0;
  bool interrupted_in_tool = false;
  bool anything_ran = false;  // a model reply or a tool was seen in this turn
  int num_turns = 1;          // 1 + messages of the user role added in the turn, as Claude counts
  int max_turns = 0;          // the limit, with outcome max_turns
  StopReason stop = StopReason::end_turn;
  Usage last_request;             // of this turn
  Usage context = {};             // of the last request that is known of, in this turn or before
  Usage total;                    // the turn's requests added up
  std::vector<ToolCall> denials;  // the refused calls
  UsageByModel by_model;          // since the process started
  std::chrono::milliseconds duration{0};
  std::chrono::milliseconds api_duration{0};
  std::string closing_uuid = {};  // of the record of the error text or the interrupt's marker
  bool is_local_command = false;  // answered here: the model was not asked on
  bool compacted = false;         // by a command, well
  bool stopped_by_hook = false;   // before the model had finished
  bool session_saved = true;      // false: what was said is only in memory
  std::vector<std::string> files_written = {};  // by tools in this turn, each once
};

// What a host and the transcript are shown in the place of the rest of an interrupted turn.
constexpr std::string_view interrupt_marker(const TurnDone& done) {
  return done.interrupted_in_tool ? "[Request interrupted by user for tool use]"
                                  : "[Request interrupted by user]";
}

using Event =
    std::variant<SessionStarted, PromptTaken, PromptMoved, MessageStarted, TextDelta, ThoughtDelta,
                 BlockDone, UsageUpdated, ToolCallStarted, ToolArgsDelta, ToolCallReady,
                 ToolFinished, ToolProgress, BackgroundStarted, BackgroundEnded, AgentStarted,
                 AgentProgress, AgentEnded, PermissionRefused, HookStarted, HookEnded,
                 ConversationReset, StateChanged, ModeChanged, ModelChanged, MessageDone,
                 RetryScheduled, CompactionStarted, Compacted, CompactionFailed, Notice, TurnDone>;

// How much text an event carries, as far as it can be much.
std::size_t text_size(const Event& event);

// Where a strategy puts its events. Thread-safe.
class EventSink {
 public:
  virtual ~EventSink() = default;
  // Waits while the host is slower than the model. False when nobody reads any more: stop working.
  virtual bool post(Event event) = 0;
  // Returns once every event posted so far has become bytes on stdout. Hosts take a snapshot of a
  // file when they see the call that will change it, so the line must be out before the change.
  // False when nobody reads any more, or the token fires first.
  virtual bool flush(const CancelToken& cancel) = 0;
};

}  // namespace yume::core
