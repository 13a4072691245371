// SPDX-License-Identifier: MIT
// Hooks around a call: before it runs, in the place of whoever would be asked, after it has run.
#include "hooks/hook_runner.h"

#include "core/permission_updates.h"

#include <utility>

namespace yume::hooks {
namespace {

using Permission = core::CallAdvice::Permission;

void write_call(const core::ToolCall& call, JsonWriter& json) {
  json.field("tool_name", call.name).key("tool_input").raw(call.input.text);
}

Permission permission_of(const HookReply& reply) {
  return reply.veto ? Permission::deny : reply.permission;
}

std::string reason_of(const HookSaid& said) {
  const HookReply& reply = said.reply;
  const std::string& why = reply.veto ? *reply.veto : reply.permission_reason;
  return said.label + (why.empty() ? "no reason given" : why);
}

std::string context_of(const Occasion& occasion, const std::string& text) {
  if (text.empty()) return {};
  return occasion.name() + " hook additional context: " + text;
}

}  // namespace

core::CallAdvice HookRunner::before_call(const core::ToolCall& call, core::EventSink& sink,
                                         const CancelToken& cancel) {
  constexpr core::HookEvent k_event = core::HookEvent::pre_tool_use;
  if (!has(k_event)) return {};
  const auto fields = [&call](JsonWriter& json) {
    write_call(call, json);
    json.field("tool_use_id", call.id);
  };
  const Occasion occasion{.event = k_event,
                          .subject = call.name,
                          .input = input_of(k_event, fields),
                          .sink = sink,
                          .call_id = call.id};
  core::CallAdvice advice;
  std::vector<std::string> texts;
  for (HookSaid& said : dispatcher_.ask_all(occasion, cancel)) {
    // The strictest counts, and of several such the first says why.
    if (const Permission permission = permission_of(said.reply); permission > advice.permission) {
      advice.permission = permission;
      advice.reason = reason_of(said);
    }
    texts.push_back(context_of(occasion, said.reply.text));
    if (said.reply.input) advice.input = std::move(said.reply.input);
    if (!said.reply.stop || advice.ends_turn) continue;
    advice.ends_turn = true;
    advice.permission = Permission::deny;
    advice.reason = said.reply.stop->empty() ? "no reason given" : *said.reply.stop;
  }
  advice.context = for_model(texts);
  if (advice.permission == Permission::deny) {
    advice.reason = occasion.name() + " hook error: " + advice.reason;
  }
  return advice;
}

core::ResultAdvice HookRunner::after_call(const core::RanCall& ran, core::EventSink& sink,
                                          const CancelToken& cancel) {
  const bool failed = ran.outcome.is_error;
  const core::HookEvent event =
      failed ? core::HookEvent::post_tool_use_failure : core::HookEvent::post_tool_use;
  if (!has(event)) return {};
  const auto fields = [&](JsonWriter& json) {
    write_call(ran.call, json);
    if (failed) {
      json.field("error", ran.outcome.content).field("is_interrupt", cancel.stop_requested());
    } else {
      json.key("tool_response").raw(facts_.tool_response(ran.outcome).text);
    }
    json.field("tool_use_id", ran.call.id).field("duration_ms", ran.duration.count());
  };
  const Occasion occasion{.event = event,
                          .subject = ran.call.name,
                          .input = input_of(event, fields),
                          .sink = sink,
                          .call_id = ran.call.id};
  core::ResultAdvice advice;
  std::vector<std::string> texts;
  for (const HookSaid& said : dispatcher_.ask_all(occasion, cancel)) {
    // Too late to stop it; but the model shall know.
    if (said.reply.veto) {
      texts.push_back(occasion.name() + " hook blocking error: " + reason_of(said));
    }
    texts.push_back(context_of(occasion, said.reply.text));
    advice.ends_turn |= said.reply.stop.has_value();
  }
  advice.context = for_model(texts);
  return advice;
}

void HookRunner::on_question(const core::MayRun& question, core::EventSink& sink,
                             const CancelToken& cancel) {
  constexpr core::HookEvent k_event = core::HookEvent::notification;
  if (!has(k_event)) return;
  const auto fields = [&question](JsonWriter& json) {
    json.field("message", "Claude needs your permission to use " + question.call.name);
    json.field("notification_type", "permission_prompt");
  };
  dispatcher_.ask_all({.event = k_event,
                       .subject = "permission_prompt",
                       .input = input_of(k_event, fields),
                       .sink = sink},
                      cancel);
}

std::optional<core::HostAnswer> HookRunner::may_run(const core::MayRun& question,
                                                    core::EventSink& sink,
                                                    const CancelToken& cancel) {
  constexpr core::HookEvent k_event = core::HookEvent::permission_request;
  if (!has(k_event)) return std::nullopt;
  const auto fields = [&question](JsonWriter& json) {
    write_call(question.call, json);
    json.key("permission_suggestions").begin_array();
    for (const core::PermissionUpdate& update : question.suggestions) {
      core::write_permission_update(update, json);
    }
    json.end_array();
  };
  const Occasion occasion{.event = k_event,
                          .subject = question.call.name,
                          .input = input_of(k_event, fields),
                          .sink = sink,
                          .call_id = question.call.id};
  std::optional<core::HostAnswer> answer;
  for (const HookSaid& said : dispatcher_.ask_all(occasion, cancel)) {
    std::optional<core::HostAnswer> one = said.reply.answer;
    if (said.reply.veto) one = core::HostDenies{.message = reason_of(said)};
    const bool denies = one && std::holds_alternative<core::HostDenies>(*one);
    if (one && (!answer || denies)) answer = std::move(one);
  }
  return answer;
}

}  // namespace yume::hooks
