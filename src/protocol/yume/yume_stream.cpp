// SPDX-License-Identifier: MIT
#include "protocol/yume/yume_stream.h"

#include "core/tool_names.h"
#include "protocol/result_fields.h"
#include "util/overloaded.h"
#include "util/uuid.h"

#include <utility>

namespace yume::protocol {
namespace {

constexpr std::chrono::milliseconds k_text_gap{5};
// What is left of a line's limit once the other fields are in.
constexpr std::size_t k_payload = k_max_line_bytes - 20'000;
constexpr std::size_t k_longest_reason = 10'000;

// How much text may wait for its turn; a flood beyond that is slowed down to this much per gap.
// Text without control characters grows threefold at most when escaped, so it still is one line.
constexpr std::size_t k_most_joined = k_payload / 3;

// What an event means for the text and the thought that come in pieces.
enum class Flow {
  goes_on,  // it has no line of its own
  is_text,
  is_thought,
  ends,
};

Flow flow_of(const core::Event& event) {
  using GoesOn = Constant<Flow::goes_on, core::UsageUpdated, core::MessageStarted, core::BlockDone,
                          core::CompactionStarted, core::PromptTaken, core::PromptMoved,
                          core::ModeChanged, core::ConversationReset, core::StateChanged,
                          core::ModelChanged, core::ToolCallStarted, core::ToolArgsDelta,
                          core::ToolProgress, core::BackgroundStarted, core::BackgroundEnded,
                          core::AgentStarted, core::AgentProgress, core::AgentEnded>;
  using Ends = Constant<Flow::ends, core::SessionStarted, core::ToolCallReady, core::ToolFinished,
                        core::PermissionRefused, core::HookStarted, core::HookEnded,
                        core::MessageDone, core::RetryScheduled, core::Compacted,
                        core::CompactionFailed, core::Notice, core::TurnDone>;
  return std::visit(Overloaded{GoesOn{}, Ends{}, Constant<Flow::is_text, core::TextDelta>{},
                               Constant<Flow::is_thought, core::ThoughtDelta>{}},
                    event);
}

// Yume knows the tool of subagents by its old name.
std::string_view shown_tool(std::string_view name) {
  return name == core::k_agent_tool ? core::k_old_agent_tool : name;
}

std::string_view subtype_of(core::TurnOutcome outcome) {
  switch (outcome) {
    case core::TurnOutcome::success:
      return "success";
    case core::TurnOutcome::max_turns:
      return "error_max_turns";
    case core::TurnOutcome::max_budget:
      return "error_max_budget_usd";
    case core::TurnOutcome::no_structured_output:
    case core::TurnOutcome::stuck:
    case core::TurnOutcome::timed_out:
    case core::TurnOutcome::interrupted:
    case core::TurnOutcome::failed:
    case core::TurnOutcome::rejected:
      break;
  }
  return "error_during_execution";
}

}  // namespace

YumeStream::YumeStream(Output& output, OverflowStore& overflow, std::string session_id)
    // Random per process: Yume drops a line that equals one of the last thousand, also of an
    // earlier turn's process.
    : output_(output),
      overflow_(overflow),
      id_prefix_("txt_" + random_hex(16) + "-"),
      session_id_(std::move(session_id)) {}

std::string YumeStream::next_id() {
  return id_prefix_ + std::to_string(++ids_);
}

std::optional<platform::SteadyTime> YumeStream::wake_at() const {
  if (pending_text_.empty() || !last_text_line_) return std::nullopt;
  return *last_text_line_ + k_text_gap;
}

std::optional<platform::SteadyTime> YumeStream::not_before(const core::Event& event) const {
  const Flow flow = flow_of(event);
  const bool may_join = flow == Flow::is_text || flow == Flow::goes_on;
  if (may_join && pending_text_.size() <= k_most_joined) return std::nullopt;
  return wake_at();  // the text that waits must be written first, and not too early
}

void YumeStream::on_time(platform::SteadyTime now) {
  if (const auto due = wake_at(); due && now >= *due) write_text(now);
}

void YumeStream::on_event(const core::Event& event, platform::SteadyTime now) {
  const Flow flow = flow_of(event);
  if (flow == Flow::is_thought || flow == Flow::ends) write_text(now);
  if (flow == Flow::is_text || flow == Flow::ends) end_thinking();
  // Yume has no line for half a call, nor for what goes on beside the conversation.
  using Unseen =
      PassOver<core::MessageStarted, core::BlockDone, core::CompactionStarted, core::HookStarted,
               core::HookEnded, core::PromptTaken, core::PromptMoved, core::ModeChanged,
               core::ConversationReset, core::StateChanged, core::ModelChanged, core::UsageUpdated,
               core::MessageDone, core::ToolCallStarted, core::ToolArgsDelta, core::ToolProgress,
               core::BackgroundStarted, core::BackgroundEnded, core::AgentStarted,
               core::AgentProgress, core::AgentEnded, core::PermissionRefused>;
  std::visit(Overloaded{
                 Unseen{},
                 [&](const core::SessionStarted& started) { on(started); },
                 [&](const core::TextDelta& delta) { on(delta, now); },
                 [&](const core::ThoughtDelta& delta) { on(delta); },
                 [&](const core::ToolCallReady& ready) { on(ready); },
                 [&](const core::ToolFinished& finished) { on(finished); },
                 [&](const core::RetryScheduled& retry) { on(retry); },
                 [&](const core::Compacted& compacted) { on(compacted); },
                 [&](const core::CompactionFailed& failed) { on(failed); },
                 [&](const core::Notice& notice) { on(notice); },
                 [&](const core::TurnDone& done) {
                   write_local_answer(done, now);
                   on(done);
                 },
             },
             event);
}

void YumeStream::on(const core::SessionStarted& started) {
  session_id_ = started.session_id;
  model_ = started.model;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "init");
  json.field("session_id", started.session_id).field("model", started.model);
  json.field("cwd", started.cwd).field("permissionMode", core::to_string(started.mode));
  json.key("tools").begin_array();
  for (const std::string& tool : started.tools) json.string(shown_tool(tool));
  json.end_array().field("uuid", make_uuid()).end_object();
  output_.line(line);
}

void YumeStream::on(const core::TextDelta& delta, platform::SteadyTime now) {
  pending_text_ += delta.text;
  const bool too_soon = last_text_line_ && now < *last_text_line_ + k_text_gap;
  if (!too_soon) write_text(now);
}

void YumeStream::write_text(platform::SteadyTime now) {
  std::string_view rest = pending_text_;
  while (!rest.empty()) {
    const std::string_view piece = json_prefix(rest, k_payload);
    std::string line;
    JsonWriter json(line);
    json.begin_object().field("type", "text").field("content", piece).field("id", next_id());
    json.end_object();
    output_.line(line);
    last_text_line_ = now;
    rest.remove_prefix(piece.size());
  }
  pending_text_.clear();
}

// What a command said is shown as a reply is.
void YumeStream::write_local_answer(const core::TurnDone& done, platform::SteadyTime now) {
  const bool answers = done.is_local_command && done.outcome == core::TurnOutcome::success;
  if (!answers || done.compacted) return;
  pending_text_ = done.text;
  write_text(now);
}

void YumeStream::on(const core::ThoughtDelta& delta) {
  thinking_ = true;
  for (std::string_view rest = delta.text; !rest.empty();) {
    const std::string_view piece = json_prefix(rest, k_payload);
    std::string line;
    JsonWriter json(line);
    json.begin_object().field("type", "thinking").field("is_thinking", true);
    json.field("thought", piece).field("id", next_id()).end_object();
    output_.line(line);
    rest.remove_prefix(piece.size());
  }
}

void YumeStream::end_thinking() {
  if (!std::exchange(thinking_, false)) return;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "thinking").field("is_thinking", false);
  json.field("id", next_id()).end_object();
  output_.line(line);
}

void YumeStream::on(const core::ToolCallReady& ready) {
  waiting_calls_.push_back(ready.call);
  write_next_call();
}

void YumeStream::write_next_call() {
  if (call_open_ || waiting_calls_.empty()) return;
  const core::ToolCall call = std::move(waiting_calls_.front());
  waiting_calls_.pop_front();
  call_open_ = true;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "tool_use").field("id", call.id);
  json.field("name", shown_tool(call.name));
  json.field("input", fit_input(call.input, k_payload).shown);
  // The model's ids may come again in the next turn's process, and with them the same line.
  json.field("uuid", make_uuid()).end_object();
  output_.line(line);
}

void YumeStream::on(const core::ToolFinished& finished) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "tool_result").field("tool_use_id", finished.call.id);
  json.field("content", fit(finished.outcome.content, k_payload, finished.call.id, overflow_));
  json.field("is_error", finished.outcome.is_error).field("uuid", make_uuid()).end_object();
  output_.line(line);
  call_open_ = false;
  write_next_call();
}

void YumeStream::on(const core::RetryScheduled& retry) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "api_retry");
  json.field("message", json_prefix(retry.reason, k_longest_reason));
  json.field("attempt", retry.attempt);
  json.field("max_retries", retry.max_retries);
  json.field("retry_delay_ms", static_cast<std::int64_t>(retry.delay.count()));
  json.field("session_id", session_id_).field("uuid", make_uuid()).end_object();
  output_.line(line);
}

void YumeStream::on(const core::Compacted& compacted) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "compact_boundary");
  write_compact_metadata(json, compacted);
  json.field("session_id", session_id_).field("uuid", make_uuid()).end_object();
  output_.line(line);
}

void YumeStream::on(const core::CompactionFailed& failed) {
  on(core::Notice{"The conversation could not be compacted: " + failed.reason});
}

void YumeStream::on(const core::Notice& notice) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "notice");
  json.field("message", json_prefix(notice.text, k_longest_reason));
  json.field("session_id", session_id_);
  json.field("uuid", make_uuid()).end_object();
  output_.line(line);
}

void YumeStream::on(const core::TurnDone& done) {
  call_open_ = false;  // a turn that broke may have left some
  waiting_calls_.clear();
  const bool failed =
      done.outcome == core::TurnOutcome::failed || done.outcome == core::TurnOutcome::rejected;
  if (failed) write_failure(done);
  if (done.outcome == core::TurnOutcome::interrupted) {
    std::string line;
    JsonWriter json(line);
    json.begin_object().field("type", "interrupt").field("session_id", session_id_);
    json.field("uuid", make_uuid()).end_object();
    output_.line(line);
  }
  write_usage(done.last_request);
  write_result(done);
  std::string stop;
  JsonWriter json(stop);
  json.begin_object().field("type", "message_stop").field("uuid", make_uuid()).end_object();
  output_.line(stop);
}

void YumeStream::write_failure(const core::TurnDone& done) {
  std::string line;
  JsonWriter json(line);
  json.begin_object();
  // Only what keeps a session from beginning is said so.
  const bool quota = done.failure == core::FailureKind::rate_limit;
  if (done.anything_ran || quota) {
    json.field("type", "error");
  } else {
    json.field("type", "system").field("subtype", "error").field("session_id", session_id_);
  }
  json.field("message", fit(done.text, k_payload, "error", overflow_));
  json.field("uuid", make_uuid()).end_object();
  output_.line(line);
}

void YumeStream::write_usage(const core::Usage& usage) {
  // Zeros would be shown as a finished compaction.
  if (usage.empty()) return;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "usage");
  write_usage_counts(json, usage);
  json.key("usage").begin_object();
  write_usage_counts(json, usage);
  json.end_object().field("uuid", make_uuid()).end_object();
  output_.line(line);
}

void YumeStream::write_result(const core::TurnDone& done) {
  const bool interrupted = done.outcome == core::TurnOutcome::interrupted;
  const bool at_limit = core::at_limit(done.outcome);
  const bool is_error = done.outcome != core::TurnOutcome::success;
  // Yume shows a text as an error only when it says so.
  const std::string limit = at_limit ? "Error: " + done.text : "";
  const std::string_view text = interrupted ? "Interrupted by the user"
                                : at_limit
                                    ? std::string_view(limit)
                                    : std::string_view(done.text);  // not copied: may be long
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "result").field("subtype", subtype_of(done.outcome));
  json.field("is_error", is_error);
  json.field("duration_ms", static_cast<std::int64_t>(done.duration.count()));
  json.field("duration_api_ms", static_cast<std::int64_t>(done.api_duration.count()));
  json.field("num_turns", done.num_turns);
  json.field("result", fit(text, k_payload / 2, "result", overflow_));
  json.field("session_id", session_id_);
  if (!model_.empty()) json.field("model", model_);
  json.key("total_cost_usd").number(total_cost(done.by_model));
  // Yume reads this as the size of the context, so it is the last request, not the sum.
  // Zeros, which it takes for a finished compaction, are only there when one was asked for.
  if (!done.last_request.empty() || done.compacted) {
    json.key("usage").begin_object();
    write_usage_counts(json, done.last_request);
    json.end_object();
  }
  write_model_usage(json, done.by_model);
  write_denials(json, done.denials);
  write_files_written(json, done.files_written);
  if (is_error) {
    json.key("errors").begin_array().string(json_prefix(text, k_longest_reason)).end_array();
  }
  if (!done.session_saved) json.field("session_saved", false);
  json.field("uuid", make_uuid()).end_object();
  output_.line(line);
}

}  // namespace yume::protocol
