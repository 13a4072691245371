// SPDX-License-Identifier: MIT
// What sessions ask their host, what it answers, and whether somebody is waited for.
#include "runtime/main_loop.h"

#include "util/overloaded.h"

namespace yume::runtime {

void MainLoop::on_answer(const protocol::RawAnswer& raw) {
  protocol::RawAnswer answer = raw;
  if (answer.request_id.empty()) answer.request_id = question_about(answer.call_id);
  auto how = protocol::Host::Settled::otherwise;
  const bool taken =
      parts_.pending.answer(answer.request_id, [&](const core::HostQuestion& question) {
        auto read = parts_.host.read_answer(question, answer);
        if (read && std::holds_alternative<core::HostAllows>(*read)) {
          how = protocol::Host::Settled::allowed;
        }
        return read;
      });
  if (taken) {
    parts_.host.settle(answer.request_id, how);
    on_settled(answer.request_id);
  } else {
    parts_.log.write("host", "an answer to no open question was ignored: " + answer.request_id);
  }
}

std::string MainLoop::question_about(const std::string& call_id) const {
  for (const auto& [id, live] : sessions_) {
    for (const auto& [request, call] : live.waits_for) {
      if (call == call_id) return request;
    }
  }
  return {};
}

// A question that somebody has to answer, not a program.
void MainLoop::on_asked(const QuestionAsked& asked) {
  Live* live = find(asked.from.session_id);
  if (live == nullptr) return;
  const auto wait = [&](const std::string& call_id) {
    live->waits_for[asked.request_id] = call_id;
    tell_state(*live, core::SessionState::requires_action);
  };
  std::visit(Overloaded{
                 [&](const core::MayRun& may_run) { wait(may_run.call.id); },
                 [&](const core::Elicit&) { wait(""); },
                 [](const core::CallHook&) {},
                 [](const core::McpMessage&) {},
                 [](const core::ReadHostFile&) {},
                 [](const core::WriteHostFile&) {},
                 [](const core::UseTerminal&) {},
             },
             asked.question);
}

void MainLoop::on_settled(const std::string& request_id) {
  for (auto& [id, live] : sessions_) {
    if (live.waits_for.erase(request_id) == 0 || !live.waits_for.empty()) continue;
    if (live.active) tell_state(live, core::SessionState::running);
  }
}

void MainLoop::forget_questions(Live& live) {
  if (live.waits_for.empty()) return;
  live.waits_for.clear();
  if (live.active) tell_state(live, core::SessionState::running);
}

void MainLoop::on_typed(const protocol::TypedLine& line) {
  const auto answer = parts_.host.take_typed(line);
  if (!answer) return;
  parts_.pending.answer(line.question_id, [&](const core::HostQuestion&) { return answer; });
  on_settled(line.question_id);
}

}  // namespace yume::runtime
