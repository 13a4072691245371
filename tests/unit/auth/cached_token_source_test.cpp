// SPDX-License-Identifier: MIT
#include "auth/cached_token_source.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "support/fake_clock.h"
#include "support/memory_private_store.h"

namespace yume::auth {
namespace {

using namespace std::chrono_literals;

// Numbers its tokens, so that a test sees which one it got.
struct FakeTokens {
  std::chrono::seconds lifetime = 55min;
  std::optional<std::chrono::seconds> absent_for;
  std::string failure;
  std::string version = "v1";
  std::string project;
  TokenOwner owner = TokenOwner::service;
  int fetches = 0;
  std::function<void()> during = {};
};

class FakeTokenSource final : public TokenSource {
 public:
  explicit FakeTokenSource(FakeTokens& state) : state_(state) {}

  CredentialOrigin origin() const override { return CredentialOrigin::gcloud; }
  bool seems_configured() const override { return true; }
  std::optional<TokenIdentity> identity() const override {
    if (state_.version.empty()) return std::nullopt;
    return TokenIdentity{.place = "here", .version = state_.version};
  }
  Result<std::variant<Token, NoToken>> fetch(platform::WallTime, const CancelToken&) override {
    using Answer = std::variant<Token, NoToken>;
    ++state_.fetches;
    if (state_.during) state_.during();
    if (!state_.failure.empty()) {
      return Error{.code = ErrorCode::auth, .message = state_.failure};
    }
    if (state_.absent_for) return Answer(NoToken{.remember = *state_.absent_for});
    return Answer(Token{.value = Secret("fake-token-" + std::to_string(state_.fetches)),
                        .lifetime = state_.lifetime,
                        .account = "a@b.c",
                        .project = state_.project,
                        .owner = state_.owner});
  }

 private:
  FakeTokens& state_;
};

struct Scene {
  FakeTokens tokens;
  test::SharedFiles shared;
  test::FakeClock clock;

  std::unique_ptr<CachedTokenSource> alone(TokenMemory memory = TokenMemory::keep) {
    CacheSettings settings;
    settings.memory = memory;
    return make(std::move(settings));
  }
  // One process of several that share the runtime directory.
  std::unique_ptr<CachedTokenSource> process(ProjectSettings projects = {}) {
    CacheSettings settings;
    settings.store = std::make_unique<test::MemoryPrivateStore>(shared);
    settings.projects = std::move(projects);
    return make(std::move(settings));
  }
  std::string ask(CachedTokenSource& source) {
    const auto fetched = source.fetch(clock.wall_now(), CancelToken());
    if (!fetched.ok()) return "error: " + fetched.error().message;
    if (!*fetched) return "absent";
    return std::string((*fetched)->header.value.reveal());
  }

 private:
  std::unique_ptr<CachedTokenSource> make(CacheSettings settings) {
    return std::make_unique<CachedTokenSource>(std::make_unique<FakeTokenSource>(tokens),
                                               std::move(settings), clock, null_log());
  }
};

TEST(CachedTokenSource, KeepsATokenUntilFiveMinutesBeforeItsEnd) {
  Scene scene;
  const auto source = scene.alone();
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-1");
  scene.clock.advance(50min - 1s);
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-1");
  scene.clock.advance(1s);
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-2");
}

TEST(CachedTokenSource, UsesHalfOfAShortLife) {
  Scene scene;
  scene.tokens.lifetime = 100s;
  const auto source = scene.alone();
  (void)scene.ask(*source);
  scene.clock.advance(49s);
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-1");
  scene.clock.advance(1s);
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-2");
}

TEST(CachedTokenSource, RefreshesAtMostOnceWhenTheWallClockIsSet) {
  for (const auto jump : {24h, -24h}) {
    Scene scene;
    const auto source = scene.process();
    (void)scene.ask(*source);
    scene.clock.set_wall(scene.clock.wall_now() + jump);
    for (int i = 0; i < 5; ++i) (void)scene.ask(*source);
    // Forward may mean that the machine slept, which the steady clock does not count.
    EXPECT_EQ(scene.tokens.fetches, jump > 0h ? 2 : 1);
    const auto other = scene.process();
    for (int i = 0; i < 5; ++i) (void)scene.ask(*other);
    EXPECT_EQ(scene.tokens.fetches, 2) << "the next process, too";
  }
}

TEST(CachedTokenSource, CountsTimeThatAClockSetBackWouldHide) {
  Scene scene;
  const auto source = scene.alone();
  (void)scene.ask(*source);
  scene.clock.advance(1h);
  scene.clock.set_wall(scene.clock.wall_now() - 2h);
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-2");
}

TEST(CachedTokenSource, SharesATokenBetweenProcesses) {
  Scene scene;
  EXPECT_EQ(scene.ask(*scene.process()), "Bearer fake-token-1");
  EXPECT_EQ(scene.ask(*scene.process()), "Bearer fake-token-1");
  scene.clock.advance(50min);
  EXPECT_EQ(scene.ask(*scene.process()), "Bearer fake-token-2");
}

TEST(CachedTokenSource, SharesNothingWhenNotAskedTo) {
  Scene scene;
  (void)scene.ask(*scene.alone());
  EXPECT_EQ(scene.ask(*scene.alone()), "Bearer fake-token-2");
  EXPECT_TRUE(scene.shared.files.empty());
  const auto forgetful = scene.alone(TokenMemory::forget);
  (void)scene.ask(*forgetful);
  EXPECT_EQ(scene.ask(*forgetful), "Bearer fake-token-4");
}

TEST(CachedTokenSource, TakesTheTokenThatAnotherProcessMadeMeanwhile) {
  Scene scene;
  const auto other = scene.process();
  const auto source = scene.process();
  scene.shared.on_lock = [&scene, &other] {
    scene.shared.on_lock = {};
    (void)scene.ask(*other);
  };
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-1");
  EXPECT_EQ(scene.tokens.fetches, 1);
}

TEST(CachedTokenSource, SharesAFailureOnlyWithThoseWhoWaitedForIt) {
  Scene scene;
  scene.tokens.failure = "slow";
  scene.tokens.during = [&scene] { scene.clock.advance(10s); };
  const auto other = scene.process();
  const auto source = scene.process();
  scene.shared.on_lock = [&scene, &other] {
    scene.shared.on_lock = {};
    EXPECT_EQ(scene.ask(*other), "error: slow");
  };
  EXPECT_EQ(scene.ask(*source), "error: slow");
  EXPECT_EQ(scene.tokens.fetches, 1) << "sixteen processes must not wait ten seconds each in turn";
  scene.clock.advance(1s);
  scene.tokens.failure.clear();
  EXPECT_EQ(scene.ask(*scene.process()), "Bearer fake-token-2");
}

TEST(CachedTokenSource, RemembersAbsenceAsLongAsItIsTold) {
  Scene scene;
  scene.tokens.absent_for = 10min;
  EXPECT_EQ(scene.ask(*scene.process()), "absent");
  scene.clock.advance(10min - 1s);
  EXPECT_EQ(scene.ask(*scene.process()), "absent");
  EXPECT_EQ(scene.tokens.fetches, 1);
  scene.clock.advance(1s);
  EXPECT_EQ(scene.ask(*scene.process()), "absent");
  EXPECT_EQ(scene.tokens.fetches, 2);
}

TEST(CachedTokenSource, DistrustsAnAbsenceFromTheFuture) {
  Scene scene;
  scene.tokens.absent_for = 10min;
  (void)scene.ask(*scene.process());
  scene.clock.set_wall(scene.clock.wall_now() - 30min);
  (void)scene.ask(*scene.process());
  EXPECT_EQ(scene.tokens.fetches, 2);
}

TEST(CachedTokenSource, NoticesALoginAtOnce) {
  Scene scene;
  scene.tokens.absent_for = 10min;
  const auto source = scene.process();
  EXPECT_EQ(scene.ask(*source), "absent");
  scene.tokens.absent_for.reset();
  scene.tokens.version = "v2";
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-2");
  EXPECT_EQ(scene.ask(*scene.process()), "Bearer fake-token-2");
}

TEST(CachedTokenSource, IsNotConfusedWhenAskingChangesTheSourcesFiles) {
  Scene scene;
  scene.tokens.during = [&scene] { scene.tokens.version = "v2"; };
  const auto source = scene.process();
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-1");
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-1");
  EXPECT_EQ(scene.ask(*scene.process()), "Bearer fake-token-1");
}

TEST(CachedTokenSource, AsksNobodyWhenThereIsNothing) {
  Scene scene;
  scene.tokens.version.clear();
  EXPECT_EQ(scene.ask(*scene.process()), "absent");
  EXPECT_EQ(scene.tokens.fetches, 0);
  EXPECT_TRUE(scene.shared.files.empty());
}

TEST(CachedTokenSource, ForgetsARefusedTokenEverywhere) {
  Scene scene;
  const auto source = scene.process();
  const auto credential = source->fetch(scene.clock.wall_now(), CancelToken());
  source->invalidate(**credential);
  EXPECT_EQ(scene.ask(*scene.process()), "Bearer fake-token-2");
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-2") << "the new one is shared";
  source->invalidate(**credential);
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-2") << "an old refusal says nothing about it";
}

TEST(CachedTokenSource, DistrustsFilesThatPromiseTooMuchOrMakeNoSense) {
  Scene scene;
  (void)scene.ask(*scene.process());
  ASSERT_EQ(scene.shared.files.size(), 1U);
  const std::string name = scene.shared.files.begin()->first;
  TokenRecord record = *decode(scene.shared.files[name]);
  record.expires = scene.clock.wall_now() + 66min;
  scene.shared.files[name] = encode(record);
  EXPECT_EQ(scene.ask(*scene.process()), "Bearer fake-token-2");
  scene.shared.files[name] = "{}";
  EXPECT_EQ(scene.ask(*scene.process()), "Bearer fake-token-3");
}

TEST(CachedTokenSource, SharesALongLivedTokenForAnHourOnly) {
  Scene scene;
  scene.tokens.lifetime = 12h;
  const auto source = scene.process();
  (void)scene.ask(*source);
  scene.clock.advance(56min);
  EXPECT_EQ(scene.ask(*scene.process()), "Bearer fake-token-2");
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-1") << "in memory it lasts";
}

TEST(CachedTokenSource, WorksWithoutAUsableDirectory) {
  Scene scene;
  scene.shared.failure = Error{.code = ErrorCode::permission_denied, .message = "not ours"};
  const auto source = scene.process();
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-1");
  EXPECT_EQ(scene.ask(*source), "Bearer fake-token-1");
}

TEST(CachedTokenSource, WritesNoRecordOfAnInterrupt) {
  Scene scene;
  CancelSource cancel;
  scene.tokens.failure = "interrupted";
  scene.tokens.during = [&cancel] { cancel.request_stop(); };
  const auto source = scene.process();
  EXPECT_FALSE(source->fetch(scene.clock.wall_now(), cancel.get_token()).ok());
  EXPECT_TRUE(scene.shared.files.empty());
}

TEST(CachedTokenSource, ChargesAUsersRequestsToAProject) {
  struct Case {
    ProjectSettings settings;
    std::string project;
    TokenOwner owner;
    std::string expected;  // "project quota"
  };
  for (const Case& c :
       {Case{{}, "file", TokenOwner::user, "file file"},
        Case{{}, "file", TokenOwner::service, "file "},
        Case{{.project = "env", .quota_project = ""}, "file", TokenOwner::user, "env env"},
        Case{{.project = "", .quota_project = "paid"}, "file", TokenOwner::service, "file paid"}}) {
    Scene scene;
    scene.tokens.project = c.project;
    scene.tokens.owner = c.owner;
    const auto fetched = scene.process(c.settings)->fetch(scene.clock.wall_now(), CancelToken());
    ASSERT_TRUE(fetched.ok());
    EXPECT_EQ((*fetched)->project + " " + (*fetched)->quota_project, c.expected);
  }
}

TEST(CachedTokenSource, RefusesAProjectThatCouldAddAHeader) {
  Scene scene;
  const auto source = scene.process({.project = "", .quota_project = "p\r\nX-Evil: 1"});
  const std::string answer = scene.ask(*source);
  EXPECT_TRUE(answer.starts_with("error: ")) << answer;
  EXPECT_EQ(answer.find("X-Evil"), std::string::npos);
}

TEST(TokenRecord, ComesBackAsItWasWritten) {
  const platform::WallTime made{1'700'000'000'123ms};
  const TokenRecord record{.kind = TokenRecord::Kind::token,
                           .version = "v",
                           .made = made,
                           .expires = made + 1h,
                           .token = {.value = Secret("ya29.a-b_c"),
                                     .account = "a@b.c",
                                     .project = "p",
                                     .quota_project = "q",
                                     .owner = TokenOwner::user},
                           .message = "m"};
  const auto read = decode(encode(record));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(encode(*read), encode(record));
  EXPECT_EQ(read->made, made);
  EXPECT_EQ(read->token.value.reveal(), "ya29.a-b_c");
}

TEST(TokenRecord, RefusesEverythingElse) {
  const std::string good = encode({.kind = TokenRecord::Kind::token,
                                   .version = "v",
                                   .made = platform::WallTime(1s),
                                   .expires = platform::WallTime(2s),
                                   .token = {.value = Secret("ya29.abcdef")}});
  ASSERT_TRUE(decode(good).has_value());
  const auto with = [&good](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{}"), good + "x",
        with("ya29.abcdef", "ya29 abcdef"), with("ya29.abcdef", "ya29\\nabcdef"),
        with("\"kind\":\"token\"", "\"kind\":\"key\""), with("\"format\":1", "\"format\":2"),
        with("1000", "\"1000\""), with("1000", "-1"), with("2000", "10"),
        with("1000", "9223372036854775807")}) {
    EXPECT_FALSE(decode(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace yume::auth
