// SPDX-License-Identifier: MIT
#include "protocol/acp/acp_session.h"

#include "jsonrpc/codec.h"
#include "protocol/acp/tool_view.h"
#include "protocol/acp/turn_end.h"
#include "protocol/acp/words.h"
#include "util/overloaded.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace yume::protocol {

class AcpSession::Update {
 public:
  Update(AcpSession& session, std::string_view kind) : output_(session.output_.lines) {
    json_.begin_object().field("jsonrpc", "2.0").field("method", "session/update");
    json_.key("params").begin_object().field("sessionId", session.id_);
    json_.key("update").begin_object().field("sessionUpdate", kind);
  }
  ~Update() {
    json_.end_object().end_object().end_object();
    output_.line(line_);
  }
  Update(const Update&) = delete;
  Update& operator=(const Update&) = delete;
  JsonWriter* operator->() { return &json_; }
  JsonWriter& operator*() { return json_; }

 private:
  Output& output_;
  std::string line_;
  JsonWriter json_{line_};
};

namespace {

constexpr std::string_view k_message = "agent_message_chunk";
constexpr std::string_view k_thought = "agent_thought_chunk";
constexpr std::string_view k_prompt = "user_message_chunk";

void write_parent(JsonWriter& json, const std::string& parent_call_id) {
  if (parent_call_id.empty()) return;
  json.key("_meta").begin_object().key("yume").begin_object();
  json.field("parentToolCallId", parent_call_id).end_object().end_object();
}

}  // namespace

void AcpSession::on_event(const core::Event& event, const std::string& parent_call_id) {
  const bool own = parent_call_id.empty();
  // Clients have no place for what goes on beside the conversation.
  using Unseen =
      PassOver<core::SessionStarted, core::BlockDone, core::UsageUpdated, core::ToolCallStarted,
               core::ToolArgsDelta, core::BackgroundStarted, core::BackgroundEnded,
               core::AgentStarted, core::AgentProgress, core::AgentEnded, core::PermissionRefused,
               core::HookStarted, core::HookEnded, core::ConversationReset, core::StateChanged,
               core::MessageDone, core::CompactionStarted, core::Compacted>;
  std::visit(Overloaded{
                 Unseen{},
                 [&](const core::PromptTaken& taken) {
                   if (own) on(taken);
                 },
                 [&](const core::PromptMoved& moved) { on(moved); },
                 [&](const core::MessageStarted& started) {
                   if (own) message_id_ = started.message_id;
                 },
                 [&](const core::TextDelta& delta) {
                   if (own) write_chunks(k_message, delta.text);
                 },
                 [&](const core::ThoughtDelta& delta) {
                   if (own) write_chunks(k_thought, delta.text);
                 },
                 [&](const core::ToolCallReady& ready) { on(ready, parent_call_id); },
                 [&](const core::ToolFinished& finished) { on(finished, parent_call_id); },
                 [&](const core::ToolProgress& progress) {
                   if (own && !is_acp_plan(progress.tool_name)) on(progress);
                 },
                 [&](const core::ModeChanged& changed) {
                   if (changed.mode == choices_.mode) return;
                   choices_.mode = changed.mode;
                   tell_mode();
                   tell_options();
                 },
                 [&](const core::ModelChanged& changed) {
                   if (changed.model == choices_.model) return;
                   choices_.model = changed.model;
                   tell_options();
                 },
                 [&](const core::RetryScheduled& retry) { on(retry); },
                 [&](const core::CompactionFailed& failed) {
                   note("warning", "The conversation could not be compacted: " + failed.reason);
                 },
                 [&](const core::Notice& notice) { note("warning", notice.text); },
                 [&](const core::TurnDone& done) {
                   if (own) on(done);
                 },
             },
             event);
}

// Only what was said before comes with its text: a client knows what it has sent.
void AcpSession::on(const core::PromptTaken& taken) {
  message_id_ = taken.uuid;
  for (const core::UserBlock& block : taken.message.blocks) {
    if (const auto* media = std::get_if<core::Media>(&block)) {
      const bool fits = media->base64.size() <= acp::k_line_payload;
      if (!fits || !media->mime_type.starts_with("image/")) {
        write_chunks(k_prompt, "[" + media->mime_type + "]");
        continue;
      }
      Update update(*this, k_prompt);
      update->key("content").begin_object().field("type", "image").field("data", media->base64);
      update->field("mimeType", media->mime_type).end_object();
    } else {
      write_chunks(k_prompt, std::get<std::string>(block));
    }
  }
}

void AcpSession::on(const core::PromptMoved& moved) {
  using State = core::PromptMoved::State;
  const auto found = std::find_if(prompts_.begin(), prompts_.end(), [&](const OpenPrompt& prompt) {
    return prompt.uuid == moved.uuid;
  });
  if (found == prompts_.end()) return;
  if (moved.state == State::started) found->started = true;
  if (moved.state != State::cancelled || found->started) return;
  answer(found->request, RawJson{R"({"stopReason":"cancelled"})"});
  prompts_.erase(found);
}

void AcpSession::on(const core::ToolCallReady& ready, const std::string& parent_call_id) {
  if (is_acp_plan(ready.call.name)) return;
  Update update(*this, "tool_call");
  update->field("toolCallId", acp_call_id(ready.call)).field("name", ready.call.name);
  update->field("status", "pending");
  write_acp_call(*update, {.call = ready.call, .cwd = cwd_});
  write_parent(*update, parent_call_id);
}

void AcpSession::on(const core::ToolFinished& finished, const std::string& parent_call_id) {
  if (is_acp_plan(finished.call.name)) {
    const auto* changed = std::get_if<core::TodosChanged>(&finished.outcome.details);
    if (changed != nullptr && parent_call_id.empty()) write_plan(changed->after);
    return;
  }
  const std::string call_id = acp_call_id(finished.call);
  const auto shown = terminals_.extract(call_id);
  Update update(*this, "tool_call_update");
  update->field("toolCallId", call_id);
  write_acp_outcome(*update,
                    {.call = finished.call,
                     .outcome = finished.outcome,
                     .cwd = cwd_,
                     .terminal_id = shown.empty() ? std::string_view() : shown.mapped()},
                    output_.overflow);
  write_parent(*update, parent_call_id);
}

// A terminal must be shown before it is released; then the client keeps what it showed.
void AcpSession::on(const core::ToolProgress& progress) {
  const std::string call_id =
      acp_call_id({.id = progress.call_id, .name = progress.tool_name, .input = {}});
  if (progress.terminal_id.empty()) return tell_running(call_id);
  terminals_[call_id] = progress.terminal_id;
  Update update(*this, "tool_call_update");
  update->field("toolCallId", call_id).field("status", "in_progress");
  update->key("content").begin_array();
  write_acp_terminal(*update, progress.terminal_id);
  update->end_array();
}

void AcpSession::tell_running(std::string_view call_id) {
  Update update(*this, "tool_call_update");
  update->field("toolCallId", call_id).field("status", "in_progress");
}

void AcpSession::on(const core::RetryScheduled& retry) {
  if (!output_.takes_notices) return;
  const auto seconds = std::to_string((retry.delay.count() + 999) / 1000);
  note("warning", retry.reason + " (trying again in " + seconds + " s)");
}

void AcpSession::write_chunks(std::string_view kind, std::string_view text) {
  while (!text.empty()) {
    const std::string_view piece = json_prefix(text, acp::k_line_payload);
    Update update(*this, kind);
    update->key("content").begin_object().field("type", "text").field("text", piece).end_object();
    if (!message_id_.empty()) update->field("messageId", message_id_);
    text.remove_prefix(piece.size());
  }
}

void AcpSession::write_plan(const std::vector<core::Todo>& todos) {
  Update update(*this, "plan");
  update->key("entries").begin_array();
  for (const core::Todo& todo : todos) {
    update->begin_object().field("content", todo.content).field("priority", "medium");
    update->field("status", core::to_string(todo.status)).end_object();
  }
  update->end_array();
}

// Where a client has no notices, they are thoughts: seen, and not taken for the answer.
void AcpSession::note(std::string_view severity, std::string_view text) {
  if (!output_.takes_notices) return write_chunks(k_thought, std::string(text) + "\n");
  Update update(*this, "notice");
  update->field("severity", severity).field("title", json_prefix(text, acp::k_line_payload));
}

void AcpSession::on(const core::TurnDone& done) {
  message_id_.clear();
  write_chunks(k_message, acp_closing_text(done));
  write_usage(done);
  std::vector<OpenPrompt> waiting;
  for (OpenPrompt& prompt : prompts_) {
    if (prompt.started) {
      answer(prompt.request, acp_turn_reply(done));
    } else {
      waiting.push_back(std::move(prompt));
    }
  }
  prompts_ = std::move(waiting);
}

void AcpSession::write_usage(const core::TurnDone& done) {
  const auto model = done.by_model.find(choices_.model);
  const std::int64_t used = done.context.prompt_tokens + done.context.billed_output();
  if (used == 0 || model == done.by_model.end() || model->second.context_window == 0) return;
  Update update(*this, "usage_update");
  update->field("used", used).field("size", model->second.context_window);
  const double cost = core::total_cost_usd(done.by_model);
  if (!std::isfinite(cost) || cost <= 0) return;
  update->key("cost").begin_object().key("amount").number(cost).field("currency", "USD");
  update->end_object();
}

void AcpSession::queue_prompt(jsonrpc::Id request, std::string uuid) {
  prompts_.push_back({.request = std::move(request), .uuid = std::move(uuid)});
}

void AcpSession::cancel_prompts() {
  for (const OpenPrompt& prompt : prompts_) {
    answer(prompt.request, RawJson{R"({"stopReason":"cancelled"})"});
  }
  prompts_.clear();
}

void AcpSession::tell_mode() {
  Update(*this, "current_mode_update")->field("currentModeId", core::to_string(choices_.mode));
}

void AcpSession::tell_options() {
  Update update(*this, "config_option_update");
  update->key("configOptions");
  write_config_options(*update, choices_);
}

void AcpSession::tell_commands(const std::vector<core::SlashCommandInfo>& commands) {
  Update update(*this, "available_commands_update");
  update->key("availableCommands").begin_array();
  for (const core::SlashCommandInfo& command : commands) {
    update->begin_object().field("name", command.name).field("description", command.description);
    if (!command.argument_hint.empty()) {
      update->key("input").begin_object().field("hint", command.argument_hint).end_object();
    }
    update->end_object();
  }
  update->end_array();
}

void AcpSession::answer(const jsonrpc::Id& request, const jsonrpc::Reply& reply) {
  output_.lines.line(jsonrpc::encode(jsonrpc::Response{.id = request, .reply = reply}));
}

}  // namespace yume::protocol
