// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/doctor/login_checks.h"
#include "app/doctor/report.h"
#include "app/doctor/server_checks.h"
#include "support/fake_clock.h"
#include "support/scripted_transport.h"
#include "util/thread.h"

namespace yume::app::doctor {
namespace {

using auth::Credential;
using auth::CredentialKind;
using auth::CredentialOrigin;
using Strings = std::vector<std::string>;
using Fetched = Result<std::optional<Credential>>;

const std::string k_token = "ya29.secret-of-the-test";

TEST(DoctorReport, LinesUp) {
  EXPECT_EQ(report_lines({.check = "git", .detail = "/usr/bin/git"}, {}),
            "ok    git           /usr/bin/git\n");
  EXPECT_EQ(report_lines({.check = "certificates",
                          .verdict = Verdict::fail,
                          .detail = "gone",
                          .advice = "bring it back"},
                         {}),
            "FAIL  certificates  gone  -> bring it back\n");
}

TEST(DoctorReport, FitsANarrowTerminal) {
  const Finding finding{.check = "network",
                        .verdict = Verdict::fail,
                        .detail = "cannot resolve host generativelanguage.googleapis.com",
                        .advice = "is this machine offline? Else check the address"};
  EXPECT_EQ(report_lines(finding, {.width = 60}),
            "FAIL  network       cannot resolve host\n"
            "                    generativelanguage.googleapis.com\n"
            "                    -> is this machine offline? Else check\n"
            "                    the address\n");
  EXPECT_EQ(report_lines(finding, {.width = 200}), report_lines(finding, {}));
  EXPECT_EQ(report_lines({.check = "a", .detail = std::string(50, 'x')}, {.width = 60}),
            "ok    a             " + std::string(40, 'x') + "\n" + std::string(20, ' ') +
                std::string(10, 'x') + "\n");
}

TEST(DoctorReport, ColoursOnlyTheVerdict) {
  EXPECT_EQ(report_lines(
                {.check = "git", .verdict = Verdict::warn, .detail = "gone", .advice = "install"},
                {.colours = true, .utf8 = true}),
            "\x1b[33mwarn\x1b[0m  git           gone  \u2192 install\n");
}

TEST(DoctorReport, ForeignTextStaysOnItsLineAndCommandsNoTerminal) {
  const Finding finding{.check = "a", .detail = "one\ntwo\x1b[31m \u00e9\xff"};
  EXPECT_EQ(report_lines(finding, {}), "ok    a             one two?[31m ??\n");
  EXPECT_EQ(report_lines(finding, {.utf8 = true}),
            "ok    a             one two?[31m \u00e9\ufffd\n");
}

TEST(DoctorReport, AsJson) {
  EXPECT_EQ(report_json({{.check = "a", .detail = "b"},
                         {.check = "c", .verdict = Verdict::fail, .detail = "d", .advice = "e"}}),
            R"([{"check":"a","status":"ok","detail":"b","advice":""},)"
            R"({"check":"c","status":"fail","detail":"d","advice":"e"}])"
            "\n");
}

// "warn gcloud: detail -> advice".
Strings texts(const Findings& findings) {
  Strings all;
  for (const Finding& finding : findings) {
    const char* word = finding.verdict == Verdict::ok     ? "ok "
                       : finding.verdict == Verdict::warn ? "warn "
                                                          : "fail ";
    all.push_back(word + finding.check + ": " + finding.detail +
                  (finding.advice.empty() ? "" : " -> " + finding.advice));
  }
  return all;
}

class FakeSource final : public auth::CredentialSource {
 public:
  using Fetch = std::function<Fetched(const CancelToken&)>;
  FakeSource(CredentialOrigin origin, Fetch fetch) : origin_(origin), fetch_(std::move(fetch)) {}

  CredentialOrigin origin() const override { return origin_; }
  bool seems_configured() const override { return true; }
  Fetched fetch(platform::WallTime /*now*/, const CancelToken& cancel) override {
    return fetch_(cancel);
  }
  void invalidate(const Credential& /*credential*/) override {}

 private:
  CredentialOrigin origin_;
  Fetch fetch_;
};

using Sources = std::vector<std::unique_ptr<auth::CredentialSource>>;

std::unique_ptr<FakeSource> source(CredentialOrigin origin, FakeSource::Fetch fetch) {
  return std::make_unique<FakeSource>(origin, std::move(fetch));
}
std::unique_ptr<FakeSource> absent(CredentialOrigin origin) {
  return source(origin, [](const CancelToken&) { return std::optional<Credential>(); });
}
std::unique_ptr<FakeSource> broken(CredentialOrigin origin) {
  return source(origin, [](const CancelToken&) {
    return Error{.code = ErrorCode::auth, .message = "it fell apart"};
  });
}
std::unique_ptr<FakeSource> token(Credential more = {}) {
  more.kind = CredentialKind::access_token;
  more.origin = CredentialOrigin::gcloud;
  more.source = "gcloud";
  more.header = {.name = "Authorization", .value = Secret("Bearer " + k_token)};
  return source(CredentialOrigin::gcloud,
                [more](const CancelToken&) { return std::optional(more); });
}
std::unique_ptr<FakeSource> key() {
  return source(CredentialOrigin::api_key, [](const CancelToken&) {
    return std::optional(
        Credential{.source = "GEMINI_API_KEY",
                   .header = {.name = "x-goog-api-key", .value = Secret(k_token)}});
  });
}

Sources list(auto... sources) {
  Sources all;
  (all.push_back(std::move(sources)), ...);
  return all;
}

TEST(DoctorLogins, TheFirstThatWorksIsUsed) {
  const test::FakeClock clock(test::SleepMode::hold);
  Credential login;
  login.account = "me@example.com";
  login.expires = clock.wall_now() + std::chrono::seconds(150);
  login.project = "home";
  const auto logins = check_logins(list(token(login), absent(CredentialOrigin::adc), key()),
                                   Choice::first_that_works, clock, {});
  EXPECT_EQ(
      texts(logins.findings),
      (Strings{"ok gcloud: works, me@example.com, project home, for another 2 min",
               "ok adc: not set up", "ok api key: GEMINI_API_KEY", "ok login: gcloud is used"}));
  ASSERT_NE(logins.used, nullptr);
  EXPECT_EQ(logins.used->origin(), CredentialOrigin::gcloud);
}

TEST(DoctorLogins, ABrokenSourceIsAWarningWhileAnotherWorks) {
  const test::FakeClock clock(test::SleepMode::hold);
  const auto logins = check_logins(list(broken(CredentialOrigin::gcloud), key()),
                                   Choice::first_that_works, clock, {});
  EXPECT_EQ(texts(logins.findings),
            (Strings{"warn gcloud: it fell apart -> run: gcloud auth login",
                     "ok api key: GEMINI_API_KEY", "ok login: api key is used"}));
}

TEST(DoctorLogins, WithoutAnyItFails) {
  const test::FakeClock clock(test::SleepMode::hold);
  const auto none =
      check_logins(list(absent(CredentialOrigin::api_key)), Choice::first_that_works, clock, {});
  EXPECT_EQ(none.used, nullptr);
  EXPECT_EQ(texts(none.findings).back(),
            "fail login: none -> run gcloud auth login, or gcloud auth application-default login, "
            "or set GEMINI_API_KEY");
  const auto named = check_logins(list(broken(CredentialOrigin::gcloud)), Choice::named, clock, {});
  EXPECT_EQ(texts(named.findings).back(), "fail login: no source works -> run: gcloud auth login");
}

TEST(DoctorLogins, ASourceThatHangsIsGivenUpAfterFiveSeconds) {
  test::FakeClock clock(test::SleepMode::hold);
  const auto hangs = [](const CancelToken& cancel) -> Fetched {
    std::mutex mutex;
    Condition changed;
    std::unique_lock lock(mutex);
    changed.wait(lock, cancel, [] { return false; });
    return Error{.code = ErrorCode::cancelled, .message = "stopped"};
  };
  Thread time([&clock] {
    clock.wait_for_sleepers(1);
    clock.advance(std::chrono::seconds(5));
  });
  const auto logins = check_logins(list(source(CredentialOrigin::gcloud, hangs)),
                                   Choice::first_that_works, clock, {});
  EXPECT_EQ(texts(logins.findings).front(),
            "warn gcloud: no answer within 5 s -> run: gcloud auth login");
}

struct Server {
  explicit Server(test::Answer answer) : transport({std::move(answer)}) {
    options.endpoint.api_base = "https://gemini.test";
  }
  Strings check(std::unique_ptr<auth::CredentialSource> login) {
    return texts(check_server(options, "gemini-x", std::move(login),
                              {.transport = transport, .proxies = proxies, .clock = clock}, {}));
  }

  ServerOptions options;
  test::ScriptedTransport transport;
  net::ProxySettings proxies;
  test::FakeClock clock{test::SleepMode::hold};
};

const std::string k_answered = "ok network: gemini.test:443 answered in 0 ms";

TEST(DoctorServer, AsksForTheModelWithTheLogin) {
  Server server({.body = {R"({"name":"models/gemini-x"})"}});
  EXPECT_EQ(server.check(key()), (Strings{"ok proxy: none", k_answered,
                                          "ok access: the server knows the login and gemini-x"}));
  EXPECT_EQ(server.transport.urls, Strings{"https://gemini.test/v1beta/models/gemini-x"});
  EXPECT_EQ(server.transport.headers, Strings{"x-goog-api-key: " + k_token + "\n"});
}

TEST(DoctorServer, AsksVertexToCountTokens) {
  Server server({.body = {"{}"}});
  server.options.endpoint.vertex = true;
  server.options.endpoint.project = "home";
  (void)server.check(token());
  EXPECT_EQ(
      server.transport.urls,
      Strings{"https://gemini.test/v1/projects/home/locations/global/publishers/google/models/"
              "gemini-x:countTokens"});
}

TEST(DoctorServer, WithoutALoginAnyAnswerWillDo) {
  Server server(test::error_answer(403, "{}"));
  EXPECT_EQ(server.check(nullptr), (Strings{"ok proxy: none", k_answered}));
  EXPECT_EQ(server.transport.headers, Strings{""});
}

TEST(DoctorServer, ARefusalFailsAndHidesTheCredential) {
  Server server(test::error_answer(
      403, R"({"error":{"code":403,"message":"not )" + k_token + R"(","status":"NO"}})"));
  const Strings found = server.check(token());
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.back().find("fail access: "), 0U) << found.back();
  EXPECT_NE(found.back().find("not [redacted]"), std::string::npos) << found.back();
}

TEST(DoctorServer, ABusyServerIsAWarning) {
  Server server(test::error_answer(503, "{}"));
  EXPECT_EQ(server.check(key()).back().find("warn access: "), 0U);
}

TEST(DoctorServer, AMachineWithoutNetworkIsToldSo) {
  Server server(test::no_connection({.code = ErrorCode::not_found, .message = "cannot resolve"}));
  EXPECT_EQ(server.check(key()),
            (Strings{"ok proxy: none",
                     "fail network: cannot resolve -> is this machine offline? Else check the "
                     "address and the name server"}));
}

TEST(DoctorServer, NamesTheProxyWithoutItsPassword) {
  Server server({.body = {"{}"}});
  server.proxies.for_https = {.variable = "HTTPS_PROXY",
                              .address = Secret("http://me:hidden-word@proxy.test:3128")};
  EXPECT_EQ(server.check(key()).front(), "ok proxy: proxy.test:3128 (HTTPS_PROXY), with a user");
}

TEST(DoctorServer, AWrongWishIsExplained) {
  Server server({.body = {"{}"}});
  server.options.endpoint.vertex = true;
  EXPECT_EQ(server.check(token()).front(),
            "fail network: Vertex needs a project; set GOOGLE_CLOUD_PROJECT or pass --project");
}

}  // namespace
}  // namespace yume::app::doctor
