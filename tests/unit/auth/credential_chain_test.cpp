// SPDX-License-Identifier: MIT
#include "auth/credential_chain.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/fake_clock.h"
#include "util/thread.h"

namespace yume::auth {
namespace {

using Answer = Result<std::optional<Credential>>;

struct FakeState {
  Answer answer = std::optional<Credential>();
  bool configured = true;
  int fetches = 0;
  int invalidated = 0;
  std::function<void()> during = {};
};

class FakeSource final : public CredentialSource {
 public:
  FakeSource(CredentialOrigin origin, FakeState& state) : origin_(origin), state_(state) {}

  CredentialOrigin origin() const override { return origin_; }
  bool seems_configured() const override { return state_.configured; }
  Answer fetch(platform::WallTime, const CancelToken&) override {
    ++state_.fetches;
    if (state_.during) state_.during();
    return state_.answer;
  }
  void invalidate(const Credential&) override { ++state_.invalidated; }

 private:
  CredentialOrigin origin_;
  FakeState& state_;
};

Answer value_of(CredentialOrigin origin) {
  return std::optional<Credential>({.kind = CredentialKind::access_token,
                                    .origin = origin,
                                    .source = name_of(origin),
                                    .header = {.name = "Authorization", .value = Secret("x")}});
}

Answer broken(const std::string& why) {
  return Error{.code = ErrorCode::auth, .message = why};
}

// gcloud, then ADC, then a key, as the program has them.
struct Scene {
  FakeState gcloud;
  FakeState adc;
  FakeState key;
  test::FakeClock clock;

  CredentialChain chain() {
    std::vector<std::unique_ptr<CredentialSource>> sources;
    sources.push_back(std::make_unique<FakeSource>(CredentialOrigin::gcloud, gcloud));
    sources.push_back(std::make_unique<FakeSource>(CredentialOrigin::adc, adc));
    sources.push_back(std::make_unique<FakeSource>(CredentialOrigin::api_key, key));
    return CredentialChain(std::move(sources), ChainMode::automatic, clock, null_log());
  }
  CredentialChain pinned() {
    std::vector<std::unique_ptr<CredentialSource>> sources;
    sources.push_back(std::make_unique<FakeSource>(CredentialOrigin::gcloud, gcloud));
    return CredentialChain(std::move(sources), ChainMode::pinned, clock, null_log());
  }
};

// "source | notice | notice", or "error: message".
std::string outcome(CredentialChain& chain) {
  const auto obtained = chain.obtain(CancelToken());
  if (!obtained.ok()) return "error: " + obtained.error().message;
  std::string text = obtained->credential ? obtained->credential->source : "nothing";
  for (const std::string& notice : obtained->notices) text += " | " + notice;
  return text;
}

TEST(CredentialChain, TakesTheFirstSourceThatHasOne) {
  Scene scene;
  scene.adc.answer = value_of(CredentialOrigin::adc);
  scene.key.answer = value_of(CredentialOrigin::api_key);
  CredentialChain chain = scene.chain();
  EXPECT_EQ(outcome(chain), "application default credentials") << "absent sources need no notice";
  EXPECT_EQ(scene.key.fetches, 0) << "who is not needed is not asked";
}

TEST(CredentialChain, SaysOnceWhatItPassedOver) {
  Scene scene;
  scene.gcloud.answer = broken("it did not answer within 10 s");
  scene.key.answer = value_of(CredentialOrigin::api_key);
  CredentialChain chain = scene.chain();
  EXPECT_EQ(outcome(chain),
            "API key | Passed over a credential source: gcloud: it did not answer within 10 s");
  EXPECT_EQ(outcome(chain), "API key");
}

TEST(CredentialChain, DoesNotWaitForABrokenSourceAtEveryRequest) {
  Scene scene;
  scene.gcloud.answer = broken("slow");
  scene.key.answer = value_of(CredentialOrigin::api_key);
  CredentialChain chain = scene.chain();
  (void)outcome(chain);
  (void)outcome(chain);
  EXPECT_EQ(scene.gcloud.fetches, 1);
  scene.clock.advance(std::chrono::minutes(2));
  scene.gcloud.answer = value_of(CredentialOrigin::gcloud);
  EXPECT_EQ(outcome(chain), "gcloud") << "it may recover";
}

TEST(CredentialChain, TellsNothingFromEverythingBroken) {
  Scene scene;
  CredentialChain chain = scene.chain();
  EXPECT_EQ(outcome(chain), "nothing");
  scene.gcloud.answer = broken("a");
  scene.adc.answer = broken("b");
  CredentialChain other = scene.chain();
  EXPECT_EQ(outcome(other),
            "error: API Error: failed to authenticate, gcloud: a; application default "
            "credentials: b");
}

TEST(CredentialChain, TakesAPinnedSourceAtItsWord) {
  Scene scene;
  CredentialChain absent = scene.pinned();
  EXPECT_EQ(outcome(absent),
            "error: API Error: failed to authenticate, gcloud is not installed or not logged in. "
            "Install it, or run: gcloud auth login");
  scene.gcloud.answer = broken("a");
  CredentialChain bad = scene.pinned();
  EXPECT_EQ(outcome(bad), "error: API Error: failed to authenticate, gcloud: a");
}

TEST(CredentialChain, InvalidatesOnlyTheSourceOfTheCredential) {
  Scene scene;
  scene.adc.answer = value_of(CredentialOrigin::adc);
  CredentialChain chain = scene.chain();
  chain.invalidate(*chain.obtain(CancelToken())->credential);
  EXPECT_EQ(scene.adc.invalidated, 1);
  EXPECT_EQ(scene.gcloud.invalidated + scene.key.invalidated, 0);
}

TEST(CredentialChain, GoesOnToTheNextSourceWhenToldTo) {
  Scene scene;
  scene.gcloud.answer = value_of(CredentialOrigin::gcloud);
  scene.key.answer = value_of(CredentialOrigin::api_key);
  CredentialChain chain = scene.chain();
  const Credential refused = *chain.obtain(CancelToken())->credential;
  EXPECT_TRUE(chain.pass_over(refused));
  EXPECT_EQ(outcome(chain), "API key");
  EXPECT_EQ(outcome(chain), "API key") << "and stays there";
}

TEST(CredentialChain, PassesNothingOverWhenNothingElseIsThere) {
  Scene scene;
  scene.gcloud.answer = value_of(CredentialOrigin::gcloud);
  scene.adc.configured = scene.key.configured = false;
  CredentialChain chain = scene.chain();
  EXPECT_FALSE(chain.pass_over(*chain.obtain(CancelToken())->credential));
  EXPECT_EQ(outcome(chain), "gcloud");
  scene.key.configured = true;
  CredentialChain pinned = scene.pinned();
  EXPECT_FALSE(pinned.pass_over(*pinned.obtain(CancelToken())->credential));
  EXPECT_EQ(outcome(pinned), "gcloud");
}

TEST(CredentialChain, GuessesTheSourceWithoutFetching) {
  Scene scene;
  scene.gcloud.configured = scene.adc.configured = false;
  const CredentialChain chain = scene.chain();
  EXPECT_EQ(chain.likely_origin(), CredentialOrigin::api_key);
  scene.adc.configured = true;
  EXPECT_EQ(chain.likely_origin(), CredentialOrigin::adc);
  EXPECT_EQ(scene.gcloud.fetches + scene.adc.fetches + scene.key.fetches, 0);
}

TEST(CredentialChain, TakesAnInterruptForNeitherAbsentNorBroken) {
  Scene scene;
  CancelSource cancel;
  scene.gcloud.answer = broken("interrupted");
  scene.gcloud.during = [&cancel] { cancel.request_stop(); };
  scene.key.answer = value_of(CredentialOrigin::api_key);
  CredentialChain chain = scene.chain();
  const auto obtained = chain.obtain(cancel.get_token());
  ASSERT_FALSE(obtained.ok());
  EXPECT_EQ(obtained.error().code, ErrorCode::cancelled);
  EXPECT_EQ(scene.key.fetches, 0);
  scene.gcloud.during = {};
  scene.gcloud.answer = value_of(CredentialOrigin::gcloud);
  EXPECT_EQ(outcome(chain), "gcloud") << "the interrupt is not held against the source";
}

TEST(CredentialChain, LetsOneCallerInAtATime) {
  Scene scene;
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  scene.gcloud.answer = value_of(CredentialOrigin::gcloud);
  scene.gcloud.during = [&] {
    most = std::max(most.load(), ++inside);
    std::this_thread::yield();
    --inside;
  };
  CredentialChain chain = scene.chain();
  std::vector<Thread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&chain] {
      for (int j = 0; j < 50; ++j) EXPECT_EQ(outcome(chain), "gcloud");
    });
  }
  callers.clear();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(scene.gcloud.fetches, 400);
}

TEST(CredentialChain, LetsAWaitingCallerBeInterrupted) {
  Scene scene;
  std::mutex mutex;
  std::condition_variable changed;
  bool entered = false;
  bool leave = false;
  scene.gcloud.answer = value_of(CredentialOrigin::gcloud);
  scene.gcloud.during = [&] {
    std::unique_lock lock(mutex);
    entered = true;
    changed.notify_all();
    changed.wait(lock, [&] { return leave; });
  };
  CredentialChain chain = scene.chain();
  Thread first([&chain] { EXPECT_EQ(outcome(chain), "gcloud"); });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return entered; });
  }
  CancelSource cancel;
  Thread canceller([&cancel] { cancel.request_stop(); });
  const auto second = chain.obtain(cancel.get_token());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::cancelled);
  const std::lock_guard lock(mutex);
  leave = true;
  changed.notify_all();
}

}  // namespace
}  // namespace yume::auth
