// SPDX-License-Identifier: MIT
// What others say about the steps of a session: programs that the user named in the settings, and
// functions of the host. They may stop a step, change it, or add something for the model.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/event.h"
#include "core/host_question.h"
#include "util/cancel.h"

namespace yume::core {

enum class HookEvent {
  pre_tool_use,
  post_tool_use,
  post_tool_use_failure,
  permission_request,
  notification,
  user_prompt_submit,
  session_start,
  session_end,
  stop,
  subagent_start,
  subagent_stop,
  pre_compact,
};
inline constexpr std::array k_hook_events = {
    HookEvent::pre_tool_use,       HookEvent::post_tool_use, HookEvent::post_tool_use_failure,
    HookEvent::permission_request, HookEvent::notification,  HookEvent::user_prompt_submit,
    HookEvent::session_start,      HookEvent::session_end,   HookEvent::stop,
    HookEvent::subagent_start,     HookEvent::subagent_stop, HookEvent::pre_compact,
};
std::string_view name_of(HookEvent event);  // Claude's: "PreToolUse"
std::optional<HookEvent> hook_event_from(std::string_view name);

// What a hook that fails, or does not answer, means for the step.
enum class OnHookFailure { go_on, block };

// Functions of the host for one event, as it registers them.
struct HostHookGroup {
  std::string event;         // "PreCompact"
  std::string matcher = {};  // empty: all of them
  std::vector<std::string> callback_ids = {};
  std::optional<std::chrono::milliseconds> timeout = std::nullopt;
  OnHookFailure on_failure = OnHookFailure::go_on;

  friend bool operator==(const HostHookGroup&, const HostHookGroup&) = default;
};

// About a call that is to run. Among several hooks a denial counts most, then a question.
struct CallAdvice {
  enum class Permission { unsaid, allow, ask, deny };
  Permission permission = Permission::unsaid;
  std::string reason = {};                      // of the permission
  std::optional<RawJson> input = std::nullopt;  // to run with instead
  std::string context = {};                     // for the model
  bool ends_turn = false;
};

// A call that has run.
struct RanCall {
  const ToolCall& call;  // with the input that it ran with
  const ToolOutcome& outcome;
  std::chrono::milliseconds duration{0};
};
struct ResultAdvice {
  std::string context = {};  // for the model
  bool ends_turn = false;
};

// About a message of the user's.
struct PromptAdvice {
  std::optional<std::string> veto = std::nullopt;  // why the model shall not get it
  std::string context = {};                        // for the model, beside it
};

// The model has nothing more to say.
struct FinishedAnswer {
  std::string_view text;
  bool was_sent_on = false;  // by a hook, in this turn
};

enum class SessionSource { startup, resume, fork, clear, compact };

struct PlannedCompaction {
  CompactionTrigger trigger = CompactionTrigger::automatic;
  std::string instructions = {};  // the user's
};

struct CompactionAdvice {
  std::optional<std::string> veto = std::nullopt;  // why it shall not be
  std::string instructions = {};                   // for the summary, beside the user's
};

// Each blocks for as long as the hooks take. On the session's thread.
class Hooks {
 public:
  virtual ~Hooks() = default;
  // Whether there is anybody to ask. Also on main, while the session has no thread.
  [[nodiscard]] virtual bool has(HookEvent event) const = 0;

  virtual CallAdvice before_call(const ToolCall& call, EventSink& sink,
                                 const CancelToken& cancel) = 0;
  virtual ResultAdvice after_call(const RanCall& ran, EventSink& sink,
                                  const CancelToken& cancel) = 0;
  // In the place of whoever would be asked; nullopt: ask on.
  virtual std::optional<HostAnswer> may_run(const MayRun& question, EventSink& sink,
                                            const CancelToken& cancel) = 0;
  // Somebody is about to be asked.
  virtual void on_question(const MayRun& question, EventSink& sink, const CancelToken& cancel) = 0;
  virtual PromptAdvice before_prompt(const std::string& prompt, EventSink& sink,
                                     const CancelToken& cancel) = 0;
  // What the model is told, and shall act on, before the turn may end; nullopt: it may.
  virtual std::optional<std::string> before_end(const FinishedAnswer& answer, EventSink& sink,
                                                const CancelToken& cancel) = 0;
  virtual CompactionAdvice before_compaction(const PlannedCompaction& plan, EventSink& sink,
                                             const CancelToken& cancel) = 0;
};

}  // namespace yume::core
