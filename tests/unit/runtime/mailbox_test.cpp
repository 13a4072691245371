// SPDX-License-Identifier: MIT
#include "runtime/mailbox.h"

#include "support/event_text.h"
#include "util/overloaded.h"
#include "util/thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace yume::runtime {
namespace {

Data text(const std::string& words) {
  return core::Envelope{.address = {"S"}, .event = core::TextDelta{words}};
}

std::string text_of(const Control& control) {
  return std::visit(Overloaded{
                        [](const FromHost&) -> std::string { return "line"; },
                        [](const PromptTyped&) -> std::string { return "typed"; },
                        [](const LineTyped&) -> std::string { return "typed"; },
                        [](const MessageRefused& refused) { return "refused " + refused.why; },
                        [](const TextFromStdin& prompt) { return "prompt " + prompt.text; },
                        [](const TextRefused& refused) { return "text refused " + refused.why; },
                        [](const StdinBegan&) -> std::string { return "stdin began"; },
                        [](const StdinClosed&) -> std::string { return "stdin closed"; },
                        [](const ReaderLost&) -> std::string { return "reader lost"; },
                        [](const OutOfMemory&) { return std::string("out of memory"); },
                        [](const SignalReceived&) -> std::string { return "signal"; },
                        [](const ReplyReady&) -> std::string { return "reply"; },
                        [](const SessionOpened&) -> std::string { return "opened"; },
                        [](const SessionClosed&) -> std::string { return "session closed"; },
                    },
                    control);
}

std::string text_of(const Data& data) {
  return std::visit(
      Overloaded{
          [](const core::Envelope& envelope) { return test::text_of(envelope.event); },
          [](const QuestionAsked& asked) { return "question " + asked.request_id; },
          [](const QuestionWithdrawn& gone) { return "withdrawn " + gone.request_id; },
          [](const SessionIdle& idle) { return "idle " + idle.session_id; },
      },
      data);
}

std::string text_of(const std::optional<Item>& item) {
  if (!item) return "nothing";
  return std::visit([](const auto& lane) { return text_of(lane); }, *item);
}

// In the past: take() does not wait.
const platform::SteadyTime k_past{};

TEST(Mailbox, HandsOutDataInOrder) {
  Mailbox mailbox;
  EXPECT_TRUE(mailbox.post(text("a")));
  EXPECT_TRUE(mailbox.post(text("b")));
  mailbox.post_idle({"S"});
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "text a");
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "text b");
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "idle S");
  EXPECT_EQ(text_of(mailbox.take(k_past)), "nothing");
}

TEST(Mailbox, HandsOutControlFirst) {
  Mailbox mailbox;
  mailbox.post(text("a"));
  mailbox.post_control(TextFromStdin{"p"});
  mailbox.post_control(StdinClosed{});
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "prompt p");
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "stdin closed");
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "text a");
}

TEST(Mailbox, WakesTheReaderForBothLanes) {
  Mailbox mailbox;
  std::thread sender([&mailbox] { mailbox.post(text("a")); });
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "text a");
  sender.join();
  std::thread host([&mailbox] { mailbox.post_control(StdinClosed{}); });
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "stdin closed");
  host.join();
}

// Posts until told to stop; says how far it came.
struct Poster {
  Poster(Mailbox& mailbox, std::string words, int count)
      : thread([this, &mailbox, words = std::move(words), count] {
          for (int i = 0; i < count; ++i) {
            if (!mailbox.post(text(words))) {
              refused = true;
              return;
            }
            ++posted;
          }
        }) {}
  std::atomic<int> posted{0};
  std::atomic<bool> refused{false};
  std::thread thread;
};

TEST(Mailbox, BoundsTheNumberOfWaitingItems) {
  constexpr int k_count = 20'000;
  Mailbox mailbox;
  Poster poster(mailbox, "x", k_count);
  for (int taken = 0; taken < k_count; ++taken) {
    ASSERT_EQ(text_of(mailbox.take(std::nullopt)), "text x");
    // What is counted as posted has been put in, so it can lead by the capacity at most.
    ASSERT_LE(poster.posted.load(), taken + 1 + 1024);
  }
  poster.thread.join();
  EXPECT_EQ(poster.posted.load(), k_count);
}

TEST(Mailbox, BoundsTheBytesOfWaitingItems) {
  constexpr int k_count = 40;
  Mailbox mailbox;
  const std::string megabyte(1U << 20U, 'x');
  Poster poster(mailbox, megabyte, k_count);
  for (int taken = 0; taken < k_count; ++taken) {
    ASSERT_TRUE(mailbox.take(std::nullopt).has_value());
    ASSERT_LE(poster.posted.load(), taken + 1 + 4);
  }
  poster.thread.join();
  EXPECT_EQ(poster.posted.load(), k_count);
}

TEST(Mailbox, TakesControlEvenWhenTheDataLaneIsFull) {
  Mailbox mailbox;
  Poster poster(mailbox, std::string(4U << 20U, 'x'), 3);
  mailbox.post_control(StdinClosed{});  // never blocks
  int closed = 0;
  int texts = 0;
  while (closed + texts < 4) {
    text_of(mailbox.take(std::nullopt)) == "stdin closed" ? ++closed : ++texts;
  }
  poster.thread.join();
  EXPECT_EQ(closed, 1);
  EXPECT_EQ(texts, 3);
}

TEST(Mailbox, FlushWaitsUntilTheItemHasBeenDealtWith) {
  Mailbox mailbox;
  std::atomic<bool> written{false};
  std::atomic<bool> seen_written{false};
  std::thread turn([&] {
    mailbox.post(text("a"));
    EXPECT_TRUE(mailbox.flush({}));
    seen_written = written.load();
    mailbox.post_idle({"S"});
  });
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "text a");
  written = true;  // what the main thread does before it comes back for more
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "idle S");
  turn.join();
  EXPECT_TRUE(seen_written.load());
}

TEST(Mailbox, FlushReturnsAtOnceWhenNothingIsWaiting) {
  Mailbox mailbox;
  EXPECT_TRUE(mailbox.flush({}));
  mailbox.post(text("a"));
  mailbox.take(std::nullopt);
  mailbox.take(k_past);
  EXPECT_TRUE(mailbox.flush({}));
}

TEST(Mailbox, CloseFreesAWriterThatWaitsForRoom) {
  Mailbox mailbox;
  Poster poster(mailbox, std::string(4U << 20U, 'x'), 2);
  while (poster.posted.load() < 1) std::this_thread::yield();
  mailbox.close();
  poster.thread.join();
  EXPECT_TRUE(poster.refused.load());
}

TEST(Mailbox, CloseFreesAWriterThatFlushes) {
  Mailbox mailbox;
  std::latch posted(1);
  bool flushed = true;
  std::thread turn([&] {
    mailbox.post(text("a"));
    posted.count_down();
    flushed = mailbox.flush({});
  });
  posted.wait();
  mailbox.close();
  turn.join();
  EXPECT_FALSE(flushed);
}

TEST(Mailbox, LetsOnlyIdleSessionsThroughAfterClose) {
  Mailbox mailbox;
  mailbox.post(text("dropped"));
  mailbox.post_idle({"R"});
  mailbox.close();
  EXPECT_FALSE(mailbox.post(text("refused")));
  EXPECT_FALSE(mailbox.flush({}));
  mailbox.post_idle({"S"});
  mailbox.post_control(StdinClosed{});
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "stdin closed");
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "idle R") << "queued before, and not dropped";
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "idle S");
  EXPECT_EQ(text_of(mailbox.take(k_past)), "nothing");
}

TEST(Mailbox, FlushEndsWithItsToken) {
  Mailbox mailbox;
  mailbox.post(text("never taken"));
  CancelSource source;
  source.request_stop();
  EXPECT_FALSE(mailbox.flush(source.get_token()));
}

// The one flag that several waiters shared lost wake-ups: a background command's report waited for
// room while the turn flushed, and only one of them was ever woken.
TEST(Mailbox, WakesEveryWaiter) {
  Mailbox mailbox;
  std::vector<std::unique_ptr<Poster>> posters;
  for (int i = 0; i < 4; ++i) posters.push_back(std::make_unique<Poster>(mailbox, "x", 2'000));
  std::vector<Thread> flushers;
  std::atomic<int> flushed{0};
  for (int i = 0; i < 4; ++i) {
    flushers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        mailbox.post(text("f"));
        EXPECT_TRUE(mailbox.flush({}));
      }
      if (++flushed == 4) mailbox.post_control(StdinClosed{});
    });
  }
  int texts = 0;
  bool all_flushed = false;
  while (texts < 4 * 2'000 + 4 * 50 || !all_flushed) {
    const std::string taken = text_of(mailbox.take(std::nullopt));
    taken == "stdin closed" ? (void)(all_flushed = true) : (void)++texts;
  }
  for (const auto& poster : posters) poster->thread.join();
}

}  // namespace
}  // namespace yume::runtime
