// SPDX-License-Identifier: MIT
#include "support/event_text.h"

#include "support/enum_name.h"
#include "util/overloaded.h"

#include "protocol/claude/tool_details.h"

namespace yume::test {
namespace {

std::string number(auto value) {
  return std::to_string(value);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

}  // namespace

std::string text_of(const core::Usage& usage) {
  return number(usage.prompt_tokens) + "/" + number(usage.cached_tokens) + "/" +
         number(usage.output_tokens) + "/" + number(usage.thought_tokens) +
         (usage.estimated ? "~" : "");
}

std::string text_of(const core::ToolCall& call) {
  return call.name + "#" + call.id + call.input.text;
}

std::string details_text(const core::ToolOutcome& outcome) {
  std::string text;
  JsonWriter json(text);
  constexpr std::string_view k_prefix = "\"details\":";
  protocol::write_tool_use_result(json, "details", outcome);
  return text.empty() ? text : text.substr(k_prefix.size());
}

std::string text_of(const core::ToolOutcome& outcome) {
  std::string text = outcome.is_error ? "error: " : outcome.reports_success ? "good: " : "ok: ";
  text += outcome.content;
  if (const std::string details = details_text(outcome); !details.empty()) text += " | " + details;
  if (!outcome.model_note.empty()) text += " ~ " + outcome.model_note;
  return text;
}

std::string text_of(const core::Decision& decision) {
  if (const auto* deny = std::get_if<core::Deny>(&decision)) return "deny: " + deny->message;
  if (const auto* ask = std::get_if<core::Ask>(&decision)) return "ask: " + ask->message;
  return "allow";
}

std::string text_of(const core::TurnDone& done) {
  std::string text = "turn " + enum_name(done.outcome) + " \"" + done.text + "\"";
  text += " stop=" + enum_name(done.stop) + " turns=" + number(done.num_turns);
  text += " last=" + text_of(done.last_request) + " total=" + text_of(done.total);
  if (done.failure != core::FailureKind::none) {
    text += " kind=" + enum_name(done.failure);
  }
  if (done.http_status != 0) text += " http=" + number(done.http_status);
  if (done.max_turns != 0) text += " max=" + number(done.max_turns);
  if (done.interrupted_in_tool) text += " in-tool";
  if (done.anything_ran) text += " ran";
  for (const core::ToolCall& denied : done.denials) text += " denied=" + text_of(denied);
  for (const auto& [model, used] : done.by_model) {
    text += " " + model + "=" + text_of(used.usage);
  }
  return text;
}

std::string text_of(const core::Event& event) {
  return std::visit(
      Overloaded{
          [](const core::SessionStarted& e) {
            return "session " + e.session_id + " " + e.model + " " + e.cwd + " " +
                   std::string(core::to_string(e.mode)) + " [" + joined(e.tools) + "] " +
                   e.credential_source;
          },
          [](const core::MessageStarted& e) {
            return "message " + e.message_id.substr(0, 4) + " " + e.model;
          },
          [](const core::TextDelta& e) { return "text " + e.text; },
          [](const core::ThoughtDelta& e) { return "thought " + e.text; },
          [](const core::BlockDone& e) {
            const bool all = e.extent == core::BlockDone::Extent::all;
            return std::string(all ? "block" : "first line") + (e.aborted ? " aborted" : "");
          },
          [](const core::UsageUpdated& e) { return "usage " + text_of(e.usage); },
          [](const core::ToolCallStarted& e) { return "started " + e.name + "#" + e.id; },
          [](const core::ToolArgsDelta& e) { return "args " + e.json; },
          [](const core::ToolCallReady& e) { return "call " + text_of(e.call); },
          [](const core::ToolFinished& e) {
            return "finished " + text_of(e.call) + " -> " + text_of(e.outcome);
          },
          [](const core::ToolProgress& e) {
            return "progress " + e.call_id + " " + e.tool_name + " " +
                   std::to_string(e.elapsed.count()) + "s";
          },
          [](const core::BackgroundStarted& e) {
            return "background " + e.task_id + " of " + e.call_id + ": " + e.description;
          },
          [](const core::AgentStarted& e) {
            return "agent " + e.agent_id + " (" + e.type + ") of " + e.call_id + ": " +
                   e.description + (e.in_background ? " in background" : "");
          },
          [](const core::AgentProgress& e) {
            return "agent " + e.agent_id + " of " + e.call_id + " calls " + e.last_tool;
          },
          [](const core::AgentEnded& e) {
            return "agent " + e.agent_id + " of " + e.call_id + " ended (" + enum_name(e.status) +
                   "): " + e.summary;
          },
          [](const core::BackgroundEnded& e) {
            return "background " + e.task_id + " of " + e.call_id + " ended (" +
                   enum_name(e.status) + "): " + e.summary + " in " + e.output_file;
          },
          [](const core::PermissionRefused& e) {
            return "refused " + text_of(e.call) + " -> " + e.message;
          },
          [](const core::MessageDone& e) {
            return "done " + enum_name(e.stop) + " " + text_of(e.usage);
          },
          [](const core::RetryScheduled& e) {
            return "retry " + number(e.attempt) + "/" + number(e.max_retries) + " in " +
                   number(e.delay.count()) + " ms, http " + number(e.http_status) + ", kind " +
                   enum_name(e.kind) + ": " + e.reason;
          },
          [](const core::HookStarted& e) { return "hook started " + e.name; },
          [](const core::HookEnded& e) {
            return "hook ended " + e.hook.name + " " + enum_name(e.outcome) + ": " + e.output +
                   e.error_output;
          },
          [](const core::PromptTaken& e) { return "prompt " + e.uuid + " " + e.message.text(); },
          [](const core::PromptMoved& e) { return "prompt moved " + e.uuid; },
          [](const core::ConversationReset& e) { return "reset to " + e.new_session_id; },
          [](const core::StateChanged& e) {
            return "state " + std::to_string(static_cast<int>(e.state));
          },
          [](const core::ModelChanged& e) { return "model " + e.model; },
          [](const core::ModeChanged& e) { return "mode " + std::string(core::to_string(e.mode)); },
          [](const core::CompactionStarted& e) {
            return "compacting " + std::string(core::name_of(e.trigger));
          },
          [](const core::Compacted& e) {
            return "compacted " + std::string(core::name_of(e.trigger)) + " " +
                   number(e.pre_tokens) + "->" + number(e.post_tokens);
          },
          [](const core::CompactionFailed& e) { return "compaction failed: " + e.reason; },
          [](const core::Notice& e) { return "notice " + e.text; },
          [](const core::TurnDone& e) { return text_of(e); },
      },
      event);
}

}  // namespace yume::test
