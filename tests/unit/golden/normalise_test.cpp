// SPDX-License-Identifier: MIT
#include "golden/runner/normalise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "demo/scripted_server.h"
#include "golden/runner/expectation.h"
#include "golden/runner/invariants.h"
#include "golden/runner/line_diff.h"

namespace yume::golden {
namespace {

constexpr const char* k_uuid_a = "0b1c2d3e-0000-4000-8000-00000000000a";
constexpr const char* k_uuid_b = "0b1c2d3e-0000-4000-8000-00000000000b";

std::string once(const std::string& text) {
  return Normaliser({}).apply(text);
}

TEST(Normaliser, NumbersValuesPerKindInOrderOfFirstAppearance) {
  Normaliser normaliser({});
  EXPECT_EQ(
      normaliser.apply(std::string(k_uuid_b) + " msg_0123456789ab " + k_uuid_a + " " + k_uuid_b),
      "%{uuid:1} %{msg:1} %{uuid:2} %{uuid:1}");
  EXPECT_EQ(normaliser.apply(std::string("msg_ffffffffffffff ") + k_uuid_a), "%{msg:2} %{uuid:2}");
}

TEST(Normaliser, KnowsEveryKindOfId) {
  EXPECT_EQ(once(R"("toolu_00112233445566","id":"txt_5fa-12","txt_5fa-13","txt_5fa-12")"),
            R"("%{toolu:1}","id":"%{txt:1}","%{txt:2}","%{txt:1}")");
}

TEST(Normaliser, LeavesWhatOnlyLooksLikeAnId) {
  for (const std::string text :
       {"msg_0123456789a", "msg_0123456789abz", "xmsg_0123456789ab", "txt_5fa-", "txt_-1",
        "toolu_zz", "a0b1c2d3e-0000-4000-8000-00000000000a",
        "0b1c2d3e-0000-4000-8000-00000000000a0", "2026-01-02",
        "0B1C2D3E-0000-4000-8000-00000000000A"}) {
    EXPECT_EQ(once(text), text);
  }
}

TEST(Normaliser, ReplacesTimestamps) {
  EXPECT_EQ(once("2026-11-16T01:02:03Z 2026-11-16T01:02:03.456Z 2026-11-16T01:02:03+02:00."),
            "%{time} %{time} %{time}.");
}

TEST(Normaliser, ReplacesTheTimesAndIdsOfEvents) {
  EXPECT_EQ(
      once(R"("evt_5fa-12","evt_5fa-13","evt_5fa-12","google-gemini","timestamp":1763499295123,)"),
      R"("%{evt:1}","%{evt:2}","%{evt:1}","google-gemini","timestamp":%{epoch_ms},)");
  for (const std::string text : {R"("google-gemini","timestamp":176349929512,)",
                                 R"("google-gemini","timestamp":1763499295123.5,)",
                                 R"("timestamp":1763499295123,)", R"("time":1763499295123,)"}) {
    EXPECT_EQ(once(text), text);
  }
}

TEST(Normaliser, ReplacesOnlySoundMilliseconds) {
  EXPECT_EQ(
      once(R"({"duration_ms":12,"duration_api_ms":0,"ttft_ms": 3,"retry_delay_ms":1000})"),
      R"({"duration_ms":%{ms},"duration_api_ms":%{ms},"ttft_ms": %{ms},"retry_delay_ms":%{ms}})");
  for (const std::string text :
       {R"({"duration_ms":0})", R"({"duration_ms":-1})", R"({"duration_ms":1.5})",
        R"({"duration_ms":1e3})", R"({"duration_ms":"12"})", R"({"timeout_ms":12})"}) {
    EXPECT_EQ(once(text), text);
  }
}

TEST(Normaliser, NumbersHowMuchOfASessionIsCovered) {
  EXPECT_EQ(
      once(R"({"logBytes":12,"x": {"logBytes": 12},"logBytes":7,"bytes":7})"),
      R"({"logBytes":%{bytes:1},"x": {"logBytes": %{bytes:1}},"logBytes":%{bytes:2},"bytes":7})");
}

TEST(Normaliser, PrefersTheLongestLiteral) {
  Normaliser normaliser({{"/s", "%{scratch}"},
                         {"/s/work", "%{cwd}"},
                         {"127.0.0.1:99", "%{host}"},
                         {"http://127.0.0.1:99", "%{url}"}});
  EXPECT_EQ(normaliser.apply("/s/work/a /s/x http://127.0.0.1:99/v1 127.0.0.1:99"),
            "%{cwd}/a %{scratch}/x %{url}/v1 %{host}");
}

std::string first_rule(const std::string& text) {
  const auto broken = broken_invariants(text);
  return broken.empty() ? "" : broken.front().substr(0, broken.front().find(':'));
}

TEST(Invariants, HoldForProperLines) {
  EXPECT_EQ(broken_invariants(""), std::vector<std::string>{});
  EXPECT_EQ(broken_invariants("{\"type\":\"system\",\"subtype\":\"init\",\"a\":\" \\\" \\\\\"}\n"
                              "{\"type\":\"text\",\"c\":\"\\ud83d\\ude00 \\\\ud83d\"}\n"
                              "{\"type\":\"result\",\"n\":1}\n"
                              "{\"type\":\"system\",\"subtype\":\"init\"}\n"
                              "{\"type\":\"result\",\"n\":2}\n"),
            std::vector<std::string>{});
}

TEST(Invariants, NameTheRuleThatIsBroken) {
  EXPECT_EQ(first_rule("nonsense\n"), "json");
  EXPECT_EQ(first_rule("[1]\n"), "json");
  EXPECT_EQ(first_rule("\n"), "json");
  EXPECT_EQ(first_rule("{\"a\":1,\"type\":\"x\"}\n"), "type-first");
  EXPECT_EQ(first_rule("{\"type\":\"x\", \"a\":1}\n"), "compact");
  EXPECT_EQ(first_rule("{\"type\":\"\xc3\xa9\"}\n"), "ascii");
  EXPECT_EQ(first_rule("{\"type\":\"x\"}"), "final-newline");
  EXPECT_EQ(first_rule("{\"type\":\"x\"}\n{\"type\":\"x\"}\n"), "unique");
  EXPECT_EQ(first_rule("{\"type\":\"result\",\"n\":1}\n{\"type\":\"result\",\"n\":2}\n"),
            "one-result");
  EXPECT_EQ(first_rule("{\"type\":\"" + std::string(1'000'000, 'a') + "\"}\n"), "line-length");
}

TEST(Invariants, SeeLoneSurrogates) {
  for (const std::string text : {R"(\ud83d)", R"(\ude00)", R"(\ud83dx)", R"(\ud83d\ud83d\ude00)"}) {
    const auto broken = broken_invariants("{\"type\":\"" + text + "\"}\n");
    EXPECT_TRUE(std::any_of(broken.begin(), broken.end(), [](const std::string& what) {
      return what.starts_with("surrogates: line 1");
    })) << text;
  }
}

TEST(LineDiff, ShowsChangedLinesWithContext) {
  EXPECT_EQ(line_diff("a\n", "a\n"), "");
  EXPECT_EQ(line_diff("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nfive\n6\n"),
            "@@ -2 +2 @@\n 2\n 3\n 4\n-5\n+five\n 6\n");
  EXPECT_EQ(line_diff("", "a\n"), "@@ -1 +1 @@\n+a\n");
  EXPECT_EQ(line_diff("a\n", "a"), "(actual has no newline at the end)\n");
}

TEST(LineDiff, BringsALateDifferenceIntoSight) {
  const std::string prefix(5000, 'p');
  EXPECT_EQ(line_diff(prefix + "1\n", prefix + "2\n"),
            "@@ -1 +1 @@\n-[4920 equal bytes]..." + std::string(80, 'p') +
                "1\n+[4920 equal bytes]..." + std::string(80, 'p') + "2\n");
}

demo::RecordedRequest sample_request() {
  demo::RecordedRequest request;
  request.method = "POST";
  request.target = "/v1beta/models/m:streamGenerateContent?alt=sse";
  request.headers = {{"Host", "h"}, {"X-Goog-Api-Key", "k"}, {"content-type", "application/json"}};
  request.body = R"({"tools":[{"functionDeclarations":[{"name":"Read"},{"name":"Bash"}]}],)"
                 R"("contents":[],"systemInstruction":{}})";
  return request;
}

TEST(RequestText, ShowsWhatTheClaimsAreAbout) {
  EXPECT_EQ(request_text(sample_request(), RequestDetail::contents), R"({
  "method": "POST",
  "target": "/v1beta/models/m:streamGenerateContent?alt=sse",
  "credentials": [
    "x-goog-api-key"
  ],
  "functions": [
    "Read",
    "Bash"
  ],
  "contents": []
}
)");
}

TEST(RequestText, ShowsEverythingWhenAsked) {
  demo::RecordedRequest request = sample_request();
  request.body = R"({"b":1,"a":2})";
  EXPECT_EQ(request_text(request, RequestDetail::full), R"({
  "method": "POST",
  "target": "/v1beta/models/m:streamGenerateContent?alt=sse",
  "headers": [
    "X-Goog-Api-Key: k",
    "content-type: application/json"
  ],
  "body": {
    "b": 1,
    "a": 2
  }
}
)");
}

TEST(Differences, AreReportedForMissingExtraAndChangedFiles) {
  const FileTree expected{{"stderr", {.bytes = "x\n"}}, {"files/run", {.bytes = "r\n"}}};
  const FileTree actual{{"stdout.txt", {.bytes = "y\n"}},
                        {"files/run", {.bytes = "r\n", .executable = true}}};
  EXPECT_EQ(differences(expected, actual),
            (std::vector<std::string>{
                "expect/files/run differs (- expected, + actual):\nactual is executable\n",
                "expect/stderr differs (- expected, + actual):\n@@ -1 +1 @@\n-x\n",
                "expect/stdout.txt differs (- expected, + actual):\n@@ -1 +1 @@\n+y\n"}));
  EXPECT_TRUE(differences(expected, expected).empty());
}

}  // namespace
}  // namespace yume::golden
