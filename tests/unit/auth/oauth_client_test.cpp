// SPDX-License-Identifier: MIT
#include "auth/oauth_client.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "auth/url_rules.h"
#include "support/fake_clock.h"
#include "support/scripted_transport.h"

namespace yume::auth {
namespace {

using namespace std::chrono_literals;
using test::Answer;
using test::error_answer;
using test::no_connection;

HttpAnswer answer_of(int status, std::string body) {
  return {.head = {.status = status, .headers = {}}, .body = Secret(std::move(body))};
}

TEST(OauthClient, RepeatsTwiceWhenTheServerIsNotToBeReached) {
  test::FakeClock clock;
  test::ScriptedTransport transport({no_connection({.code = ErrorCode::network, .message = "down"}),
                                     error_answer(503, ""), error_answer(200, "here")});
  OauthClient client(transport, clock);
  const auto answer = client.send(get_request("https://a.googleapis.com/"), CancelToken());
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->body.reveal(), "here");
  EXPECT_EQ(clock.sleeps(), (std::vector<std::chrono::milliseconds>{200ms, 400ms}));
}

TEST(OauthClient, GivesUpAfterTheSecondRepeat) {
  test::FakeClock clock;
  test::ScriptedTransport transport({error_answer(500, "1"), error_answer(502, "2"),
                                     error_answer(503, "3"), error_answer(200, "4")});
  OauthClient client(transport, clock);
  const auto answer = client.send(get_request("https://a.googleapis.com/"), CancelToken());
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->head.status, 503);
}

TEST(OauthClient, RepeatsNothingThatWouldOnlyTakeLonger) {
  for (const Answer& first : {error_answer(400, ""), error_answer(429, ""),
                              no_connection({.code = ErrorCode::timeout, .message = "slow"}),
                              no_connection({.code = ErrorCode::tls, .message = "who are you"})}) {
    test::FakeClock clock;
    test::ScriptedTransport transport({first, error_answer(200, "")});
    OauthClient client(transport, clock);
    (void)client.send(get_request("https://a.googleapis.com/"), CancelToken());
    EXPECT_EQ(transport.urls.size(), 1U);
  }
}

TEST(OauthClient, AsksForTheNetworkWhereNoNameIsKnown) {
  test::FakeClock clock;
  test::ScriptedTransport transport(
      {no_connection({.code = ErrorCode::not_found, .message = "cannot resolve host a"})});
  OauthClient client(transport, clock);
  const auto answer = client.send(get_request("https://a/"), CancelToken());
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().message, "cannot resolve host a; is this machine offline?");
}

TEST(OauthClient, RefusesAnEndlessAnswer) {
  test::FakeClock clock;
  test::ScriptedTransport transport({error_answer(200, std::string(300'000, 'x'))});
  OauthClient client(transport, clock);
  const auto answer = client.send(get_request("https://a.googleapis.com/"), CancelToken());
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::too_large);
}

TEST(OauthClient, EncodesForms) {
  EXPECT_EQ(form_body({{"a", "x y"}, {"b", "1/2+3=&\xc3\xa9"}}).reveal(),
            "a=x%20y&b=1%2F2%2B3%3D%26%C3%A9");
}

TEST(OauthClient, ReadsTokens) {
  const auto token =
      read_access_token(answer_of(200, R"({"access_token":"ya29.abcdef","expires_in":3599})"));
  ASSERT_TRUE(token.ok());
  EXPECT_EQ(token->value.reveal(), "ya29.abcdef");
  EXPECT_EQ(token->lifetime, 3599s);
  EXPECT_EQ(read_access_token(answer_of(200, R"({"access_token":"ya29.abcdef"})"))->lifetime, 1h);
  EXPECT_EQ(read_access_token(
                answer_of(200, R"({"access_token":"ya29.abcdef","expires_in":99999999999})"))
                ->lifetime,
            12h);
}

TEST(OauthClient, TakesNothingElseForAToken) {
  for (const char* body : {"", "<html>", "[]", "{}", R"({"access_token":1})",
                           R"({"access_token":"short"})", R"({"access_token":"line\r\nX-Evil: 1"})",
                           R"({"access_token":"ya29.abcdef","expires_in":0})"}) {
    const auto token = read_access_token(answer_of(200, body));
    ASSERT_FALSE(token.ok()) << body;
    EXPECT_EQ(token.error().code, ErrorCode::protocol);
    EXPECT_EQ(token.error().message.find("Evil"), std::string::npos);
  }
}

TEST(OauthClient, ReadsBothKindsOfRefusal) {
  EXPECT_EQ(describe(answer_of(
                400, R"({"error":"invalid_grant","error_description":"Bad\u001b[2J Request"})")),
            "the token endpoint answered 400 invalid_grant (Bad [2J Request)");
  EXPECT_EQ(describe(answer_of(
                403, R"({"error":{"code":403,"status":"PERMISSION_DENIED","message":"no"}})")),
            "the token endpoint answered 403 PERMISSION_DENIED (no)");
  EXPECT_EQ(describe(answer_of(502, "<html>")), "the token endpoint answered 502");
}

TEST(UrlRules, SendSecretsToGoogleOrNowhere) {
  for (const char* url :
       {"https://oauth2.googleapis.com/token", "https://sts.googleapis.com/v1/token",
        "https://STS.GoogleApis.com/v1", "http://127.0.0.1:8080/token", "http://localhost:1/",
        "http://[::1]:9/"}) {
    EXPECT_TRUE(check_google_url(url, "token_uri").ok()) << url;
  }
  for (const char* url :
       {"", "oauth2.googleapis.com", "http://oauth2.googleapis.com/token", "https://evil.example/",
        "https://googleapis.com.evil.example/", "https://evilgoogleapis.com/",
        "https://oauth2.googleapis.com@evil.example/", "https://evil.example/#.googleapis.com",
        "https://evil.example\\.googleapis.com/", "ftp://oauth2.googleapis.com/",
        "file:///etc/passwd", "https://a.googleapis.com\r\nx"}) {
    const auto checked = check_google_url(url, "token_uri");
    ASSERT_FALSE(checked.ok()) << url;
    EXPECT_TRUE(checked.error().message.starts_with("token_uri is not a"));
  }
}

TEST(UrlRules, AskForeignServersByHttpsOnly) {
  EXPECT_TRUE(check_subject_url("https://ci.example/token").ok());
  EXPECT_TRUE(check_subject_url("http://169.254.169.254/metadata/identity").ok());
  EXPECT_TRUE(check_subject_url("http://127.0.0.1:1/").ok());
  EXPECT_FALSE(check_subject_url("http://ci.example/token").ok());
  EXPECT_FALSE(check_subject_url("file:///etc/passwd").ok());
}

}  // namespace
}  // namespace yume::auth
