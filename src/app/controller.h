// SPDX-License-Identifier: MIT
// The main thread's loop: takes letters, owns the emitter and the running turn, climbs the
// interrupt ladder, and decides when the program ends and with which code. Blocks on nothing but
// the mailbox.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <thread>

#include "app/exit_codes.h"
#include "app/mailbox.h"
#include "core/event.h"
#include "core/message.h"
#include "platform/clock.h"
#include "platform/stdio.h"
#include "protocol/control_lines.h"
#include "protocol/emitter.h"
#include "protocol/line_writer.h"
#include "strategies/strategy.h"

namespace yume::app {

// What the controller works with; borrowed.
struct ControllerParts {
  Mailbox& mailbox;
  protocol::LineWriter& writer;
  protocol::Emitter& emitter;
  strategies::Strategy& strategy;
  platform::OutputStream& stderr_stream;
  const platform::Clock& clock;
  // How long to wait for the first byte of a prompt on stdin; absent: for ever.
  std::optional<std::chrono::milliseconds> stdin_patience = std::nullopt;
  // Tells the host that there was nothing to ask.
  std::function<ExitCode()> reject_empty_prompt;
  // Answers to questions of the turn, and that there will be none any more.
  std::function<void(const protocol::HostReply&)> on_answer = [](const auto&) {};
  std::function<void()> on_stdin_closed = [] {};
  // A host may set the system prompt before the first turn, and register hooks between turns.
  std::function<protocol::HostHookService(const protocol::InitializeRequest&)> on_initialize;
};

class Controller {
 public:
  Controller(ControllerParts parts, core::SessionStarted session);
  ~Controller();

  // With a prompt: that turn, then the end. Without: what stdin brings, until it closes.
  ExitCode run(std::optional<std::string> prompt);

 private:
  enum class Ending {
    none,
    after_turn,  // SIGINT, a bad line: deliver the result, then end
    at_once,     // SIGTERM, stdout gone: stop the turn, say nothing more
  };

  void accept(core::UserMessage prompt);
  void start_turn(core::UserMessage prompt);
  void handle(const Control& control);
  void handle(const Data& data);
  void on_inbound(const protocol::Inbound& inbound);
  void on_signal(platform::Signal signal);
  void on_turn_done(const core::TurnDone& done);
  void interrupt_turn();
  void end(Ending ending, ExitCode code);
  void on_time();
  void give_up();
  [[nodiscard]] std::optional<platform::SteadyTime> next_deadline() const;
  void emit(const core::Event& event);

  ControllerParts parts_;
  core::SessionStarted session_;
  std::deque<core::UserMessage> prompts_;
  bool stdin_open_ = false;
  std::thread turn_;
  bool running_ = false;
  bool any_turn_ = false;
  bool result_written_ = false;
  CancelSource cancel_;
  std::optional<platform::SteadyTime> give_up_at_;
  std::optional<platform::SteadyTime> stdin_deadline_;
  Ending ending_ = Ending::none;
  std::optional<ExitCode> forced_code_;
  ExitCode last_code_ = ExitCode::success;
};

}  // namespace yume::app
