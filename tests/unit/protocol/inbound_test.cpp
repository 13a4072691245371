// SPDX-License-Identifier: MIT
#include "protocol/inbound.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::protocol {
namespace {

std::string prompt(const std::string& content, const std::string& more = "") {
  return R"({"type":"user","message":{"role":"user","content":)" + content + "}" + more + "}";
}

TEST(ParseInbound, ReadsAPrompt) {
  EXPECT_EQ(parse_inbound(prompt(R"("hi \u00e9")")),
            Inbound(UserPrompt{core::UserMessage("hi \xC3\xA9")}));
  EXPECT_EQ(parse_inbound(prompt(R"([{"type":"text","text":"one"},{"type":"text","text":"two"}])")),
            Inbound(UserPrompt{core::UserMessage("one\ntwo")}));
  EXPECT_EQ(parse_inbound(prompt(R"("x")", R"(,"session_id":"","parent_tool_use_id":null,)"
                                           R"("uuid":"u","priority":"now","timestamp":"t")")),
            Inbound(UserPrompt{core::UserMessage("x")}));
  EXPECT_EQ(parse_inbound("\xEF\xBB\xBF  " + prompt(R"("x")") + " \r"),
            Inbound(UserPrompt{core::UserMessage("x")}));
}

TEST(ParseInbound, TakesOnlyWhatItKnowsFromBlocks) {
  EXPECT_EQ(
      parse_inbound(prompt(
          R"([{"type":"text","text":"a"},7,null,"s",{},)"
          R"({"type":"text"},{"type":"text","text":1},{"type":"tool_result","content":"r"}])")),
      Inbound(UserPrompt{core::UserMessage("a\n\n")}));
}

TEST(ParseInbound, KeepsMediaInTheirPlace) {
  const std::string picture =
      R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGk="}})";
  const std::string paper =
      R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"aGk="}})";
  core::UserMessage expected("look:");
  expected.blocks.emplace_back(core::Media{.mime_type = "image/png", .base64 = "aGk="});
  expected.blocks.emplace_back(core::Media{.mime_type = "application/pdf", .base64 = "aGk="});
  expected.blocks.emplace_back(std::string("what is it?"));
  EXPECT_EQ(parse_inbound(prompt(R"([{"type":"text","text":"look:"},)" + picture + "," + paper +
                                 R"(,{"type":"text","text":"what is it?"}])")),
            Inbound(UserPrompt{expected}));
}

TEST(ParseInbound, NamesMediaThatItCannotPassOn) {
  const auto text = [](const std::string& source) {
    const Inbound inbound = parse_inbound(prompt(R"([{"type":"image","source":)" + source + "}]"));
    return std::get<std::string>(std::get<UserPrompt>(inbound).message.blocks.at(0));
  };
  EXPECT_EQ(text(R"({"type":"url","url":"https://x/y.png"})"), "[image: https://x/y.png]");
  EXPECT_EQ(text(R"({"type":"text","data":"plain"})"), "plain");
  for (const char* source : {"{}", "7", R"({"type":"base64"})",
                             R"({"type":"base64","media_type":"image/png","data":"no base64!"})",
                             R"({"type":"base64","media_type":"","data":"aGk="})"}) {
    EXPECT_EQ(text(source), "[image that could not be read]") << source;
  }
}

TEST(ParseInbound, TakesContentOfAWrongShapeForNothing) {
  for (const char* content : {"null", "7", "{}", "[]", "true", R"("")"}) {
    EXPECT_TRUE(std::get<UserPrompt>(parse_inbound(prompt(content))).message.blank()) << content;
  }
  EXPECT_EQ(parse_inbound(R"({"type":"user","message":{"role":"user"}})"),
            Inbound(UserPrompt{core::UserMessage()}));
}

TEST(ParseInbound, RefusesAnotherRoleInClaudesWords) {
  EXPECT_EQ(parse_inbound(R"({"type":"user","message":{"role":"assistant","content":"x"}})"),
            Inbound(BadLine{"Error: Expected message role 'user', got 'assistant'"}));
  for (const char* line : {R"({"type":"user"})", R"({"type":"user","message":null})",
                           R"({"type":"user","message":[]})", R"({"type":"user","message":"hi"})",
                           R"({"type":"user","message":{"content":"x"}})",
                           R"({"type":"user","message":{"role":7}})"}) {
    EXPECT_EQ(parse_inbound(line),
              Inbound(BadLine{"Error: Expected message role 'user', got 'undefined'"}))
        << line;
  }
}

std::string request(const std::string& inner) {
  return R"({"type":"control_request","request_id":"r1","request":)" + inner + "}";
}

TEST(ParseInbound, ReadsInitialize) {
  EXPECT_EQ(parse_inbound(request(R"({"subtype":"initialize","hooks":null})")),
            Inbound(InitializeRequest{"r1", std::nullopt, ""}));
  EXPECT_EQ(parse_inbound(request(R"({"subtype":"initialize","systemPrompt":"be brief",)"
                                  R"("appendSystemPrompt":"and kind"})")),
            Inbound(InitializeRequest{"r1", "be brief", "and kind"}));
  EXPECT_EQ(parse_inbound(request(R"({"subtype":"initialize","systemPrompt":["a",7,"b"]})")),
            Inbound(InitializeRequest{"r1", "a\n\nb", ""}));
}

TEST(ParseInbound, TellsAnEmptySystemPromptFromNone) {
  for (const char* empty : {R"("")", R"([""])", "[]"}) {
    EXPECT_EQ(parse_inbound(
                  request(R"({"subtype":"initialize","systemPrompt":)" + std::string(empty) + "}")),
              Inbound(InitializeRequest{"r1", "", ""}))
        << empty;
  }
  for (const char* none : {"null", "7", "{}", "true"}) {
    EXPECT_EQ(parse_inbound(
                  request(R"({"subtype":"initialize","systemPrompt":)" + std::string(none) + "}")),
              Inbound(InitializeRequest{"r1", std::nullopt, ""}))
        << none;
  }
}

TEST(ParseInbound, ReadsInterrupt) {
  EXPECT_EQ(parse_inbound(request(R"({"subtype":"interrupt"})")), Inbound(InterruptRequest{"r1"}));
}

TEST(ParseInbound, AnswersEveryOtherRequest) {
  EXPECT_EQ(parse_inbound(request(R"({"subtype":"set_model","model":"x"})")),
            Inbound(UnsupportedRequest{"r1", "set_model"}));
  for (const char* inner : {"null", "7", "[]", "{}", R"({"subtype":7})", R"("interrupt")"}) {
    EXPECT_EQ(parse_inbound(request(inner)), Inbound(UnsupportedRequest{"r1", ""})) << inner;
  }
  EXPECT_EQ(parse_inbound(R"({"type":"control_request"})"), Inbound(UnsupportedRequest{"", ""}));
  EXPECT_EQ(parse_inbound(R"({"type":"control_request","request_id":7,"request":{"subtype":"x"}})"),
            Inbound(UnsupportedRequest{"", "x"}));
}

TEST(ParseInbound, IgnoresWhatIsNotForUs) {
  for (const char* line :
       {"", " ", "\t\r\n", "\xEF\xBB\xBF", "{}", "[]", "null", "7", R"("x")", "true",
        R"({"type":"keep_alive"})", R"({"type":"control_response"})",
        R"({"type":"control_cancel_request","request_id":"x"})", R"({"type":"of_the_future"})",
        R"({"type":7})", R"({"type":null})", R"({"message":{"role":"user","content":"x"}})"}) {
    EXPECT_EQ(parse_inbound(line), Inbound(IgnoredLine{})) << line;
  }
}

TEST(ParseInbound, ReadsRepliesToOurQuestions) {
  EXPECT_EQ(parse_inbound(R"({"type":"control_response","response":{"subtype":"success",)"
                          R"("request_id":"q","response":{"behavior":"allow"}}})"),
            Inbound(HostReply{.request_id = "q", .response = RawJson{R"({"behavior":"allow"})"}}));
  EXPECT_EQ(parse_inbound(R"({"type":"control_response","response":{"subtype":"error",)"
                          R"("request_id":"q","error":"gone"}})"),
            Inbound(HostReply{.request_id = "q", .response = {}, .error = "gone"}));
  EXPECT_EQ(parse_inbound(R"({"type":"control_response","response":{"subtype":"success",)"
                          R"("request_id":"q","response":"yes"}})"),
            Inbound(HostReply{.request_id = "q", .response = {}}));
  for (const char* nothing : {"", R"(,"response":null)"}) {
    EXPECT_EQ(parse_inbound(R"({"type":"control_response","response":{"subtype":"success",)"
                            R"("request_id":"q")" +
                            std::string(nothing) + "}}"),
              Inbound(HostReply{.request_id = "q", .response = RawJson{"{}"}}));
  }
}

TEST(ParseInbound, ReadsTheHooksOfAHost) {
  const auto read = [](const std::string& hooks) {
    return std::get<InitializeRequest>(
               parse_inbound(R"({"type":"control_request","request_id":"i","request":)"
                             R"({"subtype":"initialize","hooks":)" +
                             hooks + "}}"))
        .hooks;
  };
  using Groups = std::vector<core::HostHookGroup>;
  EXPECT_EQ(read(R"({"PreCompact":[{"matcher":null,"hookCallbackIds":["a","b"]},)"
                 R"({"matcher":"auto","hookCallbackIds":["c"],"timeout":1.5,"onFailure":"block"}],)"
                 R"("Stop":[{"hookCallbackIds":["d"],"timeout":-1}]})"),
            (Groups{{.event = "PreCompact", .callback_ids = {"a", "b"}},
                    {.event = "PreCompact",
                     .matcher = "auto",
                     .callback_ids = {"c"},
                     .timeout = std::chrono::milliseconds(1500),
                     .on_failure = core::OnHookFailure::block},
                    {.event = "Stop", .callback_ids = {"d"}}}));
  for (const char* none : {"null", "[]", "7", "{}", R"({"Stop":7})", R"({"Stop":[7]})"}) {
    EXPECT_EQ(read(none), Groups{}) << none;
  }
}

TEST(PermissionAnswer, IsAnAllowOnlyWhenItSaysSo) {
  const auto answer = [](const std::string& body) {
    return permission_answer({.request_id = "q", .response = RawJson{body}});
  };
  const auto answered = [](core::HostAnswer what) { return std::optional(std::move(what)); };
  EXPECT_EQ(answer(R"({"behavior":"allow"})"), answered(core::HostAllows{}));
  EXPECT_EQ(answer(R"({"behavior":"allow","updatedInput":{"a":1}})"),
            answered(core::HostAllows{.input = RawJson{R"({"a":1})"}}));
  EXPECT_EQ(answer(R"({"behavior":"allow","updatedPermissions":[7,{"type":"addRules"},)"
                   R"({"type":"setMode","mode":"acceptEdits"}]})"),
            answered(core::HostAllows{.mode = core::PermissionMode::accept_edits}));
  EXPECT_EQ(answer(R"({"behavior":"deny","message":"no","interrupt":true})"),
            answered(core::HostDenies{.message = "no", .interrupt = true}));
  EXPECT_EQ(answer(R"({"behavior":7})"), std::nullopt);
  EXPECT_EQ(permission_answer({.request_id = "q", .response = {}, .error = "gone"}),
            answered(core::HostDenies{.message = "Tool permission request failed: gone"}))
      << "what is no allow is none";
}

TEST(ParseInbound, RefusesWhatIsNotJson) {
  for (const std::string line : {"not json at all!", "{", "{'a':1}", R"({"type":"user")",
                                 R"({"a":1} trailing)", "\xFF\xFE{}", "tru e", "1 2"}) {
    EXPECT_EQ(parse_inbound(line),
              Inbound(BadLine{"Error parsing streaming input line (type=unknown, " +
                              std::to_string(line.size()) + " chars): SyntaxError"}))
        << line;
  }
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_TRUE(std::holds_alternative<BadLine>(parse_inbound(deep)));
}

TEST(ParseInbound, RepairsBytesThatAreNotUtf8AndLoneSurrogates) {
  EXPECT_EQ(parse_inbound(prompt("\"a\xFF\"")),
            Inbound(UserPrompt{core::UserMessage("a\xEF\xBF\xBD")}));
  EXPECT_EQ(parse_inbound(prompt(R"("a\ud83d")")),
            Inbound(UserPrompt{core::UserMessage("a\xEF\xBF\xBD")}));
  EXPECT_EQ(parse_inbound(prompt(R"("a\u0000b")")),
            Inbound(UserPrompt{core::UserMessage(std::string("a\0b", 3))}));
}

}  // namespace
}  // namespace yume::protocol
