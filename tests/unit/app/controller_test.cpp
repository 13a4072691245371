// SPDX-License-Identifier: MIT
// The main loop with a real mailbox and real turn threads. Nothing sleeps: a scripted turn posts
// what the outside world would, and waits for what must follow.
#include "app/controller.h"

#include "support/event_text.h"
#include "support/forked.h"
#include "support/temporary_directory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <fstream>
#include <functional>
#include <latch>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace yume::app {
namespace {

using Strings = std::vector<std::string>;
using platform::Signal;

void wait_until_cancelled(const CancelToken& cancel) {
  std::latch cancelled(1);
  const OnCancel on_cancel(cancel, [&cancelled] { cancelled.count_down(); });
  cancelled.wait();
}

core::TurnDone ended(core::TurnOutcome outcome, std::string text = "") {
  core::TurnDone done;
  done.outcome = outcome;
  done.text = std::move(text);
  return done;
}

core::TurnDone good(std::string text) {
  return ended(core::TurnOutcome::success, std::move(text));
}

class FakeStrategy final : public strategies::Strategy {
 public:
  using Turn = std::function<core::TurnDone(core::EventSink&, const CancelToken&)>;

  core::TurnDone run_turn(const core::UserMessage& message, core::EventSink& sink,
                          const CancelToken& cancel) override {
    prompts.push_back(std::get<std::string>(message.blocks.at(0)));
    if (turns.empty()) return good("unscripted");
    const Turn turn = std::move(turns.front());
    turns.pop_front();
    return turn(sink, cancel);
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

// One line per event, as a dialect would write it.
class LineEmitter final : public protocol::Emitter {
 public:
  explicit LineEmitter(protocol::Output& output) : output_(output) {}
  void on_event(const core::Event& event, platform::SteadyTime now) override {
    if (!first_event_at) first_event_at = now;
    output_.line(test::text_of(event));
    if (on_result && std::holds_alternative<core::TurnDone>(event)) on_result();
  }
  std::optional<platform::SteadyTime> not_before(const core::Event&) const override {
    return earliest;
  }
  std::optional<platform::SteadyTime> wake_at() const override { return wake; }
  void on_time(platform::SteadyTime) override {
    if (!std::exchange(wake, std::nullopt)) return;
    woken.count_down();
  }
  std::optional<platform::SteadyTime> wake;
  std::latch woken{1};
  std::function<void()> on_result;
  std::optional<platform::SteadyTime> earliest;
  std::optional<platform::SteadyTime> first_event_at;

 private:
  protocol::Output& output_;
};

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
    Controller controller(
        {.mailbox = mailbox,
         .writer = writer,
         .emitter = emitter,
         .strategy = strategy,
         .stderr_stream = err,
         .clock = old_clock ? static_cast<const platform::Clock&>(*old_clock) : clock,
         .stdin_patience = patience,
         .reject_empty_prompt =
             [this] {
               writer.line("rejected");
               return ExitCode::failure;
             },
         .on_initialize =
             [this](const protocol::InitializeRequest& request) {
               initialized.push_back(request.request_id);
               return protocol::HostHookService::none_asked;
             }},
        {.session_id = "S", .model = "m", .cwd = "/w", .tools = {}, .credential_source = {}});
    return controller.run(std::move(prompt));
  }

  void say(protocol::Inbound inbound) { mailbox.post_control(std::move(inbound)); }
  void signal(Signal which) { mailbox.post_control(SignalReceived{which}); }
  void turn(FakeStrategy::Turn what) { strategy.turns.push_back(std::move(what)); }

  Strings lines() const {
    Strings all;
    std::istringstream text(out.text);
    for (std::string line; std::getline(text, line);) all.push_back(line);
    return all;
  }

  Mailbox mailbox;
  MemoryStream out;
  MemoryStream err;
  protocol::LineWriter writer{out};
  LineEmitter emitter{writer};
  FakeStrategy strategy;
  platform::SystemClock clock;
  std::optional<OldClock> old_clock;
  std::optional<std::chrono::milliseconds> patience;
  Strings initialized;
};

const std::string k_session = "session S m /w default [] ";

std::string result(const std::string& outcome, const std::string& text = "") {
  return "turn " + outcome + " \"" + text + "\" stop=end_turn turns=1 last=0/0/0/0 total=0/0/0/0";
}

TEST(Controller, RunsOneTurnForAPromptAndEnds) {
  Scene scene;
  scene.turn([](core::EventSink& sink, const CancelToken&) {
    sink.post(core::TextDelta{"hi"});
    sink.post(core::MessageDone{});
    return good("hi");
  });
  EXPECT_EQ(scene.run("question"), ExitCode::success);
  EXPECT_EQ(scene.strategy.prompts, Strings{"question"});
  EXPECT_EQ(scene.lines(),
            (Strings{k_session, "text hi", "done end_turn 0/0/0/0", result("success", "hi")}));
  EXPECT_EQ(scene.err.text, "");
}

TEST(Controller, TurnsTheOutcomeIntoAnExitCode) {
  using core::TurnOutcome;
  for (const auto& [outcome, code] :
       std::vector<std::pair<TurnOutcome, ExitCode>>{{TurnOutcome::success, ExitCode::success},
                                                     {TurnOutcome::interrupted, ExitCode::success},
                                                     {TurnOutcome::failed, ExitCode::failure},
                                                     {TurnOutcome::max_turns, ExitCode::failure}}) {
    Scene scene;
    scene.turn(
        [outcome = outcome](core::EventSink&, const CancelToken&) { return ended(outcome); });
    EXPECT_EQ(scene.run("q"), code) << static_cast<int>(outcome);
    EXPECT_EQ(scene.lines().size(), 2U);
  }
}

TEST(Controller, GivesAResultEvenWhenTheStrategyThrows) {
  Scene scene;
  scene.turn([](core::EventSink&, const CancelToken&) -> core::TurnDone {
    throw std::runtime_error("boom");
  });
  EXPECT_EQ(scene.run("q"), ExitCode::failure);
  EXPECT_EQ(scene.lines(),
            (Strings{k_session, result("failed", "Internal error: boom") + " kind=8"}));
}

TEST(Controller, EndsQuietlyWhenStdinClosesWithoutAMessage) {
  Scene scene;
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines(), Strings{});
}

TEST(Controller, FinishesTheTurnWhenStdinCloses) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    scene.mailbox.post_control(StdinClosed{});
    EXPECT_TRUE(sink.post(core::TextDelta{"still here"}));
    EXPECT_TRUE(sink.flush());
    EXPECT_FALSE(cancel.stop_requested());
    return good("done");
  });
  scene.say(protocol::UserPrompt{core::UserMessage("q")});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines(), (Strings{k_session, "text still here", result("success", "done")}));
}

TEST(Controller, MergesPromptsThatComeDuringATurn) {
  Scene scene;
  scene.turn([&scene](core::EventSink&, const CancelToken&) {
    scene.say(protocol::UserPrompt{core::UserMessage("two")});
    scene.say(protocol::UserPrompt{core::UserMessage("three")});
    return good("1");
  });
  scene.turn([&scene](core::EventSink&, const CancelToken&) {
    scene.mailbox.post_control(StdinClosed{});
    return good("2");
  });
  scene.say(protocol::UserPrompt{core::UserMessage("one")});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.strategy.prompts, (Strings{"one", "two\n\nthree"}));
  EXPECT_EQ(scene.lines(),
            (Strings{k_session, result("success", "1"), k_session, result("success", "2")}));
}

TEST(Controller, LetsTheLastResultDecideTheExitCode) {
  Scene scene;
  scene.turn([&scene](core::EventSink&, const CancelToken&) {
    scene.say(protocol::UserPrompt{core::UserMessage("two")});
    return ended(core::TurnOutcome::failed);
  });
  scene.turn([&scene](core::EventSink&, const CancelToken&) {
    scene.mailbox.post_control(StdinClosed{});
    return good("");
  });
  scene.say(protocol::UserPrompt{core::UserMessage("one")});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
}

TEST(Controller, AsksForSomethingWhenThePromptIsBlank) {
  Scene scene;
  scene.mailbox.post_control(PromptFromStdin{" \n\t"});
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{"rejected"});
  EXPECT_EQ(scene.strategy.prompts, Strings{});
}

TEST(Controller, TakesATextPromptFromStdin) {
  Scene scene;
  scene.mailbox.post_control(PromptFromStdin{"from stdin\n"});
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.strategy.prompts, Strings{"from stdin\n"});
}

TEST(Controller, LosesPatienceWithAStdinThatStaysSilent) {
  Scene scene;
  scene.old_clock.emplace();
  scene.patience = std::chrono::milliseconds(0);
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{"rejected"});
}

TEST(Controller, WaitsForTheRestOfAPromptThatHasBegun) {
  Scene scene;
  scene.old_clock.emplace();
  scene.patience = std::chrono::milliseconds(0);
  scene.mailbox.post_control(StdinBegan{});
  std::thread slow_writer([&scene] {
    scene.old_clock->now = 1'000'000;
    scene.mailbox.post_control(PromptFromStdin{"late"});
    scene.mailbox.post_control(StdinClosed{});
  });
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  slow_writer.join();
  EXPECT_EQ(scene.strategy.prompts, Strings{"late"});
}

TEST(Controller, DeliversTheResultOfAnInterruptAndEndsWithZero) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    sink.post(core::TextDelta{"half"});
    scene.say(protocol::UserPrompt{core::UserMessage("never asked")});
    scene.signal(Signal::interrupt);
    wait_until_cancelled(cancel);
    return ended(core::TurnOutcome::interrupted);
  });
  EXPECT_EQ(scene.run("q"), ExitCode::success);
  EXPECT_EQ(scene.lines(), (Strings{k_session, "text half", result("interrupted")}));
  EXPECT_EQ(scene.strategy.prompts, Strings{"q"});
}

TEST(Controller, EndsWithOneWhenInterruptedBeforeAnythingBegan) {
  Scene scene;
  scene.signal(Signal::interrupt);
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{});
}

TEST(Controller, KeepsTheCodeOfAResultDeliveredBeforeTheInterrupt) {
  for (const auto outcome : {core::TurnOutcome::success, core::TurnOutcome::failed}) {
    Scene scene;
    scene.emitter.on_result = [&scene] { scene.signal(Signal::interrupt); };
    scene.turn([outcome](core::EventSink&, const CancelToken&) { return ended(outcome); });
    scene.say(protocol::UserPrompt{core::UserMessage("q")});
    const bool good_turn = outcome == core::TurnOutcome::success;
    EXPECT_EQ(scene.run(std::nullopt), good_turn ? ExitCode::success : ExitCode::failure);
  }
}

TEST(Controller, GivesTheEmitterTheTimeItAsksFor) {
  Scene scene;
  scene.old_clock.emplace();
  scene.emitter.earliest = platform::SteadyTime{std::chrono::milliseconds(5)};
  EXPECT_EQ(scene.run("q"), ExitCode::success);
  EXPECT_EQ(scene.emitter.first_event_at, platform::SteadyTime{std::chrono::milliseconds(5)});
}

TEST(Controller, SaysNothingMoreAfterSigterm) {
  for (const Signal which : {Signal::terminate, Signal::hangup, Signal::quit}) {
    Scene scene;
    scene.turn([&scene, which](core::EventSink& sink, const CancelToken& cancel) {
      EXPECT_TRUE(sink.post(core::TextDelta{"before"}));
      EXPECT_TRUE(sink.flush());
      scene.signal(which);
      wait_until_cancelled(cancel);
      while (sink.post(core::TextDelta{"after"})) {
      }
      return good("after");
    });
    EXPECT_EQ(scene.run("q"), ExitCode::terminated);
    EXPECT_EQ(scene.lines(), (Strings{k_session, "text before"}));
  }
}

TEST(Controller, EndsAtOnceAtTheSecondInterrupt) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    scene.signal(Signal::interrupt);
    wait_until_cancelled(cancel);
    scene.signal(Signal::interrupt);
    while (sink.flush()) {
    }
    return ended(core::TurnOutcome::interrupted);
  });
  EXPECT_EQ(scene.run("q"), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{k_session});
}

TEST(Controller, StopsTheTurnWhenStdoutIsGone) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    EXPECT_TRUE(sink.flush());
    scene.out.broken = true;
    sink.post(core::TextDelta{"nobody reads this"});
    wait_until_cancelled(cancel);
    return good("");
  });
  EXPECT_EQ(scene.run("q"), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{k_session});
  EXPECT_EQ(scene.err.text, "");
}

TEST(Controller, EndsAfterABadLineWithTheResultDelivered) {
  Scene scene;
  scene.turn([&scene](core::EventSink&, const CancelToken& cancel) {
    scene.say(protocol::BadLine{"Error parsing"});
    wait_until_cancelled(cancel);
    return ended(core::TurnOutcome::interrupted);
  });
  scene.say(protocol::UserPrompt{core::UserMessage("q")});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.lines(), (Strings{k_session, result("interrupted")}));
  EXPECT_EQ(scene.err.text, "Error parsing\n");
}

TEST(Controller, EndsAtABadLineBeforeAnyTurn) {
  Scene scene;
  scene.say(protocol::BadLine{"Error parsing"});
  scene.say(protocol::UserPrompt{core::UserMessage("never asked")});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{});
  EXPECT_EQ(scene.err.text, "Error parsing\n");
}

const std::string k_interrupted =
    R"({"type":"control_response","response":{"subtype":"success","request_id":"r1",)"
    R"("response":{"still_queued":[]}}})";

TEST(Controller, GoesOnAfterAnInterruptRequest) {
  Scene scene;
  scene.turn([&scene](core::EventSink&, const CancelToken& cancel) {
    scene.say(protocol::InterruptRequest{"r1"});
    wait_until_cancelled(cancel);
    scene.say(protocol::UserPrompt{core::UserMessage("two")});
    return ended(core::TurnOutcome::interrupted);
  });
  scene.turn([&scene](core::EventSink&, const CancelToken& cancel) {
    EXPECT_FALSE(cancel.stop_requested()) << "a fresh token for each turn";
    scene.mailbox.post_control(StdinClosed{});
    return good("two");
  });
  scene.say(protocol::UserPrompt{core::UserMessage("one")});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines(), (Strings{k_session, k_interrupted, result("interrupted"), k_session,
                                    result("success", "two")}));
}

TEST(Controller, AnswersAnInterruptRequestWhenIdle) {
  Scene scene;
  scene.say(protocol::InterruptRequest{"r1"});
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines(), Strings{k_interrupted});
}

TEST(Controller, AnswersInitializeBeforeTheFirstInit) {
  Scene scene;
  scene.turn([&scene](core::EventSink&, const CancelToken&) {
    scene.say(protocol::InitializeRequest{"r2", std::nullopt, ""});
    scene.mailbox.post_control(StdinClosed{});
    return good("");
  });
  scene.say(protocol::InitializeRequest{"r1", std::nullopt, ""});
  scene.say(protocol::UserPrompt{core::UserMessage("q")});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  ASSERT_EQ(scene.lines().size(), 4U);
  EXPECT_NE(scene.lines()[0].find(R"("request_id":"r1","response":{"commands":[])"),
            std::string::npos);
  EXPECT_EQ(scene.lines()[1], k_session);
  EXPECT_NE(scene.lines()[2].find(R"("request_id":"r2")"), std::string::npos);
  EXPECT_EQ(scene.initialized, Strings{"r1"}) << "a running turn keeps its prompt";
}

TEST(Controller, RefusesRequestsItDoesNotServe) {
  Scene scene;
  scene.say(protocol::UnsupportedRequest{"r1", "set_model"});
  scene.say(protocol::IgnoredLine{});
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines(),
            Strings{R"({"type":"control_response","response":{"subtype":"error","request_id":"r1",)"
                    R"("error":"Unsupported control request subtype: set_model",)"
                    R"("error_code":"unsupported_request"}})"});
}

TEST(Controller, WakesTheEmitterWhenItAsks) {
  Scene scene;
  scene.emitter.wake = platform::SteadyTime{};  // long ago
  scene.turn([&scene](core::EventSink&, const CancelToken&) {
    scene.emitter.woken.wait();
    return good("");
  });
  EXPECT_EQ(scene.run("q"), ExitCode::success);
}

class FileStream final : public platform::OutputStream {
 public:
  explicit FileStream(const std::filesystem::path& path) : file_(path) {}
  Result<void> write(std::string_view bytes) override {
    file_ << bytes << std::flush;
    return {};
  }

 private:
  std::ofstream file_;
};

// In a process of its own, for it ends in _Exit.
int run_deaf_turn(const std::filesystem::path& path, Signal signal) {
  Mailbox mailbox;
  FileStream out(path);
  MemoryStream err;
  protocol::LineWriter writer(out);
  LineEmitter emitter(writer);
  FakeStrategy strategy;
  OldClock clock;
  strategy.turns.emplace_back([&](core::EventSink&, const CancelToken& cancel) {
    mailbox.post_control(SignalReceived{signal});
    wait_until_cancelled(cancel);
    clock.now = 4'000;
    std::latch never(1);
    never.wait();
    return good("");
  });
  Controller controller(
      {.mailbox = mailbox,
       .writer = writer,
       .emitter = emitter,
       .strategy = strategy,
       .stderr_stream = err,
       .clock = clock,
       .reject_empty_prompt = [] { return ExitCode::failure; },
       .on_initialize =
           [](const protocol::InitializeRequest&) {
             return protocol::HostHookService::none_asked;
           }},
      {.session_id = "S", .model = "m", .cwd = "/w", .tools = {}, .credential_source = {}});
  return 100 + static_cast<int>(controller.run("q"));
}

TEST(Controller, EndsAroundATurnThatDoesNotAnswer) {
  const test::TemporaryDirectory folder;
  const auto lines_of = [](const std::filesystem::path& path) {
    std::ifstream file(path);
    Strings lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  };
  const auto interrupted = folder.path() / "interrupted";
  EXPECT_EQ(test::exit_code_of([&] { return run_deaf_turn(interrupted, Signal::interrupt); }), 0);
  EXPECT_EQ(lines_of(interrupted),
            (Strings{k_session,
                     "turn interrupted \"\" stop=aborted turns=2 last=0/0/0/0 total=0/0/0/0"}));
  const auto terminated = folder.path() / "terminated";
  EXPECT_EQ(test::exit_code_of([&] { return run_deaf_turn(terminated, Signal::terminate); }), 143);
  EXPECT_EQ(lines_of(terminated), Strings{k_session});
}

}  // namespace
}  // namespace yume::app
