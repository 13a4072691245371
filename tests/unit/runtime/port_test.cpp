// SPDX-License-Identifier: MIT
#include "runtime/port.h"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <utility>
#include <variant>

#include "util/overloaded.h"

namespace yume::runtime {
namespace {

using namespace std::chrono_literals;

core::HostQuestion about(const std::string& call) {
  return core::MayRun{.call = {.id = call, .name = "Bash", .input = {"{}"}}};
}

struct Scene {
  Mailbox mailbox;
  PendingRequests pending;
  Port port{mailbox, pending, Port::Questions::can_be_asked};
  core::Address from{.session_id = "S"};

  std::future<Result<core::HostAnswer>> ask(const std::string& call, CancelToken cancel = {}) {
    return std::async(std::launch::async, [this, call, cancel = std::move(cancel)] {
      return port.ask(from, about(call), std::nullopt, cancel);
    });
  }

  Data next() { return std::get<Data>(*mailbox.take(std::nullopt)); }
};

TEST(Port, PutsAQuestionBehindTheLinesItIsAbout) {
  Scene scene;
  scene.port.post({scene.from, core::TextDelta{"first"}});
  auto answer = scene.ask("call");
  EXPECT_TRUE(std::holds_alternative<core::Envelope>(scene.next()));
  const auto asked = std::get<QuestionAsked>(scene.next());
  EXPECT_EQ(asked.from.session_id, "S");
  EXPECT_EQ(std::get<core::MayRun>(asked.question).call.id, "call");
  EXPECT_TRUE(scene.pending.answer(asked.request_id, [](const core::HostQuestion& question) {
    return core::HostAnswer(core::HostDenies{std::get<core::MayRun>(question).call.id});
  }));
  EXPECT_EQ(std::get<core::HostDenies>(*answer.get()).message, "call");
}

TEST(Port, WithdrawsAQuestionNobodyWaitsForAnyMore) {
  Scene scene;
  CancelSource cancel;
  auto answer = scene.ask("call", cancel.get_token());
  const auto asked = std::get<QuestionAsked>(scene.next());
  cancel.request_stop();
  EXPECT_EQ(answer.get().error().code, ErrorCode::cancelled);
  EXPECT_EQ(std::get<QuestionWithdrawn>(scene.next()).request_id, asked.request_id);
}

TEST(Port, FailsWhenNobodyReadsAnyMore) {
  Scene scene;
  scene.mailbox.close();
  EXPECT_FALSE(scene.ask("call").get().ok());
  EXPECT_FALSE(scene.port.post({scene.from, core::TextDelta{"x"}}));
}

TEST(Port, AsksNothingOfAHostThatCannotBeAsked) {
  Scene scene;
  Port silent(scene.mailbox, scene.pending, Port::Questions::cannot_be_asked);
  EXPECT_FALSE(silent.can_be_asked());
  const auto answer = silent.ask(scene.from, about("call"), std::nullopt, {});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::io);
  EXPECT_EQ(scene.mailbox.take(platform::SteadyTime{}), std::nullopt) << "nothing was posted";
}

}  // namespace
}  // namespace yume::runtime
