// SPDX-License-Identifier: MIT
#include "hooks/hook_runner.h"

#include "util/path_text.h"
#include "util/utf8.h"
#include "util/uuid.h"

#include <utility>

namespace yume::hooks {
namespace {

constexpr std::size_t k_longest_text = 10'000;

}  // namespace

std::string for_model(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!all.empty()) all += "\n\n";
    all += part;
  }
  return std::string(utf8_prefix(all, k_longest_text));
}

HookRunner::HookRunner(HookSettings settings, SessionFacts facts, HookDeps deps)
    : facts_(std::move(facts)), dispatcher_(std::move(settings), std::move(deps)) {}

void HookRunner::move_to(std::string session_id, std::filesystem::path transcript) {
  facts_.session_id = std::move(session_id);
  facts_.transcript = std::move(transcript);
}

void HookRunner::begin_prompt() {
  prompt_id_ = make_uuid();
}

void HookRunner::register_host_hooks(const std::vector<core::HostHookGroup>& groups) {
  dispatcher_.register_host_hooks(groups);
}

RawJson HookRunner::input_of(core::HookEvent event,
                             const std::function<void(JsonWriter&)>& more) const {
  std::string input;
  JsonWriter json(input);
  json.begin_object().field("session_id", facts_.session_id);
  json.field("transcript_path", to_utf8(facts_.transcript)).field("cwd", to_utf8(facts_.cwd));
  if (!prompt_id_.empty()) json.field("prompt_id", prompt_id_);
  json.field("permission_mode", core::to_string(facts_.mode()));
  if (is_subagent()) json.field("agent_id", facts_.agent->id);
  if (facts_.agent) json.field("agent_type", facts_.agent->type);
  json.field("hook_event_name", core::name_of(event));
  more(json);
  json.end_object();
  return {std::move(input)};
}

core::CompactionAdvice HookRunner::before_compaction(const core::PlannedCompaction& plan,
                                                     core::EventSink& sink,
                                                     const CancelToken& cancel) {
  constexpr core::HookEvent k_event = core::HookEvent::pre_compact;
  if (!has(k_event)) return {};
  const auto fields = [&plan](JsonWriter& json) {
    json.field("trigger", core::name_of(plan.trigger)).key("custom_instructions");
    plan.instructions.empty() ? json.null() : json.string(plan.instructions);
  };
  const Occasion occasion{.event = k_event,
                          .subject = std::string(core::name_of(plan.trigger)),
                          .input = input_of(k_event, fields),
                          .sink = sink};
  core::CompactionAdvice advice;
  std::vector<std::string> texts;
  for (HookSaid& said : dispatcher_.ask_all(occasion, cancel)) {
    HookReply& reply = said.reply;
    texts.push_back(std::move(reply.text));
    if (reply.stop && (!reply.veto || !reply.stop->empty())) reply.veto = reply.stop;
    if (!reply.veto || advice.veto) continue;
    advice.veto = reply.veto->empty() ? std::string("no reason given") : *std::move(reply.veto);
  }
  advice.instructions = for_model(texts);
  return advice;
}

}  // namespace yume::hooks
