// SPDX-License-Identifier: MIT
#include "protocol/agent_events/agent_events_stream.h"

#include "core/tool_names.h"
#include "protocol/claude/words.h"
#include "protocol/result_fields.h"
#include "util/json_tree.h"
#include "util/overloaded.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace yume::protocol {
namespace {

// No escape makes more of a byte than six.
constexpr std::size_t k_surely_fits = k_payload / 6;

std::string_view finish_reason(core::TurnOutcome outcome) {
  switch (outcome) {
    case core::TurnOutcome::success:
      return "done";
    case core::TurnOutcome::interrupted:
      return "cancelled";
    case core::TurnOutcome::timed_out:
      return "timeout";
    case core::TurnOutcome::max_turns:
    case core::TurnOutcome::max_budget:
    case core::TurnOutcome::stuck:
    case core::TurnOutcome::no_structured_output:
    case core::TurnOutcome::failed:
    case core::TurnOutcome::rejected:
      break;
  }
  return "error";
}

// Readers know these; `blocked` is Gemini CLI's, and still to be done.
std::string_view shown_status(std::string_view status) {
  constexpr std::array<std::string_view, 4> k_statuses = {"pending", "in_progress", "completed",
                                                          "cancelled"};
  if (status == "blocked") return "pending";
  if (status == "canceled") return "cancelled";
  const bool known = std::find(k_statuses.begin(), k_statuses.end(), status) != k_statuses.end();
  return known ? status : "";
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string text_of(const nlohmann::json& todo) {
  std::string text = text_at(todo, "description");
  return is_blank(text) ? text_at(todo, "content") : text;
}

}  // namespace

AgentEventsStream::AgentEventsStream(Output& output, OverflowStore& overflow,
                                     const platform::Clock& clock, std::string agent_id)
    : output_(output),
      overflow_(overflow),
      clock_(clock),
      agent_id_(std::move(agent_id)),
      ids_("evt") {}

JsonWriter AgentEventsStream::begin(std::string_view type) {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(clock_.wall_now());
  line_.clear();
  JsonWriter json(line_);
  json.begin_object().field("type", type).field("eventId", ids_.next());
  json.field("agentId", agent_id_).field("agentType", "google-gemini");
  json.field("timestamp", static_cast<std::int64_t>(now.time_since_epoch().count()));
  json.key("teamMetadata").begin_object().end_object();
  return json;
}

void AgentEventsStream::end(JsonWriter& json) {
  json.end_object();
  output_.line(line_);
}

void AgentEventsStream::on_event(const core::Event& event, platform::SteadyTime /*now*/) {
  // A team sees what an agent says and does, not how it goes about it.
  using Unseen =
      PassOver<core::PromptTaken, core::PromptMoved, core::MessageStarted, core::ThoughtDelta,
               core::BlockDone, core::UsageUpdated, core::ToolCallStarted, core::ToolArgsDelta,
               core::ToolProgress, core::BackgroundStarted, core::BackgroundEnded,
               core::AgentStarted, core::AgentProgress, core::AgentEnded, core::PermissionRefused,
               core::HookStarted, core::HookEnded, core::ConversationReset, core::StateChanged,
               core::ModeChanged, core::ModelChanged, core::MessageDone, core::RetryScheduled,
               core::CompactionStarted, core::Compacted, core::CompactionFailed, core::Notice>;
  std::visit(Overloaded{
                 Unseen{},
                 [&](const core::SessionStarted& started) { on(started); },
                 [&](const core::TextDelta& delta) { write_text(delta.text); },
                 [&](const core::ToolCallReady& ready) { on(ready); },
                 [&](const core::ToolFinished& finished) { on(finished); },
                 [&](const core::TurnDone& done) { on(done); },
             },
             event);
}

void AgentEventsStream::on(const core::SessionStarted& started) {
  if (!started.session_id.empty()) agent_id_ = started.session_id;
  JsonWriter json = begin("session.started");
  end(json);
}

void AgentEventsStream::write_text(std::string_view text) {
  while (!text.empty()) {
    const std::string_view piece =
        text.size() <= k_surely_fits ? text : json_prefix(text, k_payload);
    JsonWriter json = begin("text");
    json.field("text", piece).field("role", "assistant").field("category", "message");
    end(json);
    text.remove_prefix(piece.size());
  }
}

void AgentEventsStream::write_error(std::string_view error, std::string_view code) {
  JsonWriter json = begin("error");
  json.field("error", json_prefix(error, k_payload));
  if (!code.empty()) json.field("code", code);
  end(json);
}

void AgentEventsStream::on(const core::ToolCallReady& ready) {
  const core::ToolCall& call = ready.call;
  if (core::tool_name_for(call.name) == "TodoWrite" && write_todos(call)) return;
  JsonWriter json = begin("tool.started");
  json.field("toolName", call.name).field("toolId", call.id);
  json.field("input", fit_input(call.input, k_payload).shown);
  end(json);
}

bool AgentEventsStream::write_todos(const core::ToolCall& call) {
  todo_calls_.insert(call.id);
  const auto input = read_json(call.input.text);
  const auto todos = input.is_object() ? input.find("todos") : input.end();
  if (todos == input.end() || !todos->is_array()) return true;
  std::string items;
  JsonWriter list(items);
  list.begin_array();
  for (const auto& todo : *todos) {
    const std::string text = todo.is_object() ? text_of(todo) : "";
    const std::string given = todo.is_object() ? text_at(todo, "status") : "";
    const std::string_view status = shown_status(given);
    if (is_blank(text) || status.empty()) continue;
    list.begin_object().field("text", text).field("status", status).end_object();
  }
  list.end_array();
  JsonWriter json = begin("todo_list");
  json.field("todoId", call.id.empty() ? std::string(ids_.next()) : call.id);
  json.field("items", fit_input({items}, k_payload).shown);
  end(json);
  return true;
}

void AgentEventsStream::on(const core::ToolFinished& finished) {
  if (todo_calls_.erase(finished.call.id) > 0) return;
  const core::ToolOutcome& outcome = finished.outcome;
  JsonWriter json = begin("tool.completed");
  json.field("toolId", finished.call.id);
  json.field("output", fit(outcome.content, k_payload, finished.call.id, overflow_));
  if (outcome.is_error) json.field("error", "error");
  end(json);
}

void AgentEventsStream::on(const core::TurnDone& done) {
  todo_calls_.clear();
  const std::string_view reason = finish_reason(done.outcome);
  if (done.is_local_command && reason == "done") write_text(done.text);
  if (reason == "error") {
    const bool named = done.failure != core::FailureKind::none;
    write_error(done.text, named ? error_name(done.failure) : "");
  }
  JsonWriter json = begin("turn.completed");
  json.field("finishReason", reason);
  write_files_written(json, done.files_written);
  end(json);
}

}  // namespace yume::protocol
