// SPDX-License-Identifier: MIT
#include "protocol/gemini_cli/gemini_cli_stream.h"

#include "core/gemini_cli_calls.h"
#include "protocol/gemini_cli/gemini_cli_failure.h"
#include "protocol/result_fields.h"
#include "util/overloaded.h"

#include <functional>
#include <utility>

namespace yume::protocol {
namespace {

constexpr std::chrono::milliseconds k_text_gap{2};
// What is left of a line's limit once the other fields are in.
constexpr std::size_t k_payload = k_max_line_bytes - 20'000;
constexpr std::size_t k_most_joined = k_payload / 3;

// What an event means for the text that comes in pieces.
enum class Flow { goes_on, is_text, ends };

Flow flow_of(const core::Event& event) {
  using GoesOn =
      Constant<Flow::goes_on, core::UsageUpdated, core::MessageStarted, core::BlockDone,
               core::CompactionStarted, core::Compacted, core::PromptMoved, core::ModeChanged,
               core::ModelChanged, core::ToolCallStarted, core::ToolArgsDelta, core::ToolProgress,
               core::BackgroundStarted, core::BackgroundEnded, core::AgentStarted,
               core::AgentProgress, core::AgentEnded, core::ThoughtDelta, core::HookStarted,
               core::HookEnded, core::PermissionRefused, core::RetryScheduled, core::MessageDone,
               core::ConversationReset, core::StateChanged>;
  using Ends = Constant<Flow::ends, core::SessionStarted, core::PromptTaken, core::ToolCallReady,
                        core::ToolFinished, core::CompactionFailed, core::Notice, core::TurnDone>;
  return std::visit(Overloaded{GoesOn{}, Ends{}, Constant<Flow::is_text, core::TextDelta>{}},
                    event);
}

// Unique in the run, and says which tool it is of, as Gemini CLI's do.
std::string tool_id(const core::GeminiCliCall& call, const std::string& id) {
  const std::string prefix = call.name + "__";
  return id.starts_with(prefix) ? id : prefix + id;
}

}  // namespace

JsonWriter GeminiCliStream::line_of(std::string& line, std::string_view type) {
  JsonWriter json(line);
  json.begin_object().field("type", type).field("timestamp", times_.now());
  return json;
}

std::optional<platform::SteadyTime> GeminiCliStream::wake_at() const {
  if (pending_text_.empty() || !last_text_line_) return std::nullopt;
  return *last_text_line_ + k_text_gap;
}

std::optional<platform::SteadyTime> GeminiCliStream::not_before(const core::Event& event) const {
  const bool may_join = flow_of(event) != Flow::ends;
  if (may_join && pending_text_.size() <= k_most_joined) return std::nullopt;
  // The text that waits must be written first. Lines of one millisecond must differ in their text.
  const bool differs = std::hash<std::string>()(pending_text_) != last_text_hash_;
  if (differs && !last_was_early_) return std::nullopt;
  return wake_at();
}

void GeminiCliStream::on_time(platform::SteadyTime now) {
  if (const auto due = wake_at(); due && now >= *due) write_text(now);
}

void GeminiCliStream::on_event(const core::Event& event, platform::SteadyTime now) {
  if (flow_of(event) == Flow::ends) write_text(now);
  // Gemini CLI shows neither thoughts nor what goes on beside the conversation.
  using Unseen =
      PassOver<core::MessageStarted, core::BlockDone, core::CompactionStarted, core::Compacted,
               core::HookStarted, core::HookEnded, core::PromptMoved, core::ModeChanged,
               core::ModelChanged, core::UsageUpdated, core::ToolCallStarted, core::ToolArgsDelta,
               core::ToolProgress, core::BackgroundStarted, core::BackgroundEnded,
               core::AgentStarted, core::AgentProgress, core::AgentEnded, core::ThoughtDelta,
               core::ConversationReset, core::StateChanged>;
  std::visit(Overloaded{
                 Unseen{},
                 [&](const core::SessionStarted& started) { on(started); },
                 [&](const core::PromptTaken& taken) { on(taken); },
                 [&](const core::TextDelta& delta) { on(delta, now); },
                 [&](const core::ToolCallReady& ready) {
                   stats_.count(ready, now);
                   on(ready);
                 },
                 [&](const core::PermissionRefused& refused) { stats_.count(refused); },
                 [&](const core::ToolFinished& finished) {
                   stats_.count(finished, now);
                   on(finished);
                 },
                 [&](const core::MessageDone& done) { stats_.count(done); },
                 [&](const core::RetryScheduled& retry) { stats_.count(retry); },
                 [&](const core::CompactionFailed& failed) {
                   on(core::Notice{"The conversation could not be compacted: " + failed.reason});
                 },
                 [&](const core::Notice& notice) { on(notice); },
                 [&](const core::TurnDone& done) { on(done); },
             },
             event);
}

void GeminiCliStream::on(const core::SessionStarted& started) {
  std::string line;
  JsonWriter json = line_of(line, "init");
  json.field("session_id", started.session_id).field("model", started.model).end_object();
  output_.line(line);
}

void GeminiCliStream::on(const core::PromptTaken& taken) {
  write_message("user", fit(taken.message.text(), k_payload, "prompt", overflow_), false);
}

void GeminiCliStream::on(const core::TextDelta& delta, platform::SteadyTime now) {
  pending_text_ += delta.text;
  const bool too_soon = last_text_line_ && now < *last_text_line_ + k_text_gap;
  if (!too_soon) write_text(now);
}

void GeminiCliStream::write_text(platform::SteadyTime now) {
  if (pending_text_.empty()) return;
  last_was_early_ = last_text_line_ && now < *last_text_line_ + k_text_gap;
  last_text_hash_ = std::hash<std::string>()(pending_text_);
  for (std::string_view rest = pending_text_; !rest.empty();) {
    const std::string_view piece = json_prefix(rest, k_payload);
    write_message("assistant", piece, true);
    last_text_line_ = now;
    rest.remove_prefix(piece.size());
  }
  pending_text_.clear();
}

void GeminiCliStream::write_message(std::string_view role, std::string_view text, bool is_piece) {
  std::string line;
  JsonWriter json = line_of(line, "message");
  json.field("role", role).field("content", text);
  if (is_piece) json.field("delta", true);
  json.end_object();
  output_.line(line);
}

void GeminiCliStream::on(const core::ToolCallReady& ready) {
  const core::GeminiCliCall call = core::as_gemini_cli_call(ready.call);
  std::string line;
  JsonWriter json = line_of(line, "tool_use");
  json.field("tool_name", call.name).field("tool_id", tool_id(call, ready.call.id));
  json.field("parameters", fit_input(call.parameters, k_payload).shown).end_object();
  output_.line(line);
}

void GeminiCliStream::on(const core::ToolFinished& finished) {
  const core::GeminiCliCall call = core::as_gemini_cli_call(finished.call);
  const core::ToolOutcome& outcome = finished.outcome;
  std::string line;
  JsonWriter json = line_of(line, "tool_result");
  json.field("tool_id", tool_id(call, finished.call.id));
  json.field("status", outcome.is_error ? "error" : "success");
  json.field("output", fit(outcome.content, k_payload / 2, finished.call.id, overflow_));
  if (outcome.is_error) {
    const bool refused = stats_.was_refused(finished.call.id);
    json.key("error").begin_object();
    json.field("type", refused ? "policy_violation" : "TOOL_EXECUTION_ERROR");
    json.field("message", json_prefix(outcome.content, k_payload / 4)).end_object();
  }
  json.end_object();
  output_.line(line);
}

void GeminiCliStream::on(const core::Notice& notice) {
  std::string line;
  JsonWriter json = line_of(line, "error");
  json.field("severity", "warning").field("message", json_prefix(notice.text, k_payload));
  json.end_object();
  output_.line(line);
}

void GeminiCliStream::on(const core::TurnDone& done) {
  const auto failure = gemini_cli_failure(done);
  // What a command of ours said is shown as a reply is.
  if (done.is_local_command && !failure && !done.text.empty()) {
    write_message("assistant", fit(done.text, k_payload, "answer", overflow_), true);
  }
  std::string line;
  JsonWriter json = line_of(line, "result");
  json.field("status", failure ? "error" : "success");
  if (failure) {
    json.key("error").begin_object().field("type", failure->type);
    json.field("message", json_prefix(failure->message, k_payload / 4)).end_object();
  }
  json.key("stats");
  stats_.write_short(json, done);
  write_files_written(json, done.files_written);
  json.end_object();
  output_.line(line);
  if (failure) errors_.line(gemini_cli_error_line(done, *failure));
}

}  // namespace yume::protocol
