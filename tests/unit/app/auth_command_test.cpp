// SPDX-License-Identifier: MIT
#include "app/auth_command.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <variant>

#include "app/options.h"

namespace yume::app {
namespace {

using namespace std::chrono_literals;

constexpr platform::WallTime k_now{1'700'000'000s};  // 2023-11-14 22:13:20

Result<auth::Obtained> login() {
  return auth::Obtained{.credential = auth::Credential{.kind = auth::CredentialKind::access_token,
                                                       .origin = auth::CredentialOrigin::gcloud,
                                                       .source = "gcloud",
                                                       .header = {.name = "Authorization",
                                                                  .value = Secret("Bearer canary")},
                                                       .account = "me@example.com",
                                                       .expires = k_now + 50min,
                                                       .project = "p",
                                                       .quota_project = "q"},
                        .notices = {"Passed over a credential source: x"}};
}

TEST(AuthStatus, SaysWhichWhoseAndUntilWhen) {
  EXPECT_EQ(auth_status_text(login(), k_now),
            "source         gcloud\n"
            "account        me@example.com\n"
            "expires        2023-11-14T23:03:20Z (in 50 min)\n"
            "project        p\n"
            "quota project  q\n"
            "notice         Passed over a credential source: x\n");
  EXPECT_EQ(
      auth_status_json(login()),
      R"({"loggedIn":true,"source":"gcloud","kind":"access_token","account":"me@example.com",)"
      R"("expires":"2023-11-14T23:03:20Z","project":"p","quotaProject":"q",)"
      R"("notices":["Passed over a credential source: x"]})"
      "\n");
}

TEST(AuthStatus, LeavesOutWhatAKeyDoesNotHave) {
  const Result<auth::Obtained> key = auth::Obtained{
      .credential =
          auth::Credential{.source = "GEMINI_API_KEY",
                           .header = {.name = "x-goog-api-key", .value = Secret("canary")}},
      .notices = {}};
  EXPECT_EQ(auth_status_text(key, k_now), "source         GEMINI_API_KEY\n");
  EXPECT_EQ(
      auth_status_json(key),
      "{\"loggedIn\":true,\"source\":\"GEMINI_API_KEY\",\"kind\":\"api_key\",\"notices\":[]}\n");
}

TEST(AuthStatus, SaysWhatToDoWithoutALogin) {
  EXPECT_EQ(auth_status_text(auth::Obtained{}, k_now),
            "Not logged in. Run `gcloud auth login`, or run `gcloud auth application-default "
            "login`, or set GEMINI_API_KEY to an API key.\n");
  EXPECT_EQ(auth_status_json(auth::Obtained{}), "{\"loggedIn\":false,\"notices\":[]}\n");
  const Result<auth::Obtained> broken = Error{.code = ErrorCode::auth, .message = "gcloud: a"};
  EXPECT_EQ(auth_status_text(broken, k_now), "gcloud: a\n");
  EXPECT_EQ(auth_status_json(broken), "{\"loggedIn\":false,\"error\":\"gcloud: a\"}\n");
}

TEST(AuthStatus, LetsNoAccountNameCommandTheTerminal) {
  auto obtained = login();
  obtained->credential->account = "me\x1b[2J\n";
  EXPECT_NE(auth_status_text(obtained, k_now).find("account        me?[2J?\n"), std::string::npos);
}

Options options_of(const std::vector<std::string>& tokens,
                   std::map<std::string, std::string, std::less<>> variables = {}) {
  platform::Environment environment;
  environment.variables = std::move(variables);
  const auto read = read_options(*parse_arguments(tokens), environment);
  EXPECT_TRUE(std::holds_alternative<Options>(read));
  return std::get<Options>(read);
}

TEST(AuthOptions, ChooseTheSourceTheProgramAndTheCache) {
  const Options usual = options_of({});
  EXPECT_EQ(usual.auth, AuthChoice::automatic);
  EXPECT_EQ(usual.token_cache, TokenCacheMode::runtime);
  EXPECT_EQ(usual.gcloud_path, "");
  EXPECT_EQ(options_of({"--auth", "gcloud"}).auth, AuthChoice::gcloud);
  EXPECT_EQ(options_of({"--auth", "adc"}).auth, AuthChoice::adc);
  EXPECT_EQ(options_of({"--auth=api-key"}).auth, AuthChoice::api_key);
  EXPECT_EQ(options_of({"--token-cache", "memory"}).token_cache, TokenCacheMode::memory);
  EXPECT_EQ(options_of({"--token-cache", "off"}).token_cache, TokenCacheMode::off);
  EXPECT_EQ(options_of({}, {{"YUME_GCLOUD", "/a"}}).gcloud_path, "/a");
  EXPECT_EQ(options_of({"--gcloud-path", "/b"}, {{"YUME_GCLOUD", "/a"}}).gcloud_path, "/b");
}

TEST(AuthOptions, RefuseAnUnknownSource) {
  const auto read = read_options(*parse_arguments({"--auth", "oauth"}), {});
  ASSERT_TRUE(std::holds_alternative<UsageError>(read));
  EXPECT_EQ(std::get<UsageError>(read).code, ExitCode::usage);
}

}  // namespace
}  // namespace yume::app
