// SPDX-License-Identifier: MIT
// The lines of Claude's dialect that are no part of the conversation: what is going on, what was
// refused, what has to wait.
#include "protocol/claude/claude_stream.h"
#include "protocol/claude/words.h"
#include "protocol/result_fields.h"

namespace yume::protocol {

using core::FailureKind;

std::string_view error_name(core::FailureKind kind) {
  switch (kind) {
    case FailureKind::authentication:
      return "authentication_failed";
    case FailureKind::rate_limit:
      return "rate_limit";
    case FailureKind::invalid_request:
    case FailureKind::refusal:
      return "invalid_request";
    case FailureKind::model_not_found:
      return "model_not_found";
    case FailureKind::server_error:
      return "server_error";
    case FailureKind::max_output_tokens:
      return "max_output_tokens";
    case FailureKind::none:
    case FailureKind::unknown:
      break;
  }
  return "unknown";
}

void write_nullable(JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  if (value.empty()) {
    json.null();
  } else {
    json.string(value);
  }
}

namespace {

std::string_view task_status(core::BackgroundStatus status) {
  switch (status) {
    case core::BackgroundStatus::running:
      return "running";
    case core::BackgroundStatus::completed:
      return "completed";
    case core::BackgroundStatus::failed:
      return "failed";
    case core::BackgroundStatus::killed:
      break;
  }
  return "killed";
}

std::string_view state_name(core::SessionState state) {
  switch (state) {
    case core::SessionState::idle:
      return "idle";
    case core::SessionState::running:
      return "running";
    case core::SessionState::requires_action:
      break;
  }
  return "requires_action";
}

constexpr std::size_t k_longest_hook_output = 100'000;

std::string_view outcome_name(core::HookOutcome outcome) {
  switch (outcome) {
    case core::HookOutcome::success:
      return "success";
    case core::HookOutcome::error:
      return "error";
    case core::HookOutcome::cancelled:
      break;
  }
  return "cancelled";
}

void write_work(JsonWriter& json, const core::AgentWork& work) {
  json.key("usage").begin_object().field("total_tokens", work.tokens);
  json.field("tool_uses", work.calls);
  json.field("duration_ms", static_cast<std::int64_t>(work.duration.count())).end_object();
}

void write_hook(JsonWriter& json, const core::HookStarted& hook) {
  json.field("hook_id", hook.hook_id).field("hook_name", hook.name).field("hook_event", hook.event);
}

}  // namespace

void ClaudeStream::on(const core::PermissionRefused& refused) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "permission_denied");
  json.field("tool_name", refused.call.name).field("tool_use_id", call_id(refused.call.id));
  json.field("message", json_prefix(refused.message, k_longest_reason));
  if (!agent_.id.empty()) json.field("agent_id", agent_.id);
  end_line(json, line);
}

void ClaudeStream::on(const core::ToolProgress& progress) {
  std::string line;
  JsonWriter json(line);
  json.begin_object()
      .field("type", "tool_progress")
      .field("tool_use_id", call_id(progress.call_id));
  json.field("tool_name", progress.tool_name);
  write_parent(json);
  json.field("elapsed_time_seconds", static_cast<std::int64_t>(progress.elapsed.count()));
  end_line(json, line);
}

void ClaudeStream::on(const core::BackgroundStarted& started) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "task_started");
  json.field("task_id", started.task_id).field("tool_use_id", call_id(started.call_id));
  json.field("description", json_prefix(started.description, k_longest_reason));
  json.field("task_type", "local_bash");
  end_line(json, line);
}

void ClaudeStream::write_tasks(const BackgroundTasks& tasks) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "background_tasks_changed");
  json.key("tasks").begin_array();
  for (const auto& [id, task] : tasks) {
    json.begin_object().field("task_id", id).field("task_type", task.type);
    if (!task.agent_type.empty()) json.field("subagent_type", task.agent_type);
    json.field("description", json_prefix(task.description, k_longest_reason)).end_object();
  }
  json.end_array();
  end_line(json, line);
}

void ClaudeStream::on(const core::BackgroundEnded& ended) {
  write_task_end(ended, nullptr);
}

void ClaudeStream::write_task_end(const core::BackgroundEnded& ended, const core::AgentWork* work) {
  std::string update;
  JsonWriter json(update);
  json.begin_object().field("type", "system").field("subtype", "task_updated");
  json.field("task_id", ended.task_id).key("patch").begin_object();
  json.field("status", task_status(ended.status)).end_object();
  end_line(json, update);

  std::string notice;
  JsonWriter more(notice);
  more.begin_object().field("type", "system").field("subtype", "task_notification");
  more.field("task_id", ended.task_id).field("tool_use_id", call_id(ended.call_id));
  // Of one that was killed the notification says "stopped", its state is "killed".
  const bool killed = ended.status == core::BackgroundStatus::killed;
  more.field("status", killed ? "stopped" : task_status(ended.status));
  more.field("output_file", ended.output_file);
  more.field("summary", json_prefix(ended.summary, k_longest_reason));
  if (work != nullptr) write_work(more, *work);
  end_line(more, notice);
}

void ClaudeStream::on(const core::AgentStarted& started) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "task_started");
  json.field("task_id", started.agent_id).field("tool_use_id", call_id(started.call_id));
  json.field("description", json_prefix(started.description, k_longest_reason));
  json.field("subagent_type", started.type).field("is_backgrounded", started.in_background);
  json.field("spawn_depth", 1).field("task_type", "local_agent");
  json.field("prompt", json_prefix(started.prompt, k_payload));
  end_line(json, line);
}

void ClaudeStream::on(const core::AgentProgress& progress) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "task_progress");
  json.field("task_id", progress.agent_id).field("tool_use_id", call_id(progress.call_id));
  json.field("description", json_prefix(progress.description, k_longest_reason));
  json.field("subagent_type", progress.type);
  write_work(json, progress.work);
  json.field("last_tool_name", progress.last_tool);
  end_line(json, line);
}

void ClaudeStream::on(const core::AgentEnded& ended) {
  write_task_end({.task_id = ended.agent_id,
                  .call_id = ended.call_id,
                  .status = ended.status,
                  .summary = ended.summary,
                  .output_file = ended.output_file},
                 &ended.work);
}

void ClaudeStream::on(const core::RetryScheduled& retry) {
  // What broke off with its stream; text goes on in the same block.
  if (open_ == Block::thinking) close_block();
  if (open_ == Block::none) events_.end_block();
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "api_retry");
  json.field("attempt", retry.attempt).field("max_retries", retry.max_retries);
  json.field("retry_delay_ms", static_cast<std::int64_t>(retry.delay.count()));
  json.key("error_status");
  if (retry.http_status == 0) {
    json.null();
  } else {
    json.integer(retry.http_status);
  }
  json.field("error", error_name(retry.kind))
      .field("message", json_prefix(retry.reason, k_longest_reason));
  end_line(json, line);
}

void ClaudeStream::on(const core::HookStarted& started) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "hook_started");
  write_hook(json, started);
  end_line(json, line);
}

void ClaudeStream::on(const core::HookEnded& ended) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "hook_response");
  write_hook(json, ended.hook);
  json.field("output", json_prefix(ended.output + ended.error_output, k_longest_hook_output));
  json.field("stdout", json_prefix(ended.output, k_longest_hook_output));
  json.field("stderr", json_prefix(ended.error_output, k_longest_hook_output));
  if (ended.exit_code) json.field("exit_code", *ended.exit_code);
  json.field("outcome", outcome_name(ended.outcome));
  end_line(json, line);
}

void ClaudeStream::on(const core::ConversationReset& reset) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "conversation_reset");
  json.field("new_conversation_id", reset.new_session_id).field("trigger", "clear");
  if (!reset.prompt_uuid.empty()) json.field("user_message_uuid", reset.prompt_uuid);
  end_line(json, line);
}

void ClaudeStream::on(const core::StateChanged& changed) {
  if (!look_.reports_state) return;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "session_state_changed");
  json.field("state", state_name(changed.state)).field("sdk_host_only", true);
  end_line(json, line);
}

void ClaudeStream::on(const core::ModeChanged& changed) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "status").key("status").null();
  json.field("permissionMode", core::to_string(changed.mode));
  end_line(json, line);
}

void ClaudeStream::on(const core::ModelChanged& changed) {
  write_user_text("<local-command-stdout>Set model to " + changed.model + "</local-command-stdout>",
                  "isReplay", "");
}

void ClaudeStream::write_status(std::string_view status, std::string_view result,
                                std::string_view error) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "status");
  write_nullable(json, "status", status);
  if (!result.empty()) json.field("compact_result", result);
  if (!error.empty()) json.field("compact_error", json_prefix(error, k_longest_reason));
  end_line(json, line);
}

void ClaudeStream::write_user_text(std::string_view text, std::string_view flag,
                                   std::string_view uuid) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "user").key("message").begin_object().field("role", "user");
  // Claude has a plain string here, which not every reader takes; blocks are read by all.
  json.key("content").begin_array().begin_object().field("type", "text");
  json.field("text", fit(text, k_payload, "summary", overflow_)).end_object().end_array();
  json.end_object();
  write_parent(json);
  json.field(flag, true);
  end_line(json, line, uuid);
}

void ClaudeStream::on(const core::CompactionStarted& /*started*/) {
  write_status("compacting", "", "");
}

void ClaudeStream::on(const core::Compacted& compacted) {
  write_status("", "success", "");
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "compact_boundary");
  write_compact_metadata(json, compacted);
  end_line(json, line, compacted.boundary_uuid);
  write_user_text(compacted.summary, "isSynthetic", compacted.summary_uuid);
  if (compacted.trigger == core::CompactionTrigger::manual) {
    write_user_text("<local-command-stdout>Compacted </local-command-stdout>", "isReplay", "");
  }
}

void ClaudeStream::on(const core::CompactionFailed& failed) {
  write_status("", "failed", failed.reason);
}

void ClaudeStream::on(const core::Notice& notice) {
  if (look_.notices_as_text) {
    write_synthetic(json_prefix(notice.text, k_longest_reason), std::nullopt, {});
    return;
  }
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "informational");
  json.field("content", json_prefix(notice.text, k_longest_reason)).field("level", "info");
  end_line(json, line);
}

}  // namespace yume::protocol
