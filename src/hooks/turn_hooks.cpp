// SPDX-License-Identifier: MIT
// Hooks around a turn and a session: a prompt comes, the model has finished, the session begins or
// ends.
#include "hooks/hook_runner.h"

#include "util/path_text.h"
#include "util/utf8.h"

#include <utility>

namespace yume::hooks {
namespace {

// The program is about to end, and whoever started it waits.
constexpr std::chrono::milliseconds k_last_moment{1500};
constexpr std::size_t k_longest_words = 1'000;  // bytes, of what a task is

// For events of which nobody is told any more.
class NoSink final : public core::EventSink {
 public:
  bool post(core::Event /*event*/) override { return true; }
  bool flush(const CancelToken& /*cancel*/) override { return true; }
};

std::string_view name_of(core::SessionSource source) {
  switch (source) {
    case core::SessionSource::startup:
      return "startup";
    case core::SessionSource::resume:
      return "resume";
    case core::SessionSource::fork:
      return "fork";
    case core::SessionSource::clear:
      return "clear";
    case core::SessionSource::compact:
      return "compact";
  }
  return "";
}

}  // namespace

core::PromptAdvice HookRunner::before_prompt(const std::string& prompt, core::EventSink& sink,
                                             const CancelToken& cancel) {
  constexpr core::HookEvent k_event = core::HookEvent::user_prompt_submit;
  if (!has(k_event)) return {};
  const Occasion occasion{
      .event = k_event,
      .input = input_of(k_event, [&](JsonWriter& json) { json.field("prompt", prompt); }),
      .sink = sink};
  core::PromptAdvice advice;
  std::vector<std::string> texts;
  for (const HookSaid& said : dispatcher_.ask_all(occasion, cancel)) {
    const HookReply& reply = said.reply;
    texts.push_back(reply.text);
    const auto& why = reply.veto ? reply.veto : reply.stop;
    if (why && !advice.veto) advice.veto = said.label + (why->empty() ? "no reason given" : *why);
  }
  advice.context = for_model(texts);
  return advice;
}

// As Claude's hosts read them. Nothing is ever planned for a time of day.
void HookRunner::write_tasks(JsonWriter& json) const {
  json.key("background_tasks").begin_array();
  for (const HookTask& task : facts_.tasks ? facts_.tasks() : std::vector<HookTask>()) {
    const bool command = task.kind == HookTask::Kind::command;
    const std::string_view words = utf8_prefix(task.description, k_longest_words);
    json.begin_object().field("id", task.id).field("type", command ? "shell" : "subagent");
    json.field("status", "running").field("description", words);
    if (command) json.field("command", words);
    json.end_object();
  }
  json.end_array().key("session_crons").begin_array().end_array();
}

std::optional<std::string> HookRunner::before_end(const core::FinishedAnswer& answer,
                                                  core::EventSink& sink,
                                                  const CancelToken& cancel) {
  const core::HookEvent event =
      is_subagent() ? core::HookEvent::subagent_stop : core::HookEvent::stop;
  if (!has(event)) return std::nullopt;
  const auto fields = [&](JsonWriter& json) {
    json.field("stop_hook_active", answer.was_sent_on);
    if (is_subagent()) {
      json.field("agent_transcript_path", to_utf8(facts_.agent->transcript));
    }
    json.field("last_assistant_message", answer.text);
    write_tasks(json);
  };
  std::vector<std::string> reasons;
  for (const HookSaid& said :
       dispatcher_.ask_all({.event = event,
       .subject = is_subagent() ? std::optional(facts_.agent->type) : std::nullopt,
       .input = input_of(event, fields),
       .sink = sink},
                           cancel)) {
    if (said.reply.stop) return std::nullopt;  // it counts more than a wish to go on
    if (said.reply.veto) reasons.push_back(said.label + *said.reply.veto);
  }
  if (reasons.empty()) return std::nullopt;
  const std::string all = for_model(reasons);
  return "Stop hook feedback:\n" + (all.empty() ? "no reason given" : all);
}

std::string HookRunner::agent_started(core::EventSink& sink, const CancelToken& cancel) {
  constexpr core::HookEvent k_event = core::HookEvent::subagent_start;
  if (!is_subagent() || !has(k_event)) return {};
  const Occasion occasion{.event = k_event,
                          .subject = facts_.agent->type,
                          .input = input_of(k_event, [](JsonWriter&) {}),
                          .sink = sink};
  std::vector<std::string> texts;
  for (const HookSaid& said : dispatcher_.ask_all(occasion, cancel)) {
    texts.push_back(said.reply.text);
  }
  return for_model(texts);
}

std::string HookRunner::session_started(core::SessionSource source, core::EventSink& sink,
                                        const CancelToken& cancel) {
  constexpr core::HookEvent k_event = core::HookEvent::session_start;
  if (!has(k_event)) return {};
  const std::string name(name_of(source));
  const Occasion occasion{
      .event = k_event,
      .subject = name,
      .input = input_of(k_event, [&](JsonWriter& json) { json.field("source", name); }),
      .sink = sink};
  std::vector<std::string> texts;
  for (const HookSaid& said : dispatcher_.ask_all(occasion, cancel)) {
    texts.push_back(said.reply.text);
  }
  return for_model(texts);
}

void HookRunner::session_ended(const std::string& reason, const CancelToken& cancel) {
  constexpr core::HookEvent k_event = core::HookEvent::session_end;
  if (!has(k_event)) return;
  NoSink nobody;
  dispatcher_.ask_all(
      {.event = k_event,
       .subject = reason,
       .input = input_of(k_event, [&](JsonWriter& json) { json.field("reason", reason); }),
       .sink = nobody,
       .time_limit = k_last_moment,
       .asked = Occasion::Asked::commands},
      cancel);
}

}  // namespace yume::hooks
