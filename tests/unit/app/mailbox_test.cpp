// SPDX-License-Identifier: MIT
#include "app/mailbox.h"

#include "support/event_text.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <string>
#include <thread>
#include <vector>

namespace yume::app {
namespace {

std::string text_of(const std::optional<Letter>& letter) {
  if (!letter) return "nothing";
  if (const auto* control = std::get_if<Control>(&*letter)) {
    if (const auto* prompt = std::get_if<PromptFromStdin>(control)) return "prompt " + prompt->text;
    if (std::holds_alternative<StdinBegan>(*control)) return "stdin began";
    if (std::holds_alternative<StdinClosed>(*control)) return "stdin closed";
    if (std::holds_alternative<SignalReceived>(*control)) return "signal";
    return "inbound";
  }
  const auto& data = std::get<Data>(*letter);
  if (std::holds_alternative<TurnThreadDone>(data)) return "turn done";
  return test::text_of(std::get<core::Event>(data));
}

// In the past: take() does not wait.
const platform::SteadyTime k_past{};

TEST(Mailbox, HandsOutDataInOrder) {
  Mailbox mailbox;
  EXPECT_TRUE(mailbox.post(core::TextDelta{"a"}));
  EXPECT_TRUE(mailbox.post(core::TextDelta{"b"}));
  mailbox.post_done();
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "text a");
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "text b");
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "turn done");
  EXPECT_EQ(text_of(mailbox.take(k_past)), "nothing");
}

TEST(Mailbox, HandsOutControlFirst) {
  Mailbox mailbox;
  mailbox.post(core::TextDelta{"a"});
  mailbox.post_control(PromptFromStdin{"p"});
  mailbox.post_control(StdinClosed{});
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "prompt p");
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "stdin closed");
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "text a");
}

TEST(Mailbox, WakesTheReaderForBothLanes) {
  Mailbox mailbox;
  std::thread sender([&mailbox] { mailbox.post(core::TextDelta{"a"}); });
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "text a");
  sender.join();
  std::thread host([&mailbox] { mailbox.post_control(StdinClosed{}); });
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "stdin closed");
  host.join();
}

// Posts until told to stop; says how far it came.
struct Poster {
  Poster(Mailbox& mailbox, std::string text, int count)
      : thread([this, &mailbox, text = std::move(text), count] {
          for (int i = 0; i < count; ++i) {
            if (!mailbox.post(core::TextDelta{text})) {
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

TEST(Mailbox, BoundsTheNumberOfWaitingLetters) {
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

TEST(Mailbox, BoundsTheBytesOfWaitingLetters) {
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

TEST(Mailbox, FlushWaitsUntilTheLetterHasBeenDealtWith) {
  Mailbox mailbox;
  std::atomic<bool> written{false};
  std::atomic<bool> seen_written{false};
  std::thread turn([&] {
    mailbox.post(core::TextDelta{"a"});
    EXPECT_TRUE(mailbox.flush());
    seen_written = written.load();
    mailbox.post_done();
  });
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "text a");
  written = true;  // what the main thread does before it comes back for more
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "turn done");
  turn.join();
  EXPECT_TRUE(seen_written.load());
}

TEST(Mailbox, FlushReturnsAtOnceWhenNothingIsWaiting) {
  Mailbox mailbox;
  EXPECT_TRUE(mailbox.flush());
  mailbox.post(core::TextDelta{"a"});
  mailbox.take(std::nullopt);
  mailbox.take(k_past);
  EXPECT_TRUE(mailbox.flush());
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
    mailbox.post(core::TextDelta{"a"});
    posted.count_down();
    flushed = mailbox.flush();
  });
  posted.wait();
  mailbox.close();
  turn.join();
  EXPECT_FALSE(flushed);
}

TEST(Mailbox, LetsOnlyTheEndOfTheTurnThroughAfterClose) {
  Mailbox mailbox;
  mailbox.post(core::TextDelta{"dropped"});
  mailbox.close();
  EXPECT_FALSE(mailbox.post(core::TextDelta{"refused"}));
  EXPECT_FALSE(mailbox.flush());
  mailbox.post_done();
  mailbox.post_control(StdinClosed{});
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "stdin closed");
  EXPECT_EQ(text_of(mailbox.take(std::nullopt)), "turn done");
  EXPECT_EQ(text_of(mailbox.take(k_past)), "nothing");
}

}  // namespace
}  // namespace yume::app
