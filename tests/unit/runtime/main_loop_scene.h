// SPDX-License-Identifier: MIT
// A main loop with a real mailbox, real turn threads and a scripted strategy. Nothing sleeps: a
// scripted turn posts what the outside world would, and waits for what must follow.
#pragma once

#include "protocol/claude/control_lines.h"
#include "runtime/main_loop.h"
#include "runtime/port.h"

#include "support/event_text.h"
#include "support/session_services.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <functional>
#include <latch>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace yume::runtime::test_scene {

using Strings = std::vector<std::string>;
using platform::Signal;

inline void wait_until_cancelled(const CancelToken& cancel) {
  std::latch cancelled(1);
  const OnCancel on_cancel(cancel, [&cancelled] { cancelled.count_down(); });
  cancelled.wait();
}

// Until the main thread has dealt with all that was posted to either lane.
inline void settle(core::EventSink& sink) {
  sink.post(core::UsageUpdated{});
  EXPECT_TRUE(sink.flush({}));
}

inline core::TurnDone ended(core::TurnOutcome outcome, std::string text = "") {
  core::TurnDone done;
  done.outcome = outcome;
  done.text = std::move(text);
  return done;
}

inline core::TurnDone good(std::string text) {
  return ended(core::TurnOutcome::success, std::move(text));
}

class FakeStrategy final : public test::SimpleStrategy {
 public:
  using Turn = std::function<core::TurnDone(core::EventSink&, const CancelToken&)>;

  core::TurnDone run(strategies::TurnInput input, core::TurnPort& port,
                     const CancelToken& cancel) override {
    prompts.push_back(std::get<std::string>(input.message.blocks.at(0)));
    if (turns.empty()) return good("unscripted");
    const Turn turn = std::move(turns.front());
    turns.pop_front();
    return turn(port, cancel);
  }

  std::deque<Turn> turns;
  Strings prompts;
};

class MemoryStream final : public platform::OutputStream {
 public:
  Result<void> write(std::string_view bytes) override {
    if (broken) return Error{.code = ErrorCode::io, .message = "broken pipe"};
    text += bytes;
    return {};
  }
  bool broken = false;
  std::string text;
};

// One line per event, as a dialect would write it; replies in Claude's form.
class LineHost final : public protocol::Host {
 public:
  explicit LineHost(protocol::Output& output) : output_(output) {}

  protocol::HostMessage parse(std::string_view) const override { return {}; }
  protocol::HostMessage refuse(const LongLine&, std::size_t) const override { return {}; }
  void write(const core::Envelope& envelope, platform::SteadyTime now) override {
    if (!first_event_at) first_event_at = now;
    if (std::holds_alternative<core::UsageUpdated>(envelope.event)) return;
    if (std::holds_alternative<core::BlockDone>(envelope.event)) return;
    if (std::holds_alternative<core::StateChanged>(envelope.event) && !shows_state) return;
    output_.line(test::text_of(envelope.event));
    if (on_result && std::holds_alternative<core::TurnDone>(envelope.event)) on_result();
  }
  void reply(std::string_view reply_to, const protocol::CommandResult& result) override {
    output_.line(protocol::reply_line(reply_to, result));
  }
  bool can_be_asked() const override { return true; }
  void ask(std::string_view request_id, const core::Address& from,
           const core::HostQuestion& question) override {
    output_.line("asked " + from.session_id + " " + std::get<core::MayRun>(question).call.id);
    if (on_question) on_question(std::string(request_id));
  }
  void withdraw(std::string_view) override { output_.line("withdrawn"); }
  std::optional<core::HostAnswer> read_answer(const core::HostQuestion&,
                                              const protocol::RawAnswer& answer) const override {
    return core::HostDenies{answer.error};
  }
  std::optional<platform::SteadyTime> not_before(const core::Envelope&) const override {
    return earliest;
  }
  std::optional<platform::SteadyTime> wake_at() const override { return wake; }
  void on_time(platform::SteadyTime) override {
    if (!std::exchange(wake, std::nullopt)) return;
    woken.count_down();
  }
  std::optional<platform::SteadyTime> wake;
  std::latch woken{1};
  bool shows_state = false;
  std::function<void()> on_result;
  std::function<void(const std::string& request_id)> on_question;
  std::optional<platform::SteadyTime> earliest;
  std::optional<platform::SteadyTime> first_event_at;

 private:
  protocol::Output& output_;
};

inline protocol::HostMessage message(core::Command command, std::string reply_to = {}) {
  return {.content = std::move(command), .reply_to = std::move(reply_to)};
}
inline protocol::HostMessage prompt(const std::string& text) {
  return message(core::Prompt{core::UserMessage(text)});
}

// Starts long ago, so that the mailbox never really waits.
class OldClock final : public platform::Clock {
 public:
  platform::SteadyTime steady_now() const override {
    return platform::SteadyTime{std::chrono::milliseconds(now.load())};
  }
  platform::WallTime wall_now() const override { return {}; }
  bool sleep_for(std::chrono::nanoseconds time, const CancelToken&) const override {
    now += static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(time).count());
    return true;
  }
  mutable std::atomic<int> now{0};
};

struct Scene {
  ExitCode run(std::optional<std::string> prompt) {
    const auto session = services.open("S", port, [this](std::uint64_t prompts) {
      mailbox.post_idle({"S", prompts});
    });
    MainLoop loop({.mailbox = mailbox,
                   .pending = pending,
                   .host = host,
                   .writer = writer,
                   .stderr_stream = err,
                   .clock = old_clock ? static_cast<const platform::Clock&>(*old_clock) : clock,
                   .log = null_log(),
                   .last_resort = last_resort,
                   .turn_timeout = timeout,
                   .stdin_adds_to_prompt = stdin_place.has_value(),
                   .stdin_place = stdin_place.value_or(StdinPlace::below_prompt),
                   .stdin_patience = patience,
                   .on_begun = on_begun,
                   .reject_empty_prompt =
                       [this] {
                         writer.line("rejected");
                         return ExitCode::failure;
                       },
                   .reject =
                       [this](const std::string& why) {
                         writer.line("rejected: " + why);
                         return ExitCode::failure;
                       }},
                  {session.get()});
    return loop.run(std::move(prompt));
  }

  void say(protocol::HostMessage what) { mailbox.post_control(FromHost{std::move(what)}); }
  void signal(Signal which) { mailbox.post_control(SignalReceived{which}); }
  void turn(FakeStrategy::Turn what) { strategy.turns.push_back(std::move(what)); }

  Strings lines() const {
    Strings all;
    std::istringstream text(out.text);
    for (std::string line; std::getline(text, line);) all.push_back(line);
    return all;
  }

  Mailbox mailbox;
  PendingRequests pending;
  Port port{mailbox, pending, Port::Questions::can_be_asked};
  MemoryStream out;
  MemoryStream err;
  protocol::LineWriter writer{out};
  LastResort last_resort{writer};
  LineHost host{writer};
  FakeStrategy strategy;
  test::SessionServices services{strategy};
  platform::SystemClock clock;
  std::optional<OldClock> old_clock;
  std::optional<std::chrono::milliseconds> patience;
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<StdinPlace> stdin_place;  // absent: stdin adds nothing
  std::function<void()> on_begun = [] {};
};

inline const std::string k_session = "session S m /w default [] ";

inline std::string result(const std::string& outcome, const std::string& text = "") {
  return "turn " + outcome + " \"" + text + "\" stop=end_turn turns=1 last=0/0/0/0 total=0/0/0/0";
}

}  // namespace yume::runtime::test_scene
