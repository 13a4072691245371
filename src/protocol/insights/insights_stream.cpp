// SPDX-License-Identifier: MIT
#include "protocol/insights/insights_stream.h"

#include "protocol/insights/insights_fields.h"
#include "protocol/tool_kind.h"
#include "util/overloaded.h"

#include <utility>

namespace yume::protocol {
namespace {

// What is left of a line's limit once the other fields are in.
constexpr std::size_t k_payload = k_max_line_bytes - 20'000;
constexpr std::size_t k_longest_reason = 10'000;
// No escape makes more of a byte than six.
constexpr std::size_t k_surely_fits = k_payload / 6;

std::string_view kind_of(bool thinking) {
  return thinking ? "thinking" : "text";
}

}  // namespace

std::string_view to_string(InsightsProvider provider) {
  switch (provider) {
    case InsightsProvider::gemini:
      return "gemini";
    case InsightsProvider::claude:
      return "claude";
    case InsightsProvider::acp:
      break;
  }
  return "acp";
}

InsightsStream::InsightsStream(Output& output, OverflowStore& overflow,
                               const platform::Clock& clock, core::Address address,
                               InsightsProvider provider)
    : output_(output),
      overflow_(overflow),
      address_(std::move(address)),
      provider_(provider),
      ids_("evt"),
      times_(clock) {}

JsonWriter InsightsStream::begin(std::string_view event) {
  line_.clear();
  JsonWriter json(line_);
  json.begin_object().field("event", event).field("id", ids_.next());
  json.field("timestamp", times_.now()).field("provider", to_string(provider_));
  json.field("sessionId", address_.session_id);
  return json;
}

void InsightsStream::end(JsonWriter& json) {
  json.end_object();
  output_.line(line_);
}

void InsightsStream::on_event(const core::Event& event, platform::SteadyTime /*now*/) {
  // What goes on beside the conversation, and what another event says as well.
  using Unseen =
      PassOver<core::PromptMoved, core::UsageUpdated, core::ToolProgress, core::BackgroundStarted,
               core::BackgroundEnded, core::AgentProgress, core::PermissionRefused,
               core::HookStarted, core::HookEnded, core::StateChanged>;
  std::visit(Overloaded{
                 Unseen{},
                 [&](const core::TextDelta& delta) { add(Block::text, delta.text); },
                 [&](const core::ThoughtDelta& delta) { add(Block::thinking, delta.text); },
                 [&](const core::CompactionStarted&) { write_status("compacting"); },
                 [&](const core::SessionStarted& started) { on(started); },
                 [&](const core::PromptTaken& taken) { on(taken); },
                 [&](const core::MessageStarted& started) { on(started); },
                 [&](const core::BlockDone& done) { on(done); },
                 [&](const core::ToolCallStarted& started) { on(started); },
                 [&](const core::ToolArgsDelta& delta) { on(delta); },
                 [&](const core::ToolCallReady& ready) { on(ready); },
                 [&](const core::ToolFinished& finished) { on(finished); },
                 [&](const core::AgentStarted& started) { on(started); },
                 [&](const core::AgentEnded& ended) { on(ended); },
                 [&](const core::ConversationReset& reset) { on(reset); },
                 [&](const core::ModeChanged& changed) { on(changed); },
                 [&](const core::ModelChanged& changed) { on(changed); },
                 [&](const core::MessageDone& done) { on(done); },
                 [&](const core::RetryScheduled& retry) { on(retry); },
                 [&](const core::Compacted& compacted) { on(compacted); },
                 [&](const core::CompactionFailed& failed) { on(failed); },
                 [&](const core::Notice& notice) { on(notice); },
                 [&](const core::TurnDone& done) { on(done); },
             },
             event);
}

// Once for a session, and again when something of it has changed.
void InsightsStream::on(const core::SessionStarted& started) {
  close();
  address_.session_id = started.session_id;
  model_ = started.model;
  std::string about;
  JsonWriter facts(about);
  facts.begin_object();
  write_session(facts, started);
  facts.end_object();
  if (std::exchange(session_, about) == about) return;
  JsonWriter json = begin("session_init");
  write_session(json, started);
  end(json);
}

void InsightsStream::on(const core::PromptTaken& taken) {
  close();
  JsonWriter json = begin("user_input");
  json.field("text", fit(taken.message.text(), k_payload / 2, "prompt", overflow_));
  write_images(json, taken.message, k_payload / 2);
  end(json);
}

void InsightsStream::write_marker(std::string_view kind) {
  JsonWriter json = begin("stream_delta");
  if (!address_.parent_call_id.empty()) json.field("parentCallId", address_.parent_call_id);
  json.field("kind", kind);
  end(json);
}

void InsightsStream::write_block_marker(std::string_view kind, std::string_view call_id) {
  JsonWriter json = begin("stream_delta");
  if (!address_.parent_call_id.empty()) json.field("parentCallId", address_.parent_call_id);
  json.field("kind", kind).field("blockIndex", block_index_);
  if (!call_id.empty()) json.field("callId", call_id);
  end(json);
}

void InsightsStream::on(const core::MessageStarted& started) {
  close();
  if (!started.model.empty()) model_ = started.model;
  message_open_ = true;
  block_index_ = 0;
  write_marker("messageStart");
}

void InsightsStream::add(Block block, std::string_view text) {
  if (text.empty()) return;
  open(block);
  block_text_ += text;
  if (text.size() <= k_surely_fits) {
    write_piece(kind_of(block == Block::thinking), text);
  } else {
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view piece = json_prefix(rest, k_payload);
      write_piece(kind_of(block == Block::thinking), piece);
      rest.remove_prefix(piece.size());
    }
  }
  // Nobody has to hold a long text as a whole.
  while (block_text_.size() > k_payload) {
    const std::size_t size = json_prefix(block_text_, k_payload).size();
    write_text(kind_of(open_ == Block::thinking), std::string_view(block_text_).substr(0, size));
    block_text_.erase(0, size);
  }
}

void InsightsStream::open(Block block) {
  if (open_ == block) return;
  close();
  open_ = block;
  write_block_marker("blockStart");
}

void InsightsStream::write_piece(std::string_view kind, std::string_view text) {
  JsonWriter json = begin("stream_delta");
  if (!address_.parent_call_id.empty()) json.field("parentCallId", address_.parent_call_id);
  json.field("kind", kind).field("textDelta", text).field("blockIndex", block_index_);
  end(json);
}

void InsightsStream::write_text(std::string_view kind, std::string_view text) {
  JsonWriter json = begin("text");
  json.field("text", text).field("kind", kind);
  if (!address_.parent_call_id.empty()) json.field("parentCallId", address_.parent_call_id);
  if (!model_.empty()) json.field("model", model_);
  end(json);
}

// The first line's worth of a long one was written when it was there (add).
void InsightsStream::on(const core::BlockDone& done) {
  if (done.extent == core::BlockDone::Extent::all) close();
}

void InsightsStream::close() {
  if (arguments_open_) {
    arguments_open_ = false;
    write_block_marker("blockStop", argument_call_);
    ++block_index_;
  }
  if (open_ == Block::none) return;
  const bool thinking = std::exchange(open_, Block::none) == Block::thinking;
  write_block_marker("blockStop");
  ++block_index_;
  for (std::string_view rest = block_text_; !rest.empty();) {
    const std::string_view piece = json_prefix(rest, k_payload);
    write_text(kind_of(thinking), piece);
    rest.remove_prefix(piece.size());
  }
  block_text_.clear();
}

void InsightsStream::on(const core::ToolCallStarted& started) {
  close();
  arguments_open_ = true;
  argument_call_ = started.id;
  write_block_marker("blockStart", started.id);
}

void InsightsStream::on(const core::ToolArgsDelta& delta) {
  for (std::string_view rest = delta.json; !rest.empty();) {
    const std::string_view piece = json_prefix(rest, k_payload);
    JsonWriter json = begin("stream_delta");
    json.field("kind", "toolInput").field("jsonDelta", piece).field("blockIndex", block_index_);
    json.field("callId", argument_call_);
    end(json);
    rest.remove_prefix(piece.size());
  }
}

void InsightsStream::on(const core::ToolCallReady& ready) {
  close();
  const core::ToolCall& call = ready.call;
  if (write_plan(call)) return;
  JsonWriter json = begin("tool_invocation");
  json.field("callId", call.id);
  if (!address_.parent_call_id.empty()) json.field("parentCallId", address_.parent_call_id);
  json.field("kind", tool_kind(call.name)).field("toolName", call.name);
  json.field("input", fit_input(object_input(call.input), k_payload / 2).shown);
  write_locations(json, call);
  if (!model_.empty()) json.field("model", model_);
  end(json);
}

bool InsightsStream::write_plan(const core::ToolCall& call) {
  if (provider_ != InsightsProvider::acp || call.name != "TodoWrite") return false;
  plan_call_ = call.id;
  JsonWriter json = begin("text");
  write_plan_fields(json, call.input, k_payload / 2);
  end(json);
  return true;
}

void InsightsStream::on(const core::ToolFinished& finished) {
  close();
  if (!plan_call_.empty() && finished.call.id == plan_call_) return;
  const core::ToolOutcome& outcome = finished.outcome;
  const bool refused = std::holds_alternative<core::CallRejected>(outcome.details);
  JsonWriter json = begin("tool_completion");
  json.field("callId", finished.call.id);
  json.field("status", refused ? "cancelled" : outcome.is_error ? "failed" : "completed");
  json.field("output", fit(outcome.content, k_payload / 2, finished.call.id, overflow_));
  if (outcome.is_error) json.field("isError", true);
  write_locations(json, finished.call);
  write_diff(json, outcome.details, k_payload / 4);
  end(json);
}

void InsightsStream::on(const core::AgentStarted& started) {
  close();
  JsonWriter json = begin("subagent_spawn");
  json.field("callId", started.call_id).field("agentType", started.type);
  json.field("description", json_prefix(started.description, k_longest_reason));
  end(json);
}

void InsightsStream::on(const core::AgentEnded& ended) {
  close();
  JsonWriter json = begin("subagent_complete");
  json.field("callId", ended.call_id).field("agentId", ended.agent_id);
  json.field("status", status_name(ended.status));
  json.field("summary", json_prefix(ended.summary, k_longest_reason));
  end(json);
}

void InsightsStream::on(const core::ConversationReset& reset) {
  close();
  JsonWriter json = begin("context_compaction");
  json.field("trigger", "cleared");
  end(json);
  address_.session_id = reset.new_session_id;
}

void InsightsStream::on(const core::ModeChanged& changed) {
  JsonWriter json = begin("session_mode");
  write_modes(json, changed.mode);
  end(json);
}

void InsightsStream::on(const core::ModelChanged& changed) {
  model_ = changed.model;
  JsonWriter json = begin("config_options");
  write_model_option(json, changed.model);
  end(json);
}

void InsightsStream::on(const core::MessageDone& done) {
  close();
  if (std::exchange(message_open_, false)) write_marker("messageStop");
  if (done.usage.empty()) return;
  JsonWriter json = begin("usage_update");
  write_step_usage(json, done.usage);
  end(json);
}

// The only state of a session that is neither its end nor an error.
void InsightsStream::on(const core::RetryScheduled& retry) {
  write_status("resuming", "Attempt " + std::to_string(retry.attempt) + " of " +
                               std::to_string(retry.max_retries) +
                               " failed, and is repeated: " + retry.reason);
}

void InsightsStream::on(const core::Compacted& compacted) {
  JsonWriter json = begin("context_compaction");
  json.field("trigger", core::name_of(compacted.trigger)).field("preTokens", compacted.pre_tokens);
  json.field("summary", json_prefix(compacted.summary, k_payload));
  end(json);
}

void InsightsStream::on(const core::CompactionFailed& failed) {
  write_status("error", "The conversation could not be compacted: " + failed.reason);
}

void InsightsStream::on(const core::Notice& notice) {
  write_status("error", notice.text);
}

void InsightsStream::write_status(std::string_view status, std::string_view message) {
  JsonWriter json = begin("session_status");
  json.field("status", status);
  if (!message.empty()) json.field("message", json_prefix(message, k_payload));
  end(json);
}

void InsightsStream::write_error_text(std::string_view text) {
  write_text("error", json_prefix(text, k_payload));
}

void InsightsStream::write_permission_request(std::string_view request_id,
                                              const core::MayRun& question, const RawJson& shown) {
  JsonWriter json = begin("permission_request");
  json.field("requestId", request_id).field("toolName", question.call.name);
  json.field("toolKind", tool_kind(question.call.name)).field("toolInput", shown);
  json.field("toolUseId", question.call.id);
  if (!question.reason.empty()) {
    json.field("reason", json_prefix(question.reason, k_longest_reason));
  }
  write_suggestions(json, question.suggestions);
  end(json);
}

// There is no event for it: it is asked as a call that asks.
void InsightsStream::write_elicitation(std::string_view request_id, const core::Elicit& question) {
  std::string input;
  JsonWriter fields(input);
  fields.begin_object().field("server", question.server).field("mode", question.mode);
  fields.field("message", json_prefix(question.message, k_payload / 4));
  if (!question.url.empty()) fields.field("url", question.url);
  if (!question.schema.text.empty()) fields.field("requestedSchema", question.schema);
  fields.end_object();
  JsonWriter json = begin("permission_request");
  json.field("requestId", request_id).field("toolName", "elicitation").field("toolKind", "ask");
  json.field("toolInput", fit_input({input}, k_payload).shown);
  end(json);
}

void InsightsStream::on(const core::TurnDone& done) {
  const bool answered = done.is_local_command && done.outcome == core::TurnOutcome::success;
  if (answered && !done.compacted) add(Block::text, done.text);
  close();
  if (std::exchange(message_open_, false)) write_marker("messageStop");
  if (done.outcome == core::TurnOutcome::interrupted) write_status("interrupted");
  write_result(done);
}

void InsightsStream::write_result(const core::TurnDone& done) {
  const InsightsEnd how = insights_end(done, provider_);
  const std::string text = fit(done.text, k_payload / 4, "result", overflow_);
  JsonWriter json = begin("turn_complete");
  if (how.is_error) json.field("isError", true);
  json.field("subtype", how.subtype);
  if (how.is_error && !text.empty()) json.key("errors").begin_array().string(text).end_array();
  if (!how.is_error) json.field("result", text);
  write_turn_figures(json, done);
  end(json);
}

}  // namespace yume::protocol
