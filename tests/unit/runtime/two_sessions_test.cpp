// SPDX-License-Identifier: MIT
// Two sessions in one process, their turns, questions and interrupts interleaved: each line has its
// own address, each question its own answer, and an interrupt of one leaves the other alone.
#include <gtest/gtest.h>

#include <condition_variable>
#include <latch>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "runtime/main_loop.h"
#include "runtime/port.h"
#include "support/session_services.h"

namespace yume::runtime {
namespace {

constexpr int k_rounds = 200;

// Posts a text, asks, and ends with what it was answered; every third turn waits for its interrupt.
class AskingStrategy final : public test::SimpleStrategy {
 public:
  AskingStrategy(std::string name, core::SessionPort& port) : name_(std::move(name)), port_(port) {}

  core::TurnDone run(strategies::TurnInput input, core::TurnPort& sink,
                     const CancelToken& cancel) override {
    const std::string prompt = input.message.text();
    core::TurnDone done;
    sink.post(core::TextDelta{name_ + ":" + prompt});
    EXPECT_TRUE(sink.flush(cancel) || cancel.stop_requested());
    const auto answer = port_.ask(
        core::MayRun{.call = {.id = name_ + ":" + prompt, .name = "Bash", .input = {"{}"}}},
        std::nullopt, cancel);
    if (answer.ok()) {
      done.text = std::get<core::HostDenies>(*answer).message;
    } else {
      done.outcome = core::TurnOutcome::interrupted;
      done.text = name_ + ":" + prompt;
    }
    return done;
  }

 private:
  std::string name_;
  core::SessionPort& port_;
};

// Answers a question with its own subject, or interrupts the session that asked; then sends the
// next prompt when the result is there. On the main thread.
class TwoSessionHost final : public protocol::Host {
 public:
  explicit TwoSessionHost(Mailbox& mailbox) : mailbox_(mailbox) {}

  protocol::HostMessage parse(std::string_view) const override { return {}; }
  protocol::HostMessage refuse(const LongLine&, std::size_t) const override { return {}; }
  void reply(std::string_view, const protocol::CommandResult&) override {}
  bool can_be_asked() const override { return true; }
  std::optional<core::HostAnswer> read_answer(const core::HostQuestion&,
                                              const protocol::RawAnswer& answer) const override {
    return core::HostDenies{answer.error};
  }
  void withdraw(std::string_view) override { ++withdrawn; }

  void ask(std::string_view request_id, const core::Address& from,
           const core::HostQuestion& question) override {
    const std::string& subject = std::get<core::MayRun>(question).call.id;
    EXPECT_TRUE(subject.starts_with(from.session_id + ":")) << subject;
    held_.push_back({std::string(request_id), from.session_id, subject});
    // Two questions are open at once, and answered in the other order, as long as both sessions
    // have work to do.
    if (held_.size() < 2 && live_ == 2) return;
    release();
  }

  void write(const core::Envelope& envelope, platform::SteadyTime) override {
    const std::string& id = envelope.address.session_id;
    if (const auto* text = std::get_if<core::TextDelta>(&envelope.event)) {
      EXPECT_TRUE(text->text.starts_with(id + ":")) << text->text;
    }
    const auto* done = std::get_if<core::TurnDone>(&envelope.event);
    if (done == nullptr) return;
    const std::string expected = id + ":" + std::to_string(rounds[id]);
    EXPECT_EQ(done->text, expected);
    const bool interrupted = done->outcome == core::TurnOutcome::interrupted;
    EXPECT_EQ(interrupted, interrupted_.erase(expected) > 0) << expected;
    if (++rounds[id] < k_rounds) {
      send(id, core::Prompt{core::UserMessage(std::to_string(rounds[id]))});
      return;
    }
    --live_;
    if (live_ == 1) release();
    if (live_ == 0) mailbox_.post_control(StdinClosed{});
  }

  void begin(const std::string& id) {
    ++live_;
    send(id, core::Prompt{core::UserMessage("0")});
  }

  std::map<std::string, int> rounds;
  int withdrawn = 0;

 private:
  struct Held {
    std::string request_id;
    std::string session_id;
    std::string subject;
  };

  void release() {
    while (!held_.empty()) {
      const Held held = held_.back();
      held_.pop_back();
      if (++questions_ % 3 == 0) {
        interrupted_.insert(held.subject);
        send(held.session_id, core::Interrupt{});
      } else {
        mailbox_.post_control(
            FromHost{{.content = protocol::RawAnswer{
                          .request_id = held.request_id, .response = {}, .error = held.subject}}});
      }
    }
  }
  void send(const std::string& id, core::Command command) {
    mailbox_.post_control(FromHost{{.content = std::move(command), .session_id = id}});
  }

  Mailbox& mailbox_;
  int live_ = 0;
  int questions_ = 0;
  std::vector<Held> held_;
  std::set<std::string> interrupted_;
};

class NoStream final : public platform::OutputStream {
 public:
  Result<void> write(std::string_view) override { return {}; }
};

TEST(TwoSessions, KeepLinesQuestionsAndInterruptsApart) {
  Mailbox mailbox;
  PendingRequests pending;
  Port port(mailbox, pending, Port::Questions::can_be_asked);
  core::SessionPort port_a(port, {"a"});
  core::SessionPort port_b(port, {"b"});
  AskingStrategy strategy_a("a", port_a);
  AskingStrategy strategy_b("b", port_b);
  TwoSessionHost host(mailbox);
  NoStream stream;
  protocol::LineWriter writer(stream);
  LastResort last_resort(writer);
  const platform::SystemClock clock;
  test::SessionServices services_a(strategy_a);
  test::SessionServices services_b(strategy_b);
  const auto on_idle = [&mailbox](const std::string& id) {
    return [&mailbox, id](std::uint64_t prompts) { mailbox.post_idle({id, prompts}); };
  };
  const auto a = services_a.open("a", port, on_idle("a"));
  const auto b = services_b.open("b", port, on_idle("b"));
  MainLoop loop({.mailbox = mailbox,
                 .pending = pending,
                 .host = host,
                 .writer = writer,
                 .stderr_stream = stream,
                 .clock = clock,
                 .log = null_log(),
                 .last_resort = last_resort,
                 .reject_empty_prompt = [] { return ExitCode::failure; },
                 .reject = [](const std::string&) { return ExitCode::failure; }},
                {a.get(), b.get()});
  host.begin("a");
  host.begin("b");
  const ExitCode code =
      loop.run(std::nullopt);  // of the last round, which may be an interrupted one
  EXPECT_TRUE(code == ExitCode::success || code == ExitCode::failure);
  EXPECT_EQ(host.rounds, (std::map<std::string, int>{{"a", k_rounds}, {"b", k_rounds}}));
  EXPECT_GT(host.withdrawn, k_rounds / 3);
}

}  // namespace
}  // namespace yume::runtime
