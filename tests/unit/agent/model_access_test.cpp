// SPDX-License-Identifier: MIT
#include "agent/model_access.h"

#include "support/fake_clock.h"
#include "support/recording_sink.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace yume::agent {
namespace {

using auth::Credential;
using auth::CredentialKind;
using auth::CredentialOrigin;
using Strings = std::vector<std::string>;

// A source that hands out numbered tokens, or one key.
class FakeSource final : public auth::CredentialSource {
 public:
  FakeSource(CredentialOrigin origin, CredentialKind kind, Credential more = {})
      : origin_(origin), kind_(kind), more_(std::move(more)) {}

  CredentialOrigin origin() const override { return origin_; }
  bool seems_configured() const override { return true; }
  Result<std::optional<Credential>> fetch(platform::WallTime, const CancelToken&) override {
    Credential made = more_;
    made.kind = kind_;
    made.origin = origin_;
    made.source = auth::name_of(origin_);
    const std::string value = kind_ == CredentialKind::api_key ? "key" : "t" + std::to_string(n_);
    made.header =
        kind_ == CredentialKind::api_key
            ? net::SecretHeader{.name = "x-goog-api-key", .value = Secret(value)}
            : net::SecretHeader{.name = "Authorization", .value = Secret("Bearer " + value)};
    return std::optional(made);
  }
  void invalidate(const Credential&) override { ++n_; }

 private:
  CredentialOrigin origin_;
  CredentialKind kind_;
  Credential more_;
  int n_ = 1;
};

struct Scene {
  explicit Scene(std::vector<std::unique_ptr<auth::CredentialSource>> sources,
                 config::AccessSpec settings = {})
      : chain(std::move(sources), auth::ChainMode::automatic, clock, null_log()),
        access(chain, std::move(settings), redactor) {}

  std::string route() {
    const auto made = access.route(sink, {});
    if (!made.ok()) return made.error().message;
    std::string text = *made->endpoint.stream_url("m");
    for (const auto& header : made->headers) text += " " + header.name + ":" + header.value;
    for (const auto& header : made->credentials) {
      text += " " + header.name + ":" + std::string(header.value.reveal());
    }
    return text;
  }

  test::FakeClock clock;
  test::RecordingSink sink;
  auth::CredentialChain chain;
  Redactor redactor;
  ModelAccess access;
};

template <class... Sources>
std::vector<std::unique_ptr<auth::CredentialSource>> list(Sources... sources) {
  std::vector<std::unique_ptr<auth::CredentialSource>> all;
  (all.push_back(std::move(sources)), ...);
  return all;
}

std::unique_ptr<FakeSource> gcloud(Credential more = {}) {
  return std::make_unique<FakeSource>(CredentialOrigin::gcloud, CredentialKind::access_token,
                                      std::move(more));
}
std::unique_ptr<FakeSource> key() {
  return std::make_unique<FakeSource>(CredentialOrigin::api_key, CredentialKind::api_key);
}

gemini::ApiError refused(gemini::Remedy remedy) {
  gemini::ApiError error;
  error.remedy = remedy;
  error.error.message = "API Error: no";
  return error;
}

const config::AccessSpec k_local{.endpoint = {.api_base = "http://s"}, .extra_headers = {}};
const std::string k_url = "http://s/v1beta/models/m:streamGenerateContent?alt=sse";

TEST(ModelAccess, SendsAKeyAsItsOwnHeaderOrAsBearer) {
  Scene plain(list(key()), k_local);
  EXPECT_EQ(plain.route(), k_url + " x-goog-api-key:key");
  config::AccessSpec bearer = k_local;
  bearer.key_as_bearer = true;
  bearer.extra_headers = {{"X-Team", "a"}};
  EXPECT_EQ(Scene(list(key()), bearer).route(), k_url + " X-Team:a Authorization:Bearer key");
}

TEST(ModelAccess, NamesTheQuotaProjectOfALogin) {
  Credential more;
  more.quota_project = "pays";
  EXPECT_EQ(Scene(list(gcloud(more)), k_local).route(),
            k_url + " x-goog-user-project:pays Authorization:Bearer t1");
}

TEST(ModelAccess, TakesALoginWithAProjectToVertex) {
  Credential more;
  more.project = "p";
  EXPECT_EQ(Scene(list(gcloud(more))).route(),
            "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/"
            "models/m:streamGenerateContent?alt=sse Authorization:Bearer t1");
}

TEST(ModelAccess, SaysHowToLogInWhenThereIsNothing) {
  EXPECT_TRUE(Scene({}).route().starts_with(
      "API Error: failed to authenticate, no Gemini credentials found."));
}

TEST(ModelAccess, RenewsATokenOnceUntilItWasAccepted) {
  Scene scene(list(gcloud()), k_local);
  EXPECT_EQ(scene.route(), k_url + " Authorization:Bearer t1");
  EXPECT_TRUE(scene.access.refused(refused(gemini::Remedy::new_credential), scene.sink));
  EXPECT_EQ(scene.route(), k_url + " Authorization:Bearer t2");
  EXPECT_FALSE(scene.access.refused(refused(gemini::Remedy::new_credential), scene.sink));
  scene.access.accepted();
  EXPECT_TRUE(scene.access.refused(refused(gemini::Remedy::new_credential), scene.sink));
}

TEST(ModelAccess, HasNoFresherKey) {
  Scene scene(list(key()), k_local);
  scene.route();
  EXPECT_FALSE(scene.access.refused(refused(gemini::Remedy::new_credential), scene.sink));
}

TEST(ModelAccess, GoesOnToTheNextSourceAndSaysSo) {
  Scene scene(list(gcloud(), key()), k_local);
  scene.route();
  EXPECT_TRUE(scene.access.refused(refused(gemini::Remedy::next_source), scene.sink));
  EXPECT_EQ(scene.route(), k_url + " x-goog-api-key:key");
  EXPECT_FALSE(scene.access.refused(refused(gemini::Remedy::next_source), scene.sink));
  EXPECT_EQ(
      scene.sink.events(),
      Strings{"notice gcloud was refused by the server, trying the next login: API Error: no"});
}

}  // namespace
}  // namespace yume::agent
