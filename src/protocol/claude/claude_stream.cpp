// SPDX-License-Identifier: MIT
#include "protocol/claude/claude_stream.h"

#include "core/tool_names.h"
#include "protocol/claude/mcp_lines.h"
#include "protocol/claude/tool_details.h"
#include "protocol/claude/words.h"
#include "protocol/result_fields.h"
#include "util/ascii.h"
#include "util/uuid.h"

#include <algorithm>
#include <utility>

namespace yume::protocol {
namespace {

using core::TurnOutcome;

// Anthropic's blocks for what is not text.
void write_media(JsonWriter& json, const std::vector<core::Media>& media) {
  json.begin_array();
  for (const core::Media& one : media) {
    json.begin_object().field("type", "image").key("source").begin_object();
    json.field("type", "base64").field("data", one.base64).field("media_type", one.mime_type);
    json.end_object().end_object();
  }
  json.end_array();
}

void write_strings(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.string(text);
  json.end_array();
}

bool fits(const std::vector<core::Media>& media) {
  std::size_t bytes = 0;
  for (const core::Media& one : media) bytes += one.base64.size();
  return bytes < k_payload;
}

// What a server's tool brought back; empty when it is something else, or too long for a line.
std::string returned_blocks(const core::ToolOutcome& outcome) {
  std::string text;
  const auto* returned = std::get_if<core::BlocksReturned>(&outcome.details);
  if (returned == nullptr || returned->blocks.empty() || !fits(outcome.media)) return text;
  JsonWriter json(text);
  write_blocks(json, *returned);
  if (text.size() >= k_payload) text.clear();
  return text;
}

std::string_view stop_name(core::StopReason stop) {
  switch (stop) {
    case core::StopReason::end_turn:
      return "end_turn";
    case core::StopReason::tool_use:
      return "tool_use";
    case core::StopReason::max_tokens:
      return "max_tokens";
    case core::StopReason::refusal:
      return "refusal";
    case core::StopReason::aborted:
      break;
  }
  return "";
}

std::string_view subtype(TurnOutcome outcome) {
  switch (outcome) {
    // An API failure is a "success" with is_error, as Claude reports it; its text is the result.
    case TurnOutcome::success:
    case TurnOutcome::failed:
      return "success";
    case TurnOutcome::max_turns:
      return "error_max_turns";
    case TurnOutcome::max_budget:
      return "error_max_budget_usd";
    case TurnOutcome::no_structured_output:
      return "error_max_structured_output_retries";
    case TurnOutcome::stuck:
    case TurnOutcome::timed_out:
    case TurnOutcome::interrupted:
    case TurnOutcome::rejected:
      break;
  }
  return "error_during_execution";
}

std::string_view terminal_reason(const core::TurnDone& done) {
  switch (done.outcome) {
    case TurnOutcome::success:
      return done.stopped_by_hook ? "hook_stopped" : "completed";
    case TurnOutcome::failed:
      return "api_error";
    case TurnOutcome::max_turns:
      return "max_turns";
    case TurnOutcome::max_budget:
      return "budget_exhausted";
    case TurnOutcome::interrupted:
      return done.interrupted_in_tool ? "aborted_tools" : "aborted_streaming";
    case TurnOutcome::timed_out:
      return "timeout";
    case TurnOutcome::no_structured_output:
    case TurnOutcome::stuck:
    case TurnOutcome::rejected:
      break;
  }
  return "";
}

bool mentions_compact(const std::string& text) {
  return ascii_lower(text).find("compact") != std::string::npos;
}

// Claude lists the tool of subagents by its old name and calls it by the new one.
std::vector<std::string> listed(std::vector<std::string> tools) {
  std::replace(tools.begin(), tools.end(), std::string(core::k_agent_tool),
               std::string(core::k_old_agent_tool));
  return tools;
}

}  // namespace

ClaudeStream::ClaudeStream(Output& output, OverflowStore& overflow, core::Address address,
                           ClaudeLook look, StreamAgent agent)
    : output_(output),
      overflow_(overflow),
      address_(std::move(address)),
      look_(look),
      agent_(std::move(agent)),
      events_(look.partial == PartialMessages::yes, [this](JsonWriter& json, std::string& line) {
        write_parent(json);
        end_line(json, line);
      }) {}

void ClaudeStream::on_event(const core::Event& event, platform::SteadyTime /*now*/) {
  std::visit([this](const auto& what) { on(what); }, event);
}

void ClaudeStream::end_line(JsonWriter& json, std::string& line, std::string_view uuid) {
  json.field("session_id", address_.session_id);
  json.field("uuid", uuid.empty() ? make_uuid() : std::string(uuid)).end_object();
  output_.line(line);
}

void ClaudeStream::write_parent(JsonWriter& json) const {
  const std::string& parent = address_.parent_call_id;
  write_nullable(json, "parent_tool_use_id", parent.empty() ? parent : call_id(parent));
}

void ClaudeStream::write_speaker(JsonWriter& json) const {
  write_parent(json);
  if (agent_.id.empty()) return;
  json.field("agent_id", agent_.id).field("subagent_type", agent_.type);
  json.field("task_description", agent_.description);
}

std::string_view ClaudeStream::shown_tool(std::string_view name) const {
  return look_.hides_subagents && name == core::k_agent_tool ? core::k_old_agent_tool : name;
}

void ClaudeStream::on(const core::SessionStarted& started) {
  address_.session_id = started.session_id;
  context_ = started.context;
  prompt_uuids_.clear();
  prompt_uuid_.clear();
  replied_ = false;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "system").field("subtype", "init");
  json.field("cwd", started.cwd);
  write_strings(json, "tools", listed(started.tools));
  write_servers(json, started.mcp_servers);
  json.field("model", started.model).field("permissionMode", core::to_string(started.mode));
  write_strings(json, "slash_commands", started.slash_commands);
  json.field("apiKeySource", started.credential_source);
  json.field("claude_code_version", k_claude_code_version).field("output_style", "default");
  write_strings(json, "agents", started.agents);
  write_strings(json, "skills", started.skills);
  write_strings(json, "plugins", {});
  end_line(json, line);
}

void ClaudeStream::on(const core::MessageStarted& started) {
  message_id_ = started.message_id;
  model_ = started.model;
  events_.begin_message(started, usage_);
}

void ClaudeStream::on(const core::ToolCallStarted& started) {
  close_block();
  events_.begin_call(started.id, started.name);
}

void ClaudeStream::on(const core::ToolArgsDelta& delta) {
  events_.arguments(delta.json);
}

void ClaudeStream::on(const core::UsageUpdated& updated) {
  usage_ = updated.usage;
  if (!usage_.empty()) context_ = usage_;
}

void ClaudeStream::on(const core::ToolFinished& finished) {
  const core::ToolOutcome& outcome = finished.outcome;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "user").key("message").begin_object().field("role", "user");
  json.key("content").begin_array().begin_object().field("type", "tool_result");
  json.field("tool_use_id", call_id(finished.call.id));
  const std::string blocks = returned_blocks(outcome);
  if (outcome.media_is_content && fits(outcome.media)) {
    write_media(json.key("content"), outcome.media);
  } else if (!blocks.empty()) {
    json.key("content").raw(blocks);
  } else {
    write_content(finished, json);
  }
  if (outcome.is_error || outcome.reports_success) json.field("is_error", outcome.is_error);
  json.end_object().end_array().end_object();
  write_speaker(json);
  // Left out rather than cut when both would not fit: it repeats the content in another form.
  const bool of_subagent = !address_.parent_call_id.empty();
  if (!of_subagent && line.size() + core::text_size(outcome.details) < k_payload) {
    const std::size_t before = line.size();
    write_tool_use_result(json, "tool_use_result", outcome);
    if (line.size() >= k_payload) line.resize(before);
  }
  end_line(json, line, finished.uuid);
}

void ClaudeStream::write_content(const core::ToolFinished& finished, JsonWriter& json) {
  const core::ToolOutcome& outcome = finished.outcome;
  const std::string text = fit(outcome.content, k_payload, finished.call.id, overflow_);
  const auto* agent = std::get_if<core::AgentFinished>(&outcome.details);
  if (agent == nullptr) {
    json.field("content", text);
    return;
  }
  json.key("content").begin_array();
  for (const std::string& block : {text, agent_trailer(*agent)}) {
    json.begin_object().field("type", "text").field("text", block).end_object();
  }
  json.end_array();
}

void ClaudeStream::on(const core::MessageDone& done) {
  usage_ = done.usage;
  if (!usage_.empty()) context_ = usage_;
  close_block();
  events_.end_message(stop_name(done.stop), done.usage);
}

void ClaudeStream::on(const core::TurnDone& done) {
  const bool interrupted = done.outcome == TurnOutcome::interrupted;
  close_block(/*aborted=*/interrupted || done.outcome == TurnOutcome::timed_out);
  events_.end_message("", usage_);
  write_reason(done);
  if (interrupted) write_interrupt_marker(done);
  write_result(done);
}

// What a line of its own has not said yet: why a turn failed, or what a command answered.
void ClaudeStream::write_reason(const core::TurnDone& done) {
  const bool failed = done.outcome == TurnOutcome::failed;
  const bool answered = done.is_local_command && done.outcome == TurnOutcome::success;
  const bool stopped = core::at_limit(done.outcome) || done.outcome == TurnOutcome::rejected;
  if (failed || (stopped && look_.reasons_as_text)) {
    write_synthetic(fit(done.text, k_payload / 2, "error", overflow_), done.failure,
                    done.closing_uuid);
  } else if (answered && !done.compacted && !done.text.empty()) {
    write_synthetic(done.text, std::nullopt, {});
  }
}

void ClaudeStream::write_synthetic(std::string_view text, std::optional<core::FailureKind> failure,
                                   std::string_view uuid) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "assistant").key("message").begin_object();
  json.field("id", make_uuid()).field("type", "message").field("role", "assistant");
  json.field("model", "<synthetic>").key("content").begin_array().begin_object();
  json.field("type", "text").field("text", text);
  if (look_.ids_on_blocks) json.field("id", make_uuid());
  json.end_object().end_array();
  json.field("stop_reason", "stop_sequence").field("stop_sequence", "");
  write_usage(json, shown(core::Usage{}));
  json.end_object();
  write_parent(json);
  if (failure) json.field("error", error_name(*failure));
  end_line(json, line, uuid);
  if (look_.result_repeats_last_text) last_text_ = text;
}

// Zeros would read as a compaction where they are taken for the size of the context.
core::Usage ClaudeStream::shown(const core::Usage& usage) const {
  if (!look_.usage_is_context || !usage.empty()) return usage;
  return context_.empty() ? core::Usage{.prompt_tokens = 1} : context_;
}

core::Usage ClaudeStream::result_usage(const core::TurnDone& done) const {
  // Hosts know a finished compaction by its zeros; modelUsage has what it cost.
  if (done.compacted) return {};
  if (!look_.usage_is_context) return done.total;
  return shown(done.context.empty() ? done.last_request : done.context);
}

std::string ClaudeStream::result_text(const core::TurnDone& done) const {
  if (done.compacted) return "";  // as Claude's own answer to /compact
  if (look_.hides_the_word_compact && mentions_compact(done.text)) return "";
  if (look_.result_repeats_last_text && done.text != last_text_) return "";
  return fit(done.text, k_payload / 2, "result", overflow_);
}

std::vector<core::ToolCall> ClaudeStream::tagged(std::vector<core::ToolCall> calls) const {
  for (core::ToolCall& call : calls) call.id = call_id(call.id);
  return calls;
}

std::string ClaudeStream::call_id(const std::string& id) const {
  if (!look_.tags_calls) return id;
  return id + "_" + address_.session_id.substr(0, address_.session_id.find('-'));
}

void ClaudeStream::write_interrupt_marker(const core::TurnDone& done) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "user").key("message").begin_object().field("role", "user");
  json.key("content").begin_array().begin_object().field("type", "text");
  json.field("text", core::interrupt_marker(done));
  json.end_object().end_array().end_object();
  write_parent(json);
  end_line(json, line, done.closing_uuid);
}

void ClaudeStream::write_result(const core::TurnDone& done) {
  const bool failed = done.outcome == TurnOutcome::failed && !look_.reasons_as_text;
  const bool as_success = failed || done.outcome == TurnOutcome::success;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "result");
  json.field("subtype", look_.reasons_as_text && !as_success ? "error_during_execution"
                                                             : subtype(done.outcome));
  json.field("is_error", done.outcome != TurnOutcome::success);
  json.field("duration_ms", static_cast<std::int64_t>(done.duration.count()));
  json.field("duration_api_ms", static_cast<std::int64_t>(done.api_duration.count()));
  json.field("num_turns", done.num_turns);
  if (as_success) {
    json.field("result", result_text(done));
    json.key("api_error_status");
    if (done.http_status == 0) {
      json.null();
    } else {
      json.integer(done.http_status);
    }
  }
  const bool local = done.is_local_command;
  write_nullable(json, "stop_reason", failed ? "stop_sequence" : local ? "" : stop_name(done.stop));
  json.key("total_cost_usd").number(total_cost(done.by_model));
  if (!look_.reasons_as_text || done.outcome != TurnOutcome::rejected || !context_.empty()) {
    write_usage(json, result_usage(done));
  }  // else no session was opened, and how large it is nobody knows
  write_model_usage(json, done.by_model);
  write_denials(json, tagged(done.denials));
  write_files_written(json, done.files_written);
  // Left out rather than cut where the line has no room for it twice.
  if (done.structured_output && done.structured_output->text.size() < k_payload / 3) {
    json.field("structured_output", *done.structured_output);
  }
  if (!as_success) {
    const bool interrupted = done.outcome == TurnOutcome::interrupted;
    json.key("errors").begin_array();
    json.string(interrupted ? std::string_view("Request interrupted by user")
                            : json_prefix(done.text, k_longest_reason));
    json.end_array();
  }
  if (const std::string_view reason = terminal_reason(done); !reason.empty()) {
    json.field("terminal_reason", reason);
  }
  if (!done.session_saved) json.field("session_saved", false);
  write_prompt_uuids(json);
  end_line(json, line);
}

}  // namespace yume::protocol
