// SPDX-License-Identifier: MIT
#include "session/turn_runner.h"

#include "support/event_text.h"
#include "support/memory_append_file.h"
#include "support/session_services.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace yume::session {
namespace {

using Strings = std::vector<std::string>;

class NotedStrategy final : public test::SimpleStrategy {
 public:
  core::TurnDone run(strategies::TurnInput input, core::TurnPort& port,
                     const CancelToken&) override {
    done.push_back("run " + input.message.text());
    port.post(core::TextDelta{"answer"});
    port.post(core::MessageDone{});
    core::TurnDone end;
    end.text = "answer";
    end.last_request.prompt_tokens = 7;
    return end;
  }
  core::TurnDone compact(const std::string& focus, core::TurnPort&, const CancelToken&) override {
    done.push_back("compact " + focus);
    core::TurnDone end;
    end.is_local_command = true;
    end.compacted = true;
    return end;
  }
  strategies::ContextUse measure_context(core::TurnPort&, const CancelToken&) override {
    return {.tokens = 250, .window = 1'000};
  }

  Strings done;
};

// Remembers what it gets, and how much was on disk by then.
class NotedHost final : public core::HostPort {
 public:
  explicit NotedHost(const std::string& disk) : disk_(disk) {}

  bool post(core::Envelope envelope) override {
    EXPECT_EQ(envelope.address.session_id, "S");
    if (std::holds_alternative<core::BlockDone>(envelope.event)) return true;
    events.push_back(test::text_of(envelope.event));
    sizes.push_back(disk_.size());
    return true;
  }
  bool flush(const CancelToken&) override { return true; }
  bool can_be_asked() const override { return asks; }
  Result<core::HostAnswer> ask(const core::Address&, core::HostQuestion,
                               std::optional<std::chrono::milliseconds>,
                               const CancelToken&) override {
    return Error{.code = ErrorCode::io, .message = "nobody"};
  }

  bool asks = false;
  Strings events;
  std::vector<std::size_t> sizes;

 private:
  const std::string& disk_;
};

struct Scene {
  explicit Scene(config::SessionSpec spec = test::SessionServices::plain_spec())
      : turns(std::move(spec), services.begin("S", std::make_unique<test::MemoryAppendFile>(disk)),
              services.services(), host) {}

  core::TurnDone turn(const std::string& prompt) {
    const core::UserMessage message(prompt);
    turns.record(message, {});
    turns.post(turns.info());
    return turns.run(message, [] { return std::nullopt; }, {});
  }

  std::string disk;
  NotedStrategy strategy;
  test::SessionServices services{strategy};
  NotedHost host{disk};
  TurnRunner turns;
};

TEST(TurnRunner, KeepsThePromptBeforeTheHostLearnsOfTheTurn) {
  Scene scene;
  scene.turn("hello");
  ASSERT_FALSE(scene.host.events.empty());
  EXPECT_EQ(scene.host.events.front(), "session S m /w default [] ");
  EXPECT_GT(scene.host.sizes.front(), 0U);
  EXPECT_NE(scene.disk.find("hello"), std::string::npos);
  EXPECT_EQ(scene.strategy.done, Strings{"run hello"});
}

TEST(TurnRunner, AnswersCommandsWithoutTheModelAndKeepsNothingOfThem) {
  Scene scene;
  const core::TurnDone done = scene.turn("/model");
  EXPECT_TRUE(done.is_local_command);
  EXPECT_NE(done.text.find("The model is m."), std::string::npos) << done.text;
  EXPECT_EQ(scene.strategy.done, Strings{});
  EXPECT_EQ(scene.disk, "");
}

TEST(TurnRunner, MeasuresTheContextWhenItIsAskedFor) {
  Scene scene;
  const std::string text = scene.turn("/context").text;
  EXPECT_NE(text.find("250 of the 1,000 tokens of m (25.0%)"), std::string::npos) << text;
}

TEST(TurnRunner, RepeatsTheLastKnownRequestForCommands) {
  Scene scene;
  scene.turn("hello");
  EXPECT_EQ(scene.turn("/cost").last_request.prompt_tokens, 7);
  scene.turn("/compact");  // nothing is known of the shorter conversation yet
  EXPECT_EQ(scene.turn("/cost").last_request.prompt_tokens, 0);
}

TEST(TurnRunner, HandsCompactionToTheStrategyWithItsFocus) {
  Scene scene;
  EXPECT_TRUE(scene.turn("/compact  the tests ").compacted);
  EXPECT_EQ(scene.strategy.done, Strings{"compact the tests"});
  EXPECT_EQ(scene.disk.find("/compact"), std::string::npos);
}

TEST(TurnRunner, ShowsEachNoticeOnce) {
  config::SessionSpec spec = test::SessionServices::plain_spec();
  spec.notices = {"first", "second"};
  Scene scene(std::move(spec));
  scene.turn("a");
  ASSERT_GE(scene.host.events.size(), 3U);
  EXPECT_EQ(scene.host.events[1], "notice first");
  EXPECT_EQ(scene.host.events[2], "notice second");
  scene.host.events.clear();
  scene.turn("b");
  EXPECT_EQ(scene.host.events[1], "text answer");
}

TEST(TurnRunner, ReportsHooksOfAHostThatCannotBeAsked) {
  Scene scene;
  core::Initialize settings;
  settings.append_system_prompt = "Be brief.";
  settings.hooks = {{.event = "PreCompact", .callback_ids = {"h"}}};
  EXPECT_FALSE(scene.turns.serves_hooks(settings));
  scene.turns.initialize(settings);
  scene.turns.initialize(settings);
  EXPECT_EQ(scene.services.spec().prompt.appended, "Be brief.");
  scene.turn("a");
  EXPECT_EQ(scene.host.events[1].rfind("notice The host has hooks", 0), 0U);
  EXPECT_EQ(scene.host.events[2], "text answer") << "once";
  scene.host.asks = true;
  EXPECT_TRUE(scene.turns.serves_hooks(settings));
}

}  // namespace
}  // namespace yume::session
