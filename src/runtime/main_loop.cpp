// SPDX-License-Identifier: MIT
#include "runtime/main_loop.h"

#include "util/overloaded.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

namespace yume::runtime {
namespace {

using QueuedPrompts = session::Session::QueuedPrompts;

// A cancelled turn that has not ended by then is left behind: everything ends inside 4 s.
constexpr std::chrono::milliseconds k_patience{3'500};
constexpr std::chrono::milliseconds k_patience_when_terminated{1'000};

core::TurnDone interrupted_turn() {
  core::TurnDone done;
  done.outcome = core::TurnOutcome::interrupted;
  done.stop = core::StopReason::aborted;
  done.num_turns = 2;
  done.duration = std::chrono::milliseconds(1);
  return done;
}

// "90 s", "0.5 s"
std::string seconds_text(std::chrono::milliseconds time) {
  const auto tenths = time.count() / 100;
  const std::string whole = std::to_string(tenths / 10);
  return (tenths % 10 == 0 ? whole : whole + "." + std::to_string(tenths % 10)) + " s";
}

core::TurnDone as_timed_out(core::TurnDone done, std::chrono::milliseconds limit) {
  done.outcome = core::TurnOutcome::timed_out;
  done.text = "The turn took longer than " + seconds_text(limit) + " (--timeout) and was ended";
  return done;
}

bool begins_turn(const core::Envelope& envelope) {
  return envelope.address.parent_call_id.empty() &&
         std::holds_alternative<core::SessionStarted>(envelope.event);
}

}  // namespace

MainLoop::MainLoop(MainLoopParts parts, const std::vector<session::Session*>& sessions)
    : parts_(std::move(parts)) {
  for (session::Session* session : sessions) {
    if (first_session_.empty()) first_session_ = session->id();
    sessions_.emplace(session->id(), Live{.session = session, .id = session->id()});
  }
}

MainLoop::~MainLoop() {
  parts_.mailbox.close();
  parts_.pending.close();
}

MainLoop::Live* MainLoop::find(const std::string& session_id) {
  const auto found = sessions_.find(session_id.empty() ? first_session_ : session_id);
  if (found != sessions_.end()) return found->second.session == nullptr ? nullptr : &found->second;
  // One that began anew has another id since.
  const auto moved = std::find_if(sessions_.begin(), sessions_.end(), [&](const auto& entry) {
    return entry.second.session != nullptr && entry.second.id == session_id;
  });
  return moved == sessions_.end() ? nullptr : &moved->second;
}

bool MainLoop::any_active() const {
  return std::any_of(sessions_.begin(), sessions_.end(),
                     [](const auto& entry) { return entry.second.active; });
}

void MainLoop::write(const core::Envelope& envelope) {
  if (ending_ == Ending::at_once) return;
  const auto write_now = [&] { protocol::write_when_due(parts_.host, envelope, parts_.clock); };
  const bool is_result = std::holds_alternative<core::TurnDone>(envelope.event) &&
                         envelope.address.parent_call_id.empty();
  if (is_result) {
    parts_.last_resort.pay_result(code_if_broken(), write_now);
  } else {
    write_now();
  }
}

void MainLoop::reply(const std::string& reply_to, const protocol::CommandResult& result) {
  if (!reply_to.empty()) parts_.host.reply(reply_to, result);
}

ExitCode MainLoop::run(std::optional<std::string> prompt) {
  try {
    return serve(std::move(prompt));
  } catch (const std::exception& failure) {
    break_off(failure);
  }
}

// This thread cannot go on, and without it no other can. Whoever waits for a result gets it, and
// the process ends around what still runs.
void MainLoop::break_off(const std::exception& failure) noexcept {
  bool all_have_results = true;
  for (const auto& [id, live] : sessions_) {
    const bool waits = live.active ? !live.result_written : stdin_open_;
    all_have_results &= !waits;
    if (waits) write({.address = {live.id}, .event = session::broken_turn(failure)});
  }
  std::_Exit(static_cast<int>(all_have_results ? code_if_broken() : ExitCode::failure));
}

// A host that has the last result it can get may go by that; any other must see that something
// broke.
ExitCode MainLoop::code_if_broken() const {
  return stdin_open_ ? ExitCode::failure : last_code_;
}

ExitCode MainLoop::serve(std::optional<std::string> prompt) {
  stdin_open_ = !prompt || parts_.stdin_adds_to_prompt || parts_.is_conversation;
  if (stdin_open_ && parts_.stdin_patience) {
    stdin_deadline_ = parts_.clock.steady_now() + *parts_.stdin_patience;
  }
  if (prompt && parts_.stdin_adds_to_prompt) {
    given_prompt_ = std::move(prompt);
  } else if (prompt) {
    accept(core::UserMessage(*std::move(prompt)));
  }
  parts_.on_begun();
  if (parts_.is_conversation && !any_active()) parts_.host.look_again();
  for (;;) {
    if (!any_active()) {
      if (ending_ != Ending::none) break;
      report_refusals();
      if (!stdin_open_) break;
    }
    auto item = parts_.mailbox.take(next_deadline());
    if (item) {
      std::visit(Overloaded{
                     [this](Control& control) { handle(std::move(control)); },
                     [this](const Data& data) { handle(data); },
                 },
                 *item);
    } else {
      on_time();
    }
    if (parts_.writer.broken() && ending_ != Ending::at_once) {
      end(Ending::at_once, ExitCode::failure);
    }
  }
  return forced_code_.value_or(last_code_);
}

std::optional<platform::SteadyTime> MainLoop::next_deadline() const {
  std::optional<platform::SteadyTime> next;
  const auto consider = [&next](const std::optional<platform::SteadyTime>& deadline) {
    if (deadline && (!next || *deadline < *next)) next = deadline;
  };
  consider(parts_.host.wake_at());
  consider(stdin_deadline_);
  for (const auto& [id, live] : sessions_) {
    consider(live.give_up_at);
    consider(live.times_out_at);
  }
  return next;
}

void MainLoop::on_time() {
  const platform::SteadyTime now = parts_.clock.steady_now();
  parts_.host.on_time(now);
  for (auto& [id, live] : sessions_) {
    if (live.give_up_at && now >= *live.give_up_at) give_up(live);
    if (live.times_out_at && now >= *live.times_out_at) time_out(live);
  }
  if (stdin_deadline_ && now >= *stdin_deadline_) stop_waiting_for_stdin();
}

void MainLoop::stop_waiting_for_stdin() {
  stdin_deadline_.reset();
  stdin_open_ = false;
  if (given_prompt_) parts_.on_silent_stdin();
  accept_text("");
}

// What comes by stdin stands below the prompt, as Claude has it, or above it, as Gemini CLI has it.
void MainLoop::accept_text(std::string from_stdin) {
  if (!given_prompt_) return accept(parts_.read_text(std::move(from_stdin)));
  const core::UserMessage given(*std::exchange(given_prompt_, std::nullopt));
  if (core::UserMessage(from_stdin).blank()) return accept(given);
  if (given.blank()) return accept(core::UserMessage(std::move(from_stdin)));
  const bool below = parts_.stdin_place == StdinPlace::below_prompt;
  accept(core::UserMessage(below ? given.text() + "\n" + from_stdin
                                 : from_stdin + "\n\n" + given.text()));
}

void MainLoop::accept(core::UserMessage prompt) {
  if (prompt.blank()) {
    reject(parts_.reject_empty_prompt);
  } else if (Live* live = find("")) {
    submit(*live, {.message = std::move(prompt)}, {});
  }
}

void MainLoop::submit(Live& live, core::Prompt prompt, ByteBudget::Share share) {
  any_turn_ = true;
  live.result_written = false;
  if (!live.active) set_timeout(live);
  parts_.last_resort.owe_result();
  if (live.waits_for.empty()) tell_state(live, core::SessionState::running);
  live.active = true;
  ++live.prompts;
  live.session->submit(std::move(prompt), std::move(share), [&](core::Event event) {
    write({.address = {live.id}, .event = std::move(event)});
  });
}

// It counts as work until the session has kept it, but no result follows.
void MainLoop::append(Live& live, core::Prompt prompt, ByteBudget::Share share) {
  live.active = true;
  ++live.prompts;
  live.session->append(std::move(prompt), std::move(share));
}

// Each state once: hosts take `idle` for the end of a turn. While one question waits for a person,
// others need not be told of.
void MainLoop::tell_state(Live& live, core::SessionState state) {
  if (live.state == state) return;
  live.state = state;
  write({.address = {live.id}, .event = core::StateChanged{state}});
}

void MainLoop::reject(const std::function<ExitCode()>& report) {
  parts_.last_resort.pay_result(ExitCode::failure, [&] { last_code_ = report(); });
}

void MainLoop::refuse(std::function<ExitCode()> report) {
  refusals_.push_back(std::move(report));
  if (!any_active()) report_refusals();
}

// Each is a turn that ends at once: its result must not be taken for that of another.
void MainLoop::report_refusals() {
  for (const auto& report : std::exchange(refusals_, {})) {
    if (Live* live = find("")) {
      tell_state(*live, core::SessionState::running);
      write({.address = {live->id}, .event = live->session->info()});
    }
    reject(report);
    if (Live* live = find("")) tell_state(*live, core::SessionState::idle);
  }
}

void MainLoop::handle(Control control) {
  std::visit(Overloaded{
                 [this](FromHost& line) { on_message(std::move(line)); },
                 [this](const LineTyped& typed) { on_typed(typed.line); },
                 [this](PromptTyped& typed) { on_prompt(std::move(typed.prompt)); },
                 [this](MessageRefused& refused) {
                   refuse([this, why = std::move(refused.why)] { return parts_.reject(why); });
                 },
                 [](const StdinBegan&) {},
                 [this](TextFromStdin& text) {
                   if (stdin_open_) accept_text(std::move(text.text));  // else it came too late
                 },
                 [this](const TextRefused& refused) {
                   given_prompt_.reset();  // half of a message is not asked
                   reject([&] { return parts_.reject(refused.why); });
                 },
                 [](const OutOfMemory&) { throw std::bad_alloc(); },
                 [this](const StdinClosed&) {
                   stdin_open_ = false;
                   parts_.pending.close();
                   for (auto& [id, live] : sessions_) forget_questions(live);
                   if (parts_.hosting != nullptr) end(Ending::after_turn, ExitCode::success);
                 },
                 [this](const ReaderLost&) {
                   // A host that has its result may go at any time.
                   const bool done =
                       std::all_of(sessions_.begin(), sessions_.end(), [](const auto& entry) {
                         return !entry.second.active || entry.second.result_written;
                       });
                   end(Ending::at_once, done ? last_code_ : ExitCode::failure);
                 },
                 [this](const SignalReceived& received) { on_signal(received.signal); },
                 [this](const ReplyReady& ready) {
                   if (ending_ != Ending::at_once) reply(ready.reply_to, ready.result);
                 },
                 [this](SessionOpened& opened) { on_opened(opened); },
                 [this](const SessionClosed& closed) { on_closed(closed); },
             },
             control);
  stdin_deadline_.reset();
}

void MainLoop::on_message(FromHost from_host) {
  protocol::HostMessage& message = from_host.message;
  std::visit(Overloaded{
                 [this](const protocol::RawAnswer& answer) { on_answer(answer); },
                 [&](core::Command& command) {
                   Live* live = find(message.session_id);
                   if (live == nullptr) {
                     on_host_command(std::move(command), message.reply_to);
                   } else {
                     on_command(*live, std::move(command), message.reply_to,
                                std::move(from_host.share));
                   }
                 },
             },
             message.content);
}

void MainLoop::handle(const Data& data) {
  std::visit(Overloaded{
                 [this](const core::Envelope& envelope) { on_envelope(envelope); },
                 [this](const QuestionAsked& asked) {
                   if (ending_ == Ending::at_once) return;
                   if (!parts_.host.answers(asked.question)) {
                     parts_.pending.answer(asked.request_id, [](const core::HostQuestion&) {
                       return core::HostFailed{"this host cannot be asked that"};
                     });
                     return;
                   }
                   on_asked(asked);
                   parts_.host.ask(asked.request_id, asked.from, asked.question);
                 },
                 [this](const QuestionWithdrawn& withdrawn) {
                   if (ending_ == Ending::at_once) return;
                   parts_.host.withdraw(withdrawn.request_id);
                   on_settled(withdrawn.request_id);
                 },
                 [this](const SessionIdle& idle) { on_idle(idle); },
             },
             data);
}

void MainLoop::on_envelope(const core::Envelope& envelope) {
  const auto* done = std::get_if<core::TurnDone>(&envelope.event);
  Live* live = find(envelope.address.session_id);
  const bool ends_turn = done != nullptr && envelope.address.parent_call_id.empty();
  if (!ends_turn || live == nullptr) {
    if (live != nullptr && begins_turn(envelope)) on_turn_begun(*live);
    write(envelope);
    if (live != nullptr) follow_reset(*live, envelope.event);
    return;
  }
  const bool late = std::exchange(live->timed_out, false) &&
                    done->outcome == core::TurnOutcome::interrupted && parts_.turn_timeout;
  set_timeout(*live);  // for a turn that follows at once
  if (!late) {
    on_turn_done(*live, *done);
    return write(envelope);
  }
  const core::TurnDone end = as_timed_out(*done, *parts_.turn_timeout);
  on_turn_done(*live, end);
  write({.address = envelope.address, .event = end});
}

void MainLoop::set_timeout(Live& live) {
  if (parts_.turn_timeout) live.times_out_at = parts_.clock.steady_now() + *parts_.turn_timeout;
}

void MainLoop::time_out(Live& live) {
  live.times_out_at.reset();
  if (!live.active) return;
  live.timed_out = true;
  interrupt(live, QueuedPrompts::keep);
}

// From now on it is known by the other id.
void MainLoop::follow_reset(Live& live, const core::Event& event) {
  const auto* reset = std::get_if<core::ConversationReset>(&event);
  if (reset != nullptr) live.id = reset->new_session_id;
}

// One behind others: it has a result of its own, and what was interrupted is over.
void MainLoop::on_turn_begun(Live& live) {
  live.result_written = false;
  parts_.last_resort.owe_result();
  if (ending_ == Ending::none) live.give_up_at.reset();
}

void MainLoop::on_turn_done(Live& live, const core::TurnDone& done) {
  live.result_written = true;
  if (ending_ == Ending::none) live.give_up_at.reset();
  last_code_ =
      parts_.code_of(done, ending_ == Ending::after_turn ? AskedToEnd::by_sigint : AskedToEnd::no);
}

void MainLoop::on_idle(const SessionIdle& idle) {
  Live* live = find(idle.session_id);
  if (live == nullptr || idle.prompts != live->prompts) return;
  live->active = false;
  live->waits_for.clear();
  live->give_up_at.reset();
  live->times_out_at.reset();
  tell_state(*live, core::SessionState::idle);
  if (live->session->ran_out_of_memory()) end(Ending::after_turn, ExitCode::failure);
}

// A blank line is no prompt, and the person may try again.
void MainLoop::on_prompt(protocol::TypedPrompt prompt) {
  if (ending_ != Ending::none) return;
  switch (prompt.kind) {
    case protocol::TypedPrompt::Kind::growing:
      return parts_.host.show_typed(prompt.text);
    case protocol::TypedPrompt::Kind::end_of_input:
      stdin_open_ = false;
      parts_.pending.close();
      return;
    case protocol::TypedPrompt::Kind::line:
      break;
  }
  if (prompt.text == "/exit" || prompt.text == "/quit") {
    stdin_open_ = false;
    return;
  }
  parts_.host.take_prompt(prompt.text);
  core::UserMessage message(std::move(prompt.text));
  if (!message.blank()) accept(std::move(message));
}

// What runs ends; a second time, or when nothing runs, everything may.
void MainLoop::interrupt_conversation() {
  bool any_new = false;
  for (auto& [id, live] : sessions_) {
    if (!live.active || live.result_written || live.give_up_at) continue;
    interrupt(live, QueuedPrompts::forget);
    any_new = true;
  }
  if (any_new) return;
  const bool any_ends = std::any_of(sessions_.begin(), sessions_.end(), [](const auto& entry) {
    return entry.second.give_up_at.has_value();
  });
  if (any_ends) return end(Ending::after_turn, ExitCode::success);
  if (parts_.host.leaves_on_interrupt()) stdin_open_ = false;
}

void MainLoop::on_signal(platform::Signal signal) {
  if (signal == platform::Signal::resized || signal == platform::Signal::continued) {
    return parts_.host.look_again();
  }
  if (parts_.is_conversation && signal == platform::Signal::interrupt && ending_ == Ending::none) {
    return interrupt_conversation();
  }
  const bool gentle = signal == platform::Signal::interrupt && ending_ == Ending::none;
  if (!gentle) {
    end(Ending::at_once,
        signal == platform::Signal::interrupt ? ExitCode::failure : ExitCode::terminated);
    return;
  }
  ending_ = Ending::after_turn;
  if (!any_turn_) forced_code_ = ExitCode::failure;  // there was nothing to deliver
  for (auto& [id, live] : sessions_) interrupt(live, QueuedPrompts::forget);
}

void MainLoop::interrupt(Live& live, QueuedPrompts queued) {
  if (live.session == nullptr) return;  // it is being closed
  if (!live.session->interrupt(queued)) return;
  if (!live.give_up_at) live.give_up_at = parts_.clock.steady_now() + k_patience;
}

void MainLoop::end(Ending ending, ExitCode code) {
  if (ending_ == Ending::at_once) return;  // nothing is more final
  ending_ = ending;
  forced_code_ = code;
  stdin_open_ = false;
  for (auto& [id, live] : sessions_) {
    if (ending == Ending::at_once && live.active) {
      live.give_up_at = parts_.clock.steady_now() + k_patience_when_terminated;
    }
    interrupt(live, QueuedPrompts::forget);
  }
  if (ending == Ending::at_once) parts_.mailbox.close();
}

// The session's thread does not answer. The host gets its result, and the process ends around it;
// what the turn had started dies with the process.
void MainLoop::give_up(Live& live) {
  if (!live.result_written) {
    const bool late = live.timed_out && parts_.turn_timeout;
    const core::TurnDone done =
        late ? as_timed_out(interrupted_turn(), *parts_.turn_timeout) : interrupted_turn();
    on_turn_done(live, done);
    write({.address = {live.id}, .event = done});
    tell_state(live, core::SessionState::idle);
  }
  std::_Exit(static_cast<int>(forced_code_.value_or(last_code_)));
}

}  // namespace yume::runtime
