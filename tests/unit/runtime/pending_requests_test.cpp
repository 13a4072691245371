// SPDX-License-Identifier: MIT
#include "runtime/pending_requests.h"
#include "util/thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>
#include <vector>

namespace yume::runtime {
namespace {

using namespace std::chrono_literals;
using core::HostAnswer;

core::HostQuestion about(const std::string& call) {
  return core::MayRun{.call = {.id = call, .name = "Bash", .input = {"{}"}}};
}

PendingRequests::Read denies(const std::string& message) {
  return [message](const core::HostQuestion&) { return HostAnswer(core::HostDenies{message}); };
}

// Hands the id of each question that is asked to the test.
struct Asked {
  std::promise<std::string> id;
  std::string withdrawn;

  PendingRequests::Channel channel() {
    return {.send = [this](const std::string& sent) { return id.set_value(sent), true; },
            .withdraw = [this](const std::string& gone) { withdrawn = gone; }};
  }
};

std::string message_of(const Result<HostAnswer>& answer) {
  return answer.ok() ? std::get<core::HostDenies>(*answer).message : answer.error().message;
}

TEST(PendingRequests, GiveEachQuestionItsOwnAnswer) {
  PendingRequests pending;
  Asked first;
  Asked second;
  auto one = std::async(std::launch::async, [&] {
    return message_of(pending.ask(about("1"), std::nullopt, {}, first.channel()));
  });
  auto two = std::async(std::launch::async, [&] {
    return message_of(pending.ask(about("2"), std::nullopt, {}, second.channel()));
  });
  const std::string second_id = second.id.get_future().get();
  const std::string first_id = first.id.get_future().get();
  EXPECT_TRUE(pending.answer(second_id, denies("for two")));
  EXPECT_EQ(two.get(), "for two");
  EXPECT_TRUE(pending.answer(first_id, denies("for one")));
  EXPECT_EQ(one.get(), "for one");
}

TEST(PendingRequests, PassOverUnknownLateAndSecondAnswers) {
  PendingRequests pending;
  EXPECT_FALSE(pending.answer("never asked", denies("x")));
  Asked asked;
  auto waiting = std::async(std::launch::async, [&] {
    return message_of(pending.ask(about("1"), std::nullopt, {}, asked.channel()));
  });
  const std::string id = asked.id.get_future().get();
  EXPECT_FALSE(pending.answer(id, [](const auto&) { return std::nullopt; })) << "says nothing";
  EXPECT_TRUE(pending.answer(id, denies("yes")));
  EXPECT_FALSE(pending.answer(id, denies("again")));
  EXPECT_EQ(waiting.get(), "yes");
  EXPECT_FALSE(pending.answer(id, denies("late")));
}

TEST(PendingRequests, WithdrawWhatIsNotWaitedForAnyMore) {
  PendingRequests pending;
  Asked cancelled;
  CancelSource source;
  auto waiting = std::async(std::launch::async, [&] {
    return pending.ask(about("1"), std::nullopt, source.get_token(), cancelled.channel());
  });
  const std::string id = cancelled.id.get_future().get();
  source.request_stop();
  EXPECT_EQ(waiting.get().error().code, ErrorCode::cancelled);
  EXPECT_EQ(cancelled.withdrawn, id);

  Asked late;
  EXPECT_EQ(pending.ask(about("2"), 0ms, {}, late.channel()).error().code, ErrorCode::timeout);
  EXPECT_EQ(late.withdrawn, late.id.get_future().get());
}

TEST(PendingRequests, FailWhenNobodyAnswersAnyMore) {
  PendingRequests pending;
  Asked asked;
  auto waiting = std::async(std::launch::async, [&] {
    return pending.ask(about("1"), std::nullopt, {}, asked.channel());
  });
  asked.id.get_future().get();
  pending.close();
  EXPECT_EQ(waiting.get().error().code, ErrorCode::io);
  Asked later;
  EXPECT_EQ(pending.ask(about("2"), std::nullopt, {}, later.channel()).error().code, ErrorCode::io);
  EXPECT_EQ(asked.withdrawn + later.withdrawn, "");
}

TEST(PendingRequests, AreLimited) {
  PendingRequests pending;
  std::latch all_asked(PendingRequests::k_most_open);
  CancelSource source;
  std::vector<Thread> waiters;
  for (std::size_t i = 0; i < PendingRequests::k_most_open; ++i) {
    waiters.emplace_back([&] {
      (void)pending.ask(about("x"), std::nullopt, source.get_token(),
                        {.send = [&](const std::string&) { return all_asked.count_down(), true; },
                         .withdraw = [](const std::string&) {}});
    });
  }
  all_asked.wait();
  Asked one_more;
  EXPECT_EQ(pending.ask(about("y"), std::nullopt, {}, one_more.channel()).error().code,
            ErrorCode::busy);
  source.request_stop();
}

}  // namespace
}  // namespace yume::runtime
