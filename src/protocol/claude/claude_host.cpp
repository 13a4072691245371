// SPDX-License-Identifier: MIT
#include "protocol/claude/claude_host.h"

#include "protocol/claude/control_lines.h"
#include "protocol/claude/inbound.h"
#include "protocol/claude/mcp_lines.h"
#include "protocol/claude/words.h"
#include "util/byte_size.h"
#include "util/json_tree.h"
#include "util/overloaded.h"

#include <utility>

namespace yume::protocol {
namespace {

bool same_json(const RawJson& one, const RawJson& other) {
  return one.text == other.text || read_json(one.text) == read_json(other.text);
}

}  // namespace

HostMessage ClaudeHost::parse(std::string_view line) const {
  return parse_claude_line(line);
}

HostMessage ClaudeHost::refuse(const LongLine& line, std::size_t limit) const {
  return refuse_claude_line(line, limit);
}

void ClaudeHost::write(const core::Envelope& envelope, platform::SteadyTime now) {
  const core::Address& address = envelope.address;
  if (look_.hides_subagents && !address.parent_call_id.empty()) return;
  begin_agent(envelope.event);
  stream_of(address).on_event(envelope.event, now);
  if (count_task(envelope.event) && !look_.hides_subagents) stream_of(address).write_tasks(tasks_);
  end_agent(envelope);
}

bool ClaudeHost::count_task(const core::Event& event) {
  using Others =
      Constant<false, core::SessionStarted, core::PromptTaken, core::PromptMoved,
               core::MessageStarted, core::TextDelta, core::ThoughtDelta, core::BlockDone,
               core::UsageUpdated, core::ToolCallStarted, core::ToolArgsDelta, core::ToolCallReady,
               core::ToolFinished, core::ToolProgress, core::AgentProgress, core::PermissionRefused,
               core::HookStarted, core::HookEnded, core::StateChanged, core::ModeChanged,
               core::ModelChanged, core::MessageDone, core::RetryScheduled, core::CompactionStarted,
               core::Compacted, core::CompactionFailed, core::Notice, core::TurnDone>;
  return std::visit(
      Overloaded{
          Others{},
          [&](const core::BackgroundStarted& started) {
            tasks_[started.task_id] = {.type = "local_bash", .description = started.description};
            return true;
          },
          [&](const core::BackgroundEnded& ended) { return tasks_.erase(ended.task_id) > 0; },
          [&](const core::AgentStarted& started) {
            if (!started.in_background) return false;
            tasks_[started.agent_id] = {.type = "local_agent",
                                        .agent_type = started.type,
                                        .description = started.description};
            return true;
          },
          [&](const core::AgentEnded& ended) { return tasks_.erase(ended.agent_id) > 0; },
          // Whoever begins anew forgets what it was told.
          [](const core::ConversationReset&) { return true; },
      },
      event);
}

void ClaudeHost::begin_agent(const core::Event& event) {
  const auto* started = std::get_if<core::AgentStarted>(&event);
  if (started == nullptr) return;
  agents_[started->call_id] = {started->agent_id, started->type, started->description};
}

void ClaudeHost::end_agent(const core::Envelope& envelope) {
  const auto* ended = std::get_if<core::AgentEnded>(&envelope.event);
  if (ended == nullptr) return;
  agents_.erase(ended->call_id);
  streams_.erase({envelope.address.session_id, ended->call_id});
}

ClaudeStream& ClaudeHost::stream_of(const core::Address& address) {
  const auto known = streams_.find(address);
  if (known != streams_.end()) return known->second;
  ClaudeLook look = look_;
  StreamAgent agent;
  if (!address.parent_call_id.empty()) {
    look.partial = PartialMessages::no;
    const auto found = agents_.find(address.parent_call_id);
    if (found != agents_.end()) agent = found->second;
  }
  return streams_.try_emplace(address, output_, overflow_, address, look, std::move(agent))
      .first->second;
}

OpenText ClaudeHost::open_text(const core::Address& address) const {
  const auto stream = streams_.find(address);
  return stream == streams_.end() ? OpenText{} : stream->second.open_text();
}

void ClaudeHost::write_open_text(const core::Address& address, std::string row_id) {
  const auto stream = streams_.find(address);
  if (stream != streams_.end()) stream->second.write_open_text(std::move(row_id));
}

void ClaudeHost::reply(std::string_view reply_to, const CommandResult& result) {
  output_.line(reply_line(reply_to, result));
}

void ClaudeHost::ask(std::string_view request_id, const core::Address& from,
                     const core::HostQuestion& question) {
  std::visit(
      Overloaded{
          [&](const core::MayRun& may_run) { ask_permission(request_id, from, may_run); },
          [&](const core::CallHook& hook) { output_.line(hook_callback(request_id, hook)); },
          [&](const core::McpMessage& message) { output_.line(mcp_message(request_id, message)); },
          [&](const core::Elicit& elicit) { output_.line(elicitation(request_id, elicit)); },
          [](const core::ReadHostFile&) {},
          [](const core::WriteHostFile&) {},
          [](const core::UseTerminal&) {},
      },
      question);
}

void ClaudeHost::ask_permission(std::string_view request_id, const core::Address& from,
                                const core::MayRun& question) {
  const FittedInput input = fit_input(question.call.input, k_payload);
  core::MayRun asked = question;
  if (!input.is_whole) {
    const std::string file = overflow_.keep(question.call.id + "-input", question.call.input.text);
    const std::string size = byte_size_text(question.call.input.text.size());
    asked.reason += asked.reason.empty() ? "" : " ";
    asked.reason += "The input has " + size + " and is shown shortened" +
                    (file.empty() ? "." : "; all of it is in " + file + ".");
    shortened_.emplace(request_id, input.shown);
  }
  const auto agent = agents_.find(from.parent_call_id);
  output_.line(can_use_tool(request_id, asked, input.shown,
                            agent == agents_.end() ? std::string_view() : agent->second.id));
}

void ClaudeHost::withdraw(std::string_view request_id) {
  output_.line(control_cancel(request_id));
  if (const auto found = shortened_.find(request_id); found != shortened_.end()) {
    shortened_.erase(found);
  }
}

std::optional<core::HostAnswer> ClaudeHost::read_answer(const core::HostQuestion& question,
                                                        const RawAnswer& answer) const {
  return std::visit(
      Overloaded{
          [&](const core::CallHook&) -> std::optional<core::HostAnswer> {
            return read_hook_answer(answer);
          },
          [&](const core::McpMessage&) -> std::optional<core::HostAnswer> {
            return read_mcp_answer(answer);
          },
          [&](const core::Elicit&) -> std::optional<core::HostAnswer> {
            return read_elicited(answer);
          },
          [](const core::ReadHostFile&) -> std::optional<core::HostAnswer> { return std::nullopt; },
          [](const core::WriteHostFile&) -> std::optional<core::HostAnswer> {
            return std::nullopt;
          },
          [](const core::UseTerminal&) -> std::optional<core::HostAnswer> { return std::nullopt; },
          [&](const core::MayRun&) { return read_may_run(answer); },
      },
      question);
}

// An input that comes back as it was shown, shortened, is no change.
std::optional<core::HostAnswer> ClaudeHost::read_may_run(const RawAnswer& answer) const {
  auto read = read_permission(answer);
  auto* allows = read ? std::get_if<core::HostAllows>(&*read) : nullptr;
  if (allows == nullptr || !allows->input) return read;
  const auto shown = shortened_.find(answer.request_id);
  if (shown != shortened_.end() && same_json(*allows->input, shown->second)) allows->input.reset();
  return read;
}

}  // namespace yume::protocol
