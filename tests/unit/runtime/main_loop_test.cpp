// SPDX-License-Identifier: MIT
// The main loop with a real mailbox and real turn threads. Nothing sleeps: a scripted turn posts
// what the outside world would, and waits for what must follow.
#include "unit/runtime/main_loop_scene.h"

#include "support/forked.h"
#include "support/temporary_directory.h"

#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <fstream>
#include <functional>
#include <latch>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace yume::runtime {
namespace {

using namespace test_scene;

TEST(MainLoop, RunsOneTurnForAPromptAndEnds) {
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

TEST(MainLoop, WritesTheFirstLineBeforeAnyOtherThreadIsNeeded) {
  Scene scene;
  std::latch begun(1);
  scene.turn([&begun](core::EventSink&, const CancelToken&) {
    begun.wait();
    return good("hi");
  });
  Strings lines;
  scene.on_begun = [&] {
    lines = scene.lines();
    begun.count_down();
  };
  EXPECT_EQ(scene.run("question"), ExitCode::success);
  EXPECT_EQ(lines, Strings{k_session});
  EXPECT_EQ(scene.lines(), (Strings{k_session, result("success", "hi")}));
}

// The first one is recorded when it comes, so nothing can be added to it.
TEST(MainLoop, LeavesTheFirstPromptAloneAndMergesThoseBehindIt) {
  Scene scene;
  scene.turn([](core::EventSink& sink, const CancelToken&) {
    settle(sink);
    return good("1");
  });
  for (const char* text : {"one", "two", "three"}) scene.say(prompt(text));
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.strategy.prompts, (Strings{"one", "two\n\nthree"}));
  EXPECT_EQ(scene.lines(), (Strings{k_session, result("success", "1"), k_session,
                                    result("success", "unscripted")}));
}

TEST(MainLoop, TurnsTheOutcomeIntoAnExitCode) {
  using core::TurnOutcome;
  for (const auto& [outcome, code] :
       std::vector<std::pair<TurnOutcome, ExitCode>>{{TurnOutcome::success, ExitCode::success},
                                                     {TurnOutcome::interrupted, ExitCode::failure},
                                                     {TurnOutcome::failed, ExitCode::failure},
                                                     {TurnOutcome::max_turns, ExitCode::failure}}) {
    Scene scene;
    scene.turn(
        [outcome = outcome](core::EventSink&, const CancelToken&) { return ended(outcome); });
    EXPECT_EQ(scene.run("q"), code) << static_cast<int>(outcome);
    EXPECT_EQ(scene.lines().size(), 2U);
  }
}

TEST(MainLoop, GivesAResultEvenWhenTheStrategyThrows) {
  Scene scene;
  scene.turn([](core::EventSink&, const CancelToken&) -> core::TurnDone {
    throw std::runtime_error("boom");
  });
  EXPECT_EQ(scene.run("q"), ExitCode::failure);
  EXPECT_EQ(scene.lines(),
            (Strings{k_session, result("failed", "Internal error: boom") + " kind=unknown"}));
}

TEST(MainLoop, EndsWithItsResultWhenATurnRunsOutOfMemory) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken&) -> core::TurnDone {
    scene.say(prompt("two"));
    settle(sink);
    throw std::bad_alloc();
  });
  scene.say(prompt("one"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.strategy.prompts, Strings{"one"}) << "its conversation may be half changed";
  ASSERT_EQ(scene.lines().size(), 2U);
  EXPECT_TRUE(scene.lines()[1].starts_with("turn failed \"Error: out of memory."));
}

TEST(MainLoop, GivesAResultWhenStdinBringsMoreThanMemoryHolds) {
  const test::TemporaryDirectory folder;
  const auto path = folder.path() / "out";
  EXPECT_EQ(test::exit_code_of([&] {
              Scene scene;
              scene.mailbox.post_control(OutOfMemory{});
              scene.host.on_result = [&] { std::ofstream(path) << scene.out.text; };
              return 100 + static_cast<int>(scene.run(std::nullopt));
            }),
            1);
  std::ifstream file(path);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  EXPECT_TRUE(line.starts_with("turn failed \"Error: out of memory.")) << line;
  EXPECT_FALSE(std::getline(file, line)) << line;
}

TEST(MainLoop, EndsQuietlyWhenStdinClosesWithoutAMessage) {
  Scene scene;
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines(), Strings{});
}

TEST(MainLoop, FinishesTheTurnWhenStdinCloses) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    scene.mailbox.post_control(StdinClosed{});
    EXPECT_TRUE(sink.post(core::TextDelta{"still here"}));
    EXPECT_TRUE(sink.flush({}));
    EXPECT_FALSE(cancel.stop_requested());
    return good("done");
  });
  scene.say(prompt("q"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines(), (Strings{k_session, "text still here", result("success", "done")}));
}

TEST(MainLoop, MergesPromptsThatComeDuringATurn) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken&) {
    scene.say(prompt("two"));
    scene.say(prompt("three"));
    settle(sink);
    return good("1");
  });
  scene.turn([&scene](core::EventSink&, const CancelToken&) {
    scene.mailbox.post_control(StdinClosed{});
    return good("2");
  });
  scene.say(prompt("one"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.strategy.prompts, (Strings{"one", "two\n\nthree"}));
  EXPECT_EQ(scene.lines(),
            (Strings{k_session, result("success", "1"), k_session, result("success", "2")}));
}

TEST(MainLoop, LetsTheLastResultDecideTheExitCode) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken&) {
    scene.say(prompt("two"));
    settle(sink);
    return ended(core::TurnOutcome::failed);
  });
  scene.turn([&scene](core::EventSink&, const CancelToken&) {
    scene.mailbox.post_control(StdinClosed{});
    return good("");
  });
  scene.say(prompt("one"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
}

TEST(MainLoop, AsksForSomethingWhenThePromptIsBlank) {
  Scene scene;
  scene.mailbox.post_control(TextFromStdin{" \n\t"});
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{"rejected"});
  EXPECT_EQ(scene.strategy.prompts, Strings{});
}

TEST(MainLoop, RefusesAMessageWithAResultOfItsOwnAndGoesOn) {
  Scene scene;
  scene.say(message(core::Refused{"too long"}));
  scene.say(prompt("short"));
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines(),
            (Strings{k_session, "rejected: too long", k_session, result("success", "unscripted")}));
}

TEST(MainLoop, TellsOfARefusedMessageOnlyWhenTheTurnHasItsResult) {
  for (const auto& [refused, line] : std::vector<std::pair<protocol::HostMessage, std::string>>{
           {message(core::Refused{"too long"}), "rejected: too long"}, {prompt(" "), "rejected"}}) {
    Scene scene;
    scene.turn([&scene, &said = refused](core::EventSink& sink, const CancelToken&) {
      scene.say(said);
      scene.mailbox.post_control(StdinClosed{});
      EXPECT_TRUE(sink.post(core::TextDelta{"still here"}));
      EXPECT_TRUE(sink.flush({}));
      return good("done");
    });
    scene.say(prompt("one"));
    EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
    EXPECT_EQ(scene.lines(),
              (Strings{k_session, "text still here", result("success", "done"), k_session, line}));
  }
}

TEST(MainLoop, AnswersARefusedRequestWithAnError) {
  Scene scene;
  scene.say(message(core::Refused{"too long"}, "r1"));
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines(), Strings{protocol::control_error("r1", "too long", "request_too_large")});
}

TEST(MainLoop, RefusesATextPromptThatIsTooLong) {
  Scene scene;
  scene.mailbox.post_control(StdinBegan{});
  scene.mailbox.post_control(TextRefused{"too long"});
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{"rejected: too long"});
  EXPECT_EQ(scene.strategy.prompts, Strings{});
}

TEST(MainLoop, TakesATextPromptFromStdin) {
  Scene scene;
  scene.mailbox.post_control(TextFromStdin{"from stdin\n"});
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.strategy.prompts, Strings{"from stdin\n"});
}

TEST(MainLoop, LosesPatienceWithAStdinThatStaysSilent) {
  Scene scene;
  scene.old_clock.emplace();
  scene.patience = std::chrono::milliseconds(0);
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{"rejected"});
}

TEST(MainLoop, WaitsForTheRestOfAPromptThatHasBegun) {
  Scene scene;
  scene.old_clock.emplace();
  scene.patience = std::chrono::milliseconds(0);
  scene.mailbox.post_control(StdinBegan{});
  std::thread slow_writer([&scene] {
    scene.old_clock->now = 1'000'000;
    scene.mailbox.post_control(TextFromStdin{"late"});
    scene.mailbox.post_control(StdinClosed{});
  });
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  slow_writer.join();
  EXPECT_EQ(scene.strategy.prompts, Strings{"late"});
}

TEST(MainLoop, PutsWhatStdinAddsBelowOrAboveThePrompt) {
  const auto asked = [](StdinPlace place, const std::string& given, const std::string& stdin_text) {
    Scene scene;
    scene.stdin_place = place;
    scene.mailbox.post_control(TextFromStdin{stdin_text});
    scene.mailbox.post_control(StdinClosed{});
    EXPECT_EQ(scene.run(given), ExitCode::success);
    return scene.strategy.prompts;
  };
  EXPECT_EQ(asked(StdinPlace::below_prompt, "why?", "a log"), Strings{"why?\na log"});
  EXPECT_EQ(asked(StdinPlace::above_prompt, "why?", "a log"), Strings{"a log\n\nwhy?"});
  EXPECT_EQ(asked(StdinPlace::above_prompt, "why?", " \n"), Strings{"why?"});
  EXPECT_EQ(asked(StdinPlace::above_prompt, "", "a log"), Strings{"a log"});
}

TEST(MainLoop, EndsATurnThatTakesTooLongAndGoesOnWithTheNext) {
  Scene scene;
  scene.old_clock.emplace();
  scene.timeout = std::chrono::milliseconds(1500);
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    sink.post(core::TextDelta{"half"});
    scene.say(prompt("next"));
    settle(sink);
    scene.old_clock->now = 1500;
    wait_until_cancelled(cancel);
    return ended(core::TurnOutcome::interrupted);
  });
  scene.turn([&scene](core::EventSink&, const CancelToken&) {
    scene.mailbox.post_control(StdinClosed{});
    return good("in time");
  });
  scene.say(prompt("slow"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(
      scene.lines(),
      (Strings{k_session, "text half",
               result("timed_out", "The turn took longer than 1.5 s (--timeout) and was ended"),
               k_session, result("success", "in time")}));
}

TEST(MainLoop, LeavesAnInterruptAnInterruptWhereThereIsATimeout) {
  Scene scene;
  scene.timeout = std::chrono::hours(1);
  scene.turn([&scene](core::EventSink&, const CancelToken& cancel) {
    scene.signal(Signal::interrupt);
    wait_until_cancelled(cancel);
    return ended(core::TurnOutcome::interrupted);
  });
  EXPECT_EQ(scene.run("q"), ExitCode::success);
  EXPECT_EQ(scene.lines(), (Strings{k_session, result("interrupted")}));
}

TEST(MainLoop, DeliversTheResultOfAnInterruptAndEndsWithZero) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    sink.post(core::TextDelta{"half"});
    scene.say(prompt("never asked"));
    scene.signal(Signal::interrupt);
    wait_until_cancelled(cancel);
    return ended(core::TurnOutcome::interrupted);
  });
  EXPECT_EQ(scene.run("q"), ExitCode::success);
  EXPECT_EQ(scene.lines(), (Strings{k_session, "text half", result("interrupted")}));
  EXPECT_EQ(scene.strategy.prompts, Strings{"q"});
}

TEST(MainLoop, EndsWithOneWhenInterruptedBeforeAnythingBegan) {
  Scene scene;
  scene.signal(Signal::interrupt);
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{});
}

TEST(MainLoop, KeepsTheCodeOfAResultDeliveredBeforeTheInterrupt) {
  for (const auto outcome : {core::TurnOutcome::success, core::TurnOutcome::failed}) {
    Scene scene;
    scene.host.on_result = [&scene] { scene.signal(Signal::interrupt); };
    scene.turn([outcome](core::EventSink&, const CancelToken&) { return ended(outcome); });
    scene.say(prompt("q"));
    const bool good_turn = outcome == core::TurnOutcome::success;
    EXPECT_EQ(scene.run(std::nullopt), good_turn ? ExitCode::success : ExitCode::failure);
  }
}

TEST(MainLoop, GivesTheEmitterTheTimeItAsksFor) {
  Scene scene;
  scene.old_clock.emplace();
  scene.host.earliest = platform::SteadyTime{std::chrono::milliseconds(5)};
  EXPECT_EQ(scene.run("q"), ExitCode::success);
  EXPECT_EQ(scene.host.first_event_at, platform::SteadyTime{std::chrono::milliseconds(5)});
}

TEST(MainLoop, SaysNothingMoreAfterSigterm) {
  for (const Signal which : {Signal::terminate, Signal::hangup, Signal::quit}) {
    Scene scene;
    scene.turn([&scene, which](core::EventSink& sink, const CancelToken& cancel) {
      EXPECT_TRUE(sink.post(core::TextDelta{"before"}));
      EXPECT_TRUE(sink.flush({}));
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

TEST(MainLoop, EndsAtOnceAtTheSecondInterrupt) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    settle(sink);
    scene.signal(Signal::interrupt);
    wait_until_cancelled(cancel);
    scene.signal(Signal::interrupt);
    while (sink.flush({})) {
    }
    return ended(core::TurnOutcome::interrupted);
  });
  EXPECT_EQ(scene.run("q"), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{k_session});
}

TEST(MainLoop, StopsTheTurnWhenStdoutIsGone) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    EXPECT_TRUE(sink.flush({}));
    scene.out.broken = true;
    sink.post(core::TextDelta{"nobody reads this"});
    wait_until_cancelled(cancel);
    return good("");
  });
  EXPECT_EQ(scene.run("q"), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{k_session});
  EXPECT_EQ(scene.err.text, "");
}

TEST(MainLoop, EndsAfterABadLineWithTheResultDelivered) {
  Scene scene;
  scene.turn([&scene](core::EventSink&, const CancelToken& cancel) {
    scene.say(message(core::Malformed{"Error parsing"}));
    wait_until_cancelled(cancel);
    return ended(core::TurnOutcome::interrupted);
  });
  scene.say(prompt("q"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.lines(), (Strings{k_session, result("interrupted")}));
  EXPECT_EQ(scene.err.text, "Error parsing\n");
}

TEST(MainLoop, EndsAtABadLineBeforeAnyTurn) {
  Scene scene;
  scene.say(message(core::Malformed{"Error parsing"}));
  scene.say(prompt("never asked"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.lines(), Strings{});
  EXPECT_EQ(scene.err.text, "Error parsing\n");
}

const std::string k_interrupted =
    R"({"type":"control_response","response":{"subtype":"success","request_id":"r1",)"
    R"("response":{"still_queued":[]}}})";

TEST(MainLoop, GoesOnAfterAnInterruptRequest) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    EXPECT_TRUE(sink.flush({}));  // replies may overtake lines
    scene.say(message(core::Interrupt{}, "r1"));
    wait_until_cancelled(cancel);
    scene.say(prompt("two"));
    return ended(core::TurnOutcome::interrupted);
  });
  scene.turn([&scene](core::EventSink&, const CancelToken& cancel) {
    EXPECT_FALSE(cancel.stop_requested()) << "a fresh token for each turn";
    scene.mailbox.post_control(StdinClosed{});
    return good("two");
  });
  scene.say(prompt("one"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines(), (Strings{k_session, k_interrupted, result("interrupted"), k_session,
                                    result("success", "two")}));
}

// The patience with an interrupted turn is not that with the one behind it.
TEST(MainLoop, GivesTheTurnBehindAnInterruptedOneAllTheTimeThatItNeeds) {
  Scene scene;
  scene.old_clock.emplace();
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    scene.say(prompt("two"));
    settle(sink);
    scene.say(message(core::Interrupt{}, "r1"));
    wait_until_cancelled(cancel);
    return ended(core::TurnOutcome::interrupted);
  });
  scene.turn([&scene](core::EventSink& sink, const CancelToken&) {
    settle(sink);
    scene.old_clock->now = 60'000;
    settle(sink);  // here the process would end
    settle(sink);
    scene.mailbox.post_control(StdinClosed{});
    return good("two");
  });
  scene.say(prompt("one"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines().back(), result("success", "two"));
}

// An idle host may interrupt to be sure; its settings may not have been taken yet.
TEST(MainLoop, DoesNotKeepAnInterruptForTheNextTurn) {
  Scene scene;
  scene.turn([&scene](core::EventSink&, const CancelToken& cancel) {
    EXPECT_FALSE(cancel.stop_requested());
    scene.mailbox.post_control(StdinClosed{});
    return good("one");
  });
  scene.say(message(core::Initialize{}, "r0"));
  scene.say(message(core::Interrupt{}, "r1"));
  scene.say(prompt("one"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
}

TEST(MainLoop, EndsWithOneWhenTheHostInterruptedTheLastTurn) {
  Scene scene;
  scene.turn([&scene](core::EventSink&, const CancelToken& cancel) {
    scene.say(message(core::Interrupt{}, "r1"));
    wait_until_cancelled(cancel);
    scene.mailbox.post_control(StdinClosed{});
    return ended(core::TurnOutcome::interrupted);
  });
  scene.say(prompt("one"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
}

// A prompt that comes when the session has just become idle: what it said before that is not the
// end of the turn that follows.
TEST(MainLoop, WaitsForTheTurnOfAPromptThatCameAtTheLastMoment) {
  for (int round = 0; round < 200; ++round) {
    Scene scene;
    scene.turn([&scene](core::EventSink&, const CancelToken&) {
      scene.say(prompt("two"));
      return good("1");
    });
    scene.turn([&scene](core::EventSink&, const CancelToken&) {
      scene.mailbox.post_control(StdinClosed{});
      return good("2");
    });
    scene.say(prompt("one"));
    EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
    ASSERT_EQ(scene.lines(),
              (Strings{k_session, result("success", "1"), k_session, result("success", "2")}));
  }
}

TEST(MainLoop, AnswersAnInterruptRequestWhenIdle) {
  Scene scene;
  scene.say(message(core::Interrupt{}, "r1"));
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines(), Strings{k_interrupted});
}

TEST(MainLoop, AnswersInitializeBeforeTheFirstInit) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken&) {
    EXPECT_TRUE(sink.flush({}));
    EXPECT_EQ(scene.services.spec().prompt.appended, "r1");
    scene.say(message(core::Initialize{std::nullopt, "r2"}, "r2"));
    scene.say(prompt("again"));
    scene.mailbox.post_control(StdinClosed{});
    settle(sink);
    return good("1");
  });
  scene.turn([&scene](core::EventSink&, const CancelToken&) {
    EXPECT_EQ(scene.services.spec().prompt.appended, "r2");
    return good("2");
  });
  scene.say(message(core::Initialize{std::nullopt, "r1"}, "r1"));
  scene.say(prompt("q"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  const Strings lines = scene.lines();
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_NE(lines[0].find(R"("request_id":"r1","response":{"commands":[{"name":"clear",)"),
            std::string::npos);
  EXPECT_EQ(lines[1], k_session);
  EXPECT_NE(lines[2].find(R"("request_id":"r2")"), std::string::npos);
  EXPECT_EQ(lines[3], result("success", "1"));
  EXPECT_EQ(lines[4], k_session);
  EXPECT_EQ(lines[5], result("success", "2"));
}

TEST(MainLoop, RefusesRequestsItDoesNotServe) {
  Scene scene;
  scene.say(message(core::Unsupported{"set_model"}, "r1"));
  scene.say(message(core::Ignored{}));
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines(),
            Strings{R"({"type":"control_response","response":{"subtype":"error","request_id":"r1",)"
                    R"("error":"Unsupported control request subtype: set_model",)"
                    R"("error_code":"unsupported_request"}})"});
}

TEST(MainLoop, WakesTheEmitterWhenItAsks) {
  Scene scene;
  scene.host.wake = platform::SteadyTime{};  // long ago
  scene.turn([&scene](core::EventSink&, const CancelToken&) {
    scene.host.woken.wait();
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
  PendingRequests pending;
  Port port(mailbox, pending, Port::Questions::cannot_be_asked);
  FileStream out(path);
  MemoryStream err;
  protocol::LineWriter writer(out);
  LastResort last_resort(writer);
  LineHost host(writer);
  FakeStrategy strategy;
  OldClock clock;
  strategy.turns.emplace_back([&](core::EventSink& sink, const CancelToken& cancel) {
    settle(sink);
    mailbox.post_control(SignalReceived{signal});
    wait_until_cancelled(cancel);
    clock.now = 4'000;
    std::latch never(1);
    never.wait();
    return good("");
  });
  test::SessionServices services(strategy);
  const auto session = services.open("S", port, [&](std::uint64_t prompts) {
    mailbox.post_idle({"S", prompts});
  });
  MainLoop loop({.mailbox = mailbox,
                 .pending = pending,
                 .host = host,
                 .writer = writer,
                 .stderr_stream = err,
                 .clock = clock,
                 .log = null_log(),
                 .last_resort = last_resort,
                 .reject_empty_prompt = [] { return ExitCode::failure; },
                 .reject = [](const std::string&) { return ExitCode::failure; }},
                {session.get()});
  return 100 + static_cast<int>(loop.run("q"));
}

TEST(MainLoop, EndsAroundATurnThatDoesNotAnswer) {
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
}  // namespace yume::runtime
