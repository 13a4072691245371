// SPDX-License-Identifier: MIT
#include "app/controller.h"

#include "protocol/control_lines.h"

#include <cstdlib>
#include <exception>
#include <utility>

namespace yume::app {
namespace {

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

core::TurnDone broken_turn(std::string what) {
  core::TurnDone done;
  done.outcome = core::TurnOutcome::failed;
  done.failure = core::FailureKind::unknown;
  done.text = "Internal error: " + std::move(what);
  done.duration = std::chrono::milliseconds(1);
  return done;
}

}  // namespace

Controller::Controller(ControllerParts parts, core::SessionStarted session)
    : parts_(std::move(parts)), session_(std::move(session)) {}

Controller::~Controller() {
  cancel_.request_stop();
  parts_.mailbox.close();
  if (turn_.joinable()) turn_.join();
}

void Controller::emit(const core::Event& event) {
  if (ending_ == Ending::at_once) return;
  const platform::SteadyTime now = parts_.clock.steady_now();
  if (const auto due = parts_.emitter.not_before(event); due && *due > now) {
    parts_.clock.sleep_for(*due - now, {});
  }
  parts_.emitter.on_event(event, parts_.clock.steady_now());
}

ExitCode Controller::run(std::optional<std::string> prompt) {
  stdin_open_ = !prompt;
  if (stdin_open_ && parts_.stdin_patience) {
    stdin_deadline_ = parts_.clock.steady_now() + *parts_.stdin_patience;
  }
  if (prompt) prompts_.emplace_back(*std::move(prompt));
  for (;;) {
    if (!running_) {
      if (ending_ != Ending::none) break;
      if (!prompts_.empty()) {
        // Prompts that came while a turn ran become one.
        core::UserMessage all = std::move(prompts_.front());
        prompts_.pop_front();
        for (core::UserMessage& more : prompts_) all.append(std::move(more));
        prompts_.clear();
        start_turn(std::move(all));
      } else if (!stdin_open_) {
        break;
      }
    }
    const auto letter = parts_.mailbox.take(next_deadline());
    if (letter) {
      std::visit([this](const auto& lane) { handle(lane); }, *letter);
    } else {
      on_time();
    }
    if (parts_.writer.broken() && ending_ != Ending::at_once) {
      end(Ending::at_once, ExitCode::failure);
    }
  }
  return forced_code_.value_or(last_code_);
}

std::optional<platform::SteadyTime> Controller::next_deadline() const {
  std::optional<platform::SteadyTime> next;
  for (const auto& deadline : {parts_.emitter.wake_at(), give_up_at_, stdin_deadline_}) {
    if (deadline && (!next || *deadline < *next)) next = deadline;
  }
  return next;
}

void Controller::on_time() {
  const platform::SteadyTime now = parts_.clock.steady_now();
  parts_.emitter.on_time(now);
  if (give_up_at_ && now >= *give_up_at_) give_up();
  if (stdin_deadline_ && now >= *stdin_deadline_) {
    stdin_deadline_.reset();
    stdin_open_ = false;
    accept({});
  }
}

void Controller::accept(core::UserMessage prompt) {
  if (prompt.blank()) {
    last_code_ = parts_.reject_empty_prompt();
  } else {
    prompts_.push_back(std::move(prompt));
  }
}

void Controller::start_turn(core::UserMessage prompt) {
  running_ = true;
  any_turn_ = true;
  result_written_ = false;
  cancel_ = CancelSource();
  parts_.strategy.before_turn(prompt);
  emit(session_);
  turn_ = std::thread([this, token = cancel_.get_token(), message = std::move(prompt)] {
    core::TurnDone done;
    try {
      done = parts_.strategy.run_turn(message, parts_.mailbox, token);
    } catch (const std::exception& failure) {
      done = broken_turn(failure.what());  // out of memory at worst; the host still gets a result
    }
    parts_.mailbox.post(std::move(done));
    parts_.strategy.after_turn();
    parts_.mailbox.post_done();
  });
}

void Controller::handle(const Data& data) {
  if (const auto* event = std::get_if<core::Event>(&data)) {
    if (const auto* done = std::get_if<core::TurnDone>(event)) on_turn_done(*done);
    if (const auto* changed = std::get_if<core::ModeChanged>(event)) session_.mode = changed->mode;
    emit(*event);
    return;
  }
  turn_.join();
  running_ = false;
  give_up_at_.reset();
}

void Controller::on_turn_done(const core::TurnDone& done) {
  result_written_ = true;
  const bool good =
      done.outcome == core::TurnOutcome::success || done.outcome == core::TurnOutcome::interrupted;
  last_code_ = good ? ExitCode::success : ExitCode::failure;
}

void Controller::handle(const Control& control) {
  if (const auto* inbound = std::get_if<protocol::Inbound>(&control)) {
    on_inbound(*inbound);
  } else if (const auto* prompt = std::get_if<PromptFromStdin>(&control)) {
    accept(core::UserMessage(prompt->text));
  } else if (const auto* received = std::get_if<SignalReceived>(&control)) {
    on_signal(received->signal);
  } else if (std::holds_alternative<ReaderLost>(control)) {
    // A host that has its result may go at any time.
    end(Ending::at_once, result_written_ ? last_code_ : ExitCode::failure);
  } else if (std::holds_alternative<StdinClosed>(control)) {
    stdin_open_ = false;
    parts_.on_stdin_closed();
  }
  stdin_deadline_.reset();
}

void Controller::on_inbound(const protocol::Inbound& inbound) {
  if (const auto* prompt = std::get_if<protocol::UserPrompt>(&inbound)) {
    accept(prompt->message);
  } else if (const auto* start = std::get_if<protocol::InitializeRequest>(&inbound)) {
    auto hooks = start->hooks.empty() ? protocol::HostHookService::none_asked
                                      : protocol::HostHookService::not_all;
    if (!running_) hooks = parts_.on_initialize(*start);
    parts_.writer.line(protocol::control_success(
        start->request_id, protocol::initialize_response(session_.model, hooks)));
  } else if (const auto* stop = std::get_if<protocol::InterruptRequest>(&inbound)) {
    parts_.writer.line(protocol::control_success(stop->request_id, {R"({"still_queued":[]})"}));
    interrupt_turn();
  } else if (const auto* answered = std::get_if<protocol::HostReply>(&inbound)) {
    parts_.on_answer(*answered);
  } else if (const auto* other = std::get_if<protocol::UnsupportedRequest>(&inbound)) {
    parts_.writer.line(protocol::control_error(
        other->request_id, "Unsupported control request subtype: " + other->subtype,
        "unsupported_request"));
  } else if (const auto* bad = std::get_if<protocol::BadLine>(&inbound)) {
    (void)parts_.stderr_stream.write(bad->message + "\n");
    end(Ending::after_turn, ExitCode::failure);
  }
}

void Controller::on_signal(platform::Signal signal) {
  const bool gentle = signal == platform::Signal::interrupt && ending_ == Ending::none;
  if (!gentle) {
    end(Ending::at_once,
        signal == platform::Signal::interrupt ? ExitCode::failure : ExitCode::terminated);
    return;
  }
  ending_ = Ending::after_turn;
  if (!any_turn_) forced_code_ = ExitCode::failure;  // there was nothing to deliver
  interrupt_turn();
}

void Controller::interrupt_turn() {
  if (!running_) return;
  if (!give_up_at_) give_up_at_ = parts_.clock.steady_now() + k_patience;
  cancel_.request_stop();
}

void Controller::end(Ending ending, ExitCode code) {
  if (ending_ == Ending::at_once) return;  // nothing is more final
  ending_ = ending;
  forced_code_ = code;
  stdin_open_ = false;
  prompts_.clear();
  if (ending == Ending::at_once) {
    if (running_) give_up_at_ = parts_.clock.steady_now() + k_patience_when_terminated;
    parts_.mailbox.close();
  }
  interrupt_turn();
}

// The turn's thread does not answer. The host gets its result, and the process ends around it; what
// the turn had started dies with the process.
void Controller::give_up() {
  if (!result_written_) {
    const core::TurnDone done = interrupted_turn();
    on_turn_done(done);
    emit(done);
  }
  std::_Exit(static_cast<int>(forced_code_.value_or(last_code_)));
}

}  // namespace yume::app
