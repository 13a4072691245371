// SPDX-License-Identifier: MIT
#include "protocol/claude/inbound.h"

#include "protocol/line_outline.h"
#include "support/sample_media.h"
#include "util/base64.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/key_orders.h"

namespace yume::protocol {
namespace {

HostMessage message(core::Command command, std::string reply_to = {}) {
  return {.content = std::move(command), .reply_to = std::move(reply_to)};
}
HostMessage raw_answer(RawAnswer raw) {
  return {.content = std::move(raw)};
}

std::string prompt(const std::string& content, const std::string& more = "") {
  return R"({"type":"user","message":{"role":"user","content":)" + content + "}" + more + "}";
}

TEST(ParseInbound, ReadsAPrompt) {
  EXPECT_EQ(parse_claude_line(prompt(R"("hi \u00e9")")),
            message(core::Prompt{core::UserMessage("hi \xC3\xA9")}));
  EXPECT_EQ(
      parse_claude_line(prompt(R"([{"type":"text","text":"one"},{"type":"text","text":"two"}])")),
      message(core::Prompt{core::UserMessage("one\ntwo")}));
  EXPECT_EQ(
      parse_claude_line(prompt(R"("x")", R"(,"session_id":"","parent_tool_use_id":null,)"
                                         R"("uuid":"u","priority":"now","timestamp":"t")")),
      message(core::Prompt{
          .message = core::UserMessage("x"), .uuid = "u", .urgency = core::Prompt::Urgency::now}));
  EXPECT_EQ(parse_claude_line("\xEF\xBB\xBF  " + prompt(R"("x")") + " \r"),
            message(core::Prompt{core::UserMessage("x")}));
}

TEST(ParseInbound, TakesOnlyWhatItKnowsFromBlocks) {
  EXPECT_EQ(
      parse_claude_line(prompt(
          R"([{"type":"text","text":"a"},7,null,"s",{},)"
          R"({"type":"text"},{"type":"text","text":1},{"type":"tool_result","content":"r"}])")),
      message(core::Prompt{core::UserMessage("a\n\n")}));
}

TEST(ParseInbound, KeepsMediaInTheirPlace) {
  const std::string pdf = base64(test::small_pdf_bytes());
  const std::string picture =
      R"({"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":")" +
      test::small_png().base64 + R"("}})";
  const std::string paper =
      R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":")" +
      pdf + R"("}})";
  core::UserMessage expected("look:");
  expected.blocks.emplace_back(test::small_png());  // the bytes decide, not the type that was said
  expected.blocks.emplace_back(core::Media{.mime_type = "application/pdf", .base64 = pdf});
  expected.blocks.emplace_back(std::string("what is it?"));
  EXPECT_EQ(parse_claude_line(prompt(R"([{"type":"text","text":"look:"},)" + picture + "," + paper +
                                     R"(,{"type":"text","text":"what is it?"}])")),
            message(core::Prompt{expected}));
}

TEST(ParseInbound, NamesMediaThatItCannotPassOn) {
  const auto text = [](const std::string& source) {
    const HostMessage inbound =
        parse_claude_line(prompt(R"([{"type":"image","source":)" + source + "}]"));
    return std::get<std::string>(
        std::get<core::Prompt>(std::get<core::Command>(inbound.content)).message.blocks.at(0));
  };
  EXPECT_EQ(text(R"({"type":"url","url":"https://x/y.png"})"), "[image: https://x/y.png]");
  EXPECT_EQ(text(R"({"type":"text","data":"plain"})"), "plain");
  EXPECT_EQ(text(R"({"type":"base64","media_type":"image/png","data":"no base64!"})"),
            "[image/png of 7 bytes withheld: its data is not base64]");
  EXPECT_EQ(text(R"({"type":"base64","media_type":"image/png","data":"iVBORw0KGgoAAAAN"})"),
            "[image/png of 12 bytes withheld: its header is cut off or damaged]");
  EXPECT_EQ(text(R"({"type":"base64","media_type":"video/mp4","data":"aGk="})"),
            "[image of type video/mp4, which the model does not take]");
  for (const char* source :
       {"{}", "7", R"({"type":"base64"})", R"({"type":"base64","media_type":"","data":"aGk="})"}) {
    EXPECT_EQ(text(source), "[image that could not be read]") << source;
  }
}

TEST(ParseInbound, TakesContentOfAWrongShapeForNothing) {
  for (const char* content : {"null", "7", "{}", "[]", "true", R"("")"}) {
    EXPECT_TRUE(
        std::get<core::Prompt>(std::get<core::Command>(parse_claude_line(prompt(content)).content))
            .message.blank())
        << content;
  }
  EXPECT_EQ(parse_claude_line(R"({"type":"user","message":{"role":"user"}})"),
            message(core::Prompt{core::UserMessage()}));
}

TEST(ParseInbound, RefusesAnotherRoleInClaudesWords) {
  EXPECT_EQ(parse_claude_line(R"({"type":"user","message":{"role":"assistant","content":"x"}})"),
            message(core::Malformed{"Error: Expected message role 'user', got 'assistant'"}));
  for (const char* line : {R"({"type":"user"})", R"({"type":"user","message":null})",
                           R"({"type":"user","message":[]})", R"({"type":"user","message":"hi"})",
                           R"({"type":"user","message":{"content":"x"}})",
                           R"({"type":"user","message":{"role":7}})"}) {
    EXPECT_EQ(parse_claude_line(line),
              message(core::Malformed{"Error: Expected message role 'user', got 'undefined'"}))
        << line;
  }
}

std::string request(const std::string& inner) {
  return R"({"type":"control_request","request_id":"r1","request":)" + inner + "}";
}

TEST(ParseInbound, ReadsInitialize) {
  EXPECT_EQ(parse_claude_line(request(R"({"subtype":"initialize","hooks":null})")),
            message(core::Initialize{std::nullopt, ""}, "r1"));
  EXPECT_EQ(parse_claude_line(request(R"({"subtype":"initialize","systemPrompt":"be brief",)"
                                      R"("appendSystemPrompt":"and kind"})")),
            message(core::Initialize{"be brief", "and kind"}, "r1"));
  EXPECT_EQ(parse_claude_line(request(R"({"subtype":"initialize","systemPrompt":["a",7,"b"]})")),
            message(core::Initialize{"a\n\nb", ""}, "r1"));
}

TEST(ParseInbound, TellsAnEmptySystemPromptFromNone) {
  for (const char* empty : {R"("")", R"([""])", "[]"}) {
    EXPECT_EQ(parse_claude_line(
                  request(R"({"subtype":"initialize","systemPrompt":)" + std::string(empty) + "}")),
              message(core::Initialize{"", ""}, "r1"))
        << empty;
  }
  for (const char* none : {"null", "7", "{}", "true"}) {
    EXPECT_EQ(parse_claude_line(
                  request(R"({"subtype":"initialize","systemPrompt":)" + std::string(none) + "}")),
              message(core::Initialize{std::nullopt, ""}, "r1"))
        << none;
  }
}

TEST(ParseInbound, ReadsInterrupt) {
  EXPECT_EQ(parse_claude_line(request(R"({"subtype":"interrupt"})")),
            message(core::Interrupt{}, "r1"));
}

TEST(ParseInbound, AnswersEveryOtherRequest) {
  EXPECT_EQ(parse_claude_line(request(R"({"subtype":"set_color","color":"x"})")),
            message(core::Unsupported{"set_color"}, "r1"));
  for (const char* inner : {"null", "7", "[]", "{}", R"({"subtype":7})", R"("interrupt")"}) {
    EXPECT_EQ(parse_claude_line(request(inner)), message(core::Unsupported{""}, "r1")) << inner;
  }
  EXPECT_EQ(parse_claude_line(R"({"type":"control_request"})"), message(core::Unsupported{""}, ""));
  EXPECT_EQ(
      parse_claude_line(R"({"type":"control_request","request_id":7,"request":{"subtype":"x"}})"),
      message(core::Unsupported{"x"}, ""));
}

TEST(ParseInbound, IgnoresWhatIsNotForUs) {
  for (const char* line :
       {"", " ", "\t\r\n", "\xEF\xBB\xBF", "{}", "[]", "null", "7", R"("x")", "true",
        R"({"type":"keep_alive"})", R"({"type":"control_response"})",
        R"({"type":"control_cancel_request","request_id":"x"})", R"({"type":"of_the_future"})",
        R"({"type":7})", R"({"type":null})", R"({"message":{"role":"user","content":"x"}})"}) {
    EXPECT_EQ(parse_claude_line(line), message(core::Ignored{})) << line;
  }
}

TEST(ParseInbound, ReadsHowAMessageIsMeant) {
  EXPECT_EQ(parse_claude_line(prompt(R"("x")", R"(,"shouldQuery":false)")),
            message(core::Prompt{.message = core::UserMessage("x"), .wants_reply = false}));
  EXPECT_EQ(parse_claude_line(prompt(R"("x")", R"(,"priority":"now")")),
            message(core::Prompt{.message = core::UserMessage("x"),
                                 .urgency = core::Prompt::Urgency::now}));
  EXPECT_EQ(parse_claude_line(prompt(R"("x")", R"(,"priority":"later")")),
            message(core::Prompt{.message = core::UserMessage("x"),
                                 .urgency = core::Prompt::Urgency::later}));
  EXPECT_EQ(parse_claude_line(prompt(R"("x")", R"(,"priority":"soon","shouldQuery":1)")),
            message(core::Prompt{core::UserMessage("x")}));
}

TEST(ParseInbound, ReadsTheLinesOfYume) {
  EXPECT_EQ(parse_claude_line(R"({"type":"user","content":"hi"})"),
            message(core::Prompt{core::UserMessage("hi")}));
  EXPECT_EQ(parse_claude_line(R"({"type":"user","content":[{"type":"text","text":"hi"}]})"),
            message(core::Prompt{core::UserMessage("hi")}));
  EXPECT_EQ(parse_claude_line(R"({"type":"interrupt"})"), message(core::Interrupt{}));
  EXPECT_EQ(parse_claude_line(R"({"type":"set_permission_mode","mode":"plan"})"),
            message(core::SetMode{core::PermissionMode::plan}));
  EXPECT_EQ(parse_claude_line(R"({"type":"tool_approval","id":"c","approved":true})"),
            raw_answer(RawAnswer{
                .request_id = {}, .response = RawJson{R"({"behavior":"allow"})"}, .call_id = "c"}));
  for (const char* no : {R"("approved":false)", R"("approved":"true")", R"("id":"c")"}) {
    EXPECT_EQ(parse_claude_line(R"({"type":"tool_approval","id":"c","message":"no",)" +
                                std::string(no) + "}"),
              raw_answer(RawAnswer{.request_id = {},
                                   .response = RawJson{R"({"behavior":"deny","message":"no"})"},
                                   .call_id = "c"}))
        << no;
  }
}

TEST(ParseInbound, TakesOnlySettingsThatItUnderstands) {
  const auto applied = [](const std::string& settings) {
    return std::get<core::Command>(
        parse_claude_line(R"({"type":"control_request","request_id":"r1","request":{"subtype":)"
                          R"("apply_flag_settings","settings":)" +
                          settings + "}}")
            .content);
  };
  EXPECT_EQ(applied(R"({"model":"m","theme":"dark","permissions":{"deny":["Bash"],)"
                    R"("defaultMode":"plan"}})"),
            core::Command(core::ApplySettings{
                .model = "m",
                .mode = core::PermissionMode::plan,
                .updates = {core::RulesUpdate{.effect = "deny", .rules = {"Bash"}}}}));
  EXPECT_EQ(applied(R"({"model":null})"), core::Command(core::ApplySettings{.model = ""}));
  EXPECT_EQ(applied(R"({"effortLevel":"low","agent":null})"),
            core::Command(core::ApplySettings{.thinking = core::SetThinking{4'096}}));
  EXPECT_EQ(applied(R"({"effortLevel":null})"),
            core::Command(core::ApplySettings{.thinking = core::SetThinking{}}));
  for (const char* bad : {R"({"sandbox":{}})", R"({"effortLevel":"enormous"})",
                          R"({"permissions":{"deny":"Bash"}})", R"({"permissions":{"deny":[1]}})",
                          R"({"permissions":{"disableBypassPermissionsMode":"disable"}})",
                          R"({"permissions":{"defaultMode":"none"}})", R"({"model":7})", "7"}) {
    EXPECT_TRUE(std::holds_alternative<core::Refused>(applied(bad))) << bad;
  }
}

TEST(ParseInbound, ReadsRepliesToOurQuestions) {
  EXPECT_EQ(
      parse_claude_line(R"({"type":"control_response","response":{"subtype":"success",)"
                        R"("request_id":"q","response":{"behavior":"allow"}}})"),
      raw_answer(RawAnswer{.request_id = "q", .response = RawJson{R"({"behavior":"allow"})"}}));
  EXPECT_EQ(parse_claude_line(R"({"type":"control_response","response":{"subtype":"error",)"
                              R"("request_id":"q","error":"gone"}})"),
            raw_answer(RawAnswer{.request_id = "q", .response = {}, .error = "gone"}));
  EXPECT_EQ(parse_claude_line(R"({"type":"control_response","response":{"subtype":"success",)"
                              R"("request_id":"q","response":"yes"}})"),
            raw_answer(RawAnswer{.request_id = "q", .response = {}}));
  for (const char* nothing : {"", R"(,"response":null)"}) {
    EXPECT_EQ(parse_claude_line(R"({"type":"control_response","response":{"subtype":"success",)"
                                R"("request_id":"q")" +
                                std::string(nothing) + "}}"),
              raw_answer(RawAnswer{.request_id = "q", .response = RawJson{"{}"}}));
  }
}

TEST(ParseInbound, ReadsTheHooksOfAHost) {
  const auto hooks_of = [](const std::string& hooks) {
    const HostMessage read =
        parse_claude_line(R"({"type":"control_request","request_id":"i","request":)"
                          R"({"subtype":"initialize","hooks":)" +
                          hooks + "}}");
    return std::get<core::Initialize>(std::get<core::Command>(read.content)).hooks;
  };
  using Groups = std::vector<core::HostHookGroup>;
  EXPECT_EQ(
      hooks_of(R"({"PreCompact":[{"matcher":null,"hookCallbackIds":["a","b"]},)"
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
    EXPECT_EQ(hooks_of(none), Groups{}) << none;
  }
}

TEST(PermissionAnswer, IsAnAllowOnlyWhenItSaysSo) {
  const auto answer = [](const std::string& body) {
    return read_permission({.request_id = "q", .response = RawJson{body}});
  };
  const auto answered = [](core::HostAnswer what) { return std::optional(std::move(what)); };
  EXPECT_EQ(answer(R"({"behavior":"allow"})"), answered(core::HostAllows{}));
  EXPECT_EQ(answer(R"({"behavior":"allow","updatedInput":{"a":1}})"),
            answered(core::HostAllows{.input = RawJson{R"({"a":1})"}}));
  EXPECT_EQ(answer(R"({"behavior":"allow","updatedPermissions":[7,{"type":"addRules"},)"
                   R"({"type":"setMode","mode":"acceptEdits"}]})"),
            answered(core::HostAllows{
                .updates = {core::ModeUpdate{.mode = core::PermissionMode::accept_edits}}}));
  EXPECT_EQ(answer(R"({"behavior":"deny","message":"no","interrupt":true})"),
            answered(core::HostDenies{.message = "no", .interrupt = true}));
  EXPECT_EQ(answer(R"({"behavior":7})"), std::nullopt);
  EXPECT_EQ(read_permission({.request_id = "q", .response = {}, .error = "gone"}),
            answered(core::HostFailed{"gone"}))
      << "what is no allow is none";
}

TEST(ParseInbound, RefusesWhatIsNotJson) {
  for (const std::string line : {"not json at all!", "{", "{'a':1}", R"({"type":"user")",
                                 R"({"a":1} trailing)", "\xFF\xFE{}", "tru e", "1 2"}) {
    EXPECT_EQ(parse_claude_line(line),
              message(core::Malformed{"Error parsing streaming input line (type=unknown, " +
                                      std::to_string(line.size()) + " chars): SyntaxError"}))
        << line;
  }
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  EXPECT_TRUE(std::holds_alternative<core::Malformed>(
      std::get<core::Command>(parse_claude_line(deep).content)));
}

TEST(RefuseLongLine, AnswersWhoeverWaitsForIt) {
  const auto refused = [](std::string_view line) {
    LongLine seen{.bytes = 3000, .outline = JsonOutline(k_line_outline)};
    seen.outline.feed(line);
    return refuse_claude_line(seen, 1024);
  };
  const std::string sizes =
      "2.9 KiB (3000 bytes), and at most 1 KiB are read. Send less at once, or raise the limit "
      "with "
      "--max-message-size or maxMessageSize in settings.json.";
  for (const char* line : {R"({"type":"user","message":{}})", R"({"type":"new"})", "garbage"}) {
    EXPECT_EQ(refused(line), message(core::Refused{"Error: the message on stdin has " + sizes}))
        << line;
  }
  EXPECT_EQ(
      refused(R"({"request":{"subtype":"initialize"},"request_id":"r","type":"control_request"})"),
      message(core::Refused{"The request on stdin has " + sizes}, "r"));
  EXPECT_EQ(refused(R"({"response":{"request_id":"q","response":{}},"type":"control_response"})"),
            raw_answer(RawAnswer{.request_id = "q",
                                 .response = std::nullopt,
                                 .error = "the answer on stdin has " + sizes}));
}

TEST(ParseInbound, RepairsBytesThatAreNotUtf8AndLoneSurrogates) {
  EXPECT_EQ(parse_claude_line(prompt("\"a\xFF\"")),
            message(core::Prompt{core::UserMessage("a\xEF\xBF\xBD")}));
  EXPECT_EQ(parse_claude_line(prompt(R"("a\ud83d")")),
            message(core::Prompt{core::UserMessage("a\xEF\xBF\xBD")}));
  EXPECT_EQ(parse_claude_line(prompt(R"("a\u0000b")")),
            message(core::Prompt{core::UserMessage(std::string("a\0b", 3))}));
}

TEST(ParseInbound, ReadsEveryKindWhateverTheOrderOfMembers) {
  for (
      const char* line :
      {R"({"type":"user","message":{"role":"user","content":[{"type":"text","text":"a"},
            {"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}},
            {"type":"document","source":{"type":"text","media_type":"text/plain","data":"b"}}]},
            "uuid":"u","parent_tool_use_id":null,"session_id":"s"})",
       R"({"type":"control_request","request_id":"i","request":{"subtype":"initialize",
            "systemPrompt":["a","b"],"appendSystemPrompt":"c","hooks":{"PreCompact":
            [{"matcher":"auto","hookCallbackIds":["x"],"timeout":2,"onFailure":"block"}]}}})",
       R"({"type":"control_request","request_id":"i","request":{"subtype":"interrupt"}})",
       R"({"type":"control_request","request_id":"i","request":{"subtype":"set_color","color":1}})",
       R"({"type":"control_response","response":{"subtype":"error","request_id":"q","error":"e"}})",
       R"({"type":"control_response","response":{"subtype":"success","request_id":"q",
            "response":{"behavior":"allow","updatedInput":{"a":1}}}})"}) {
    const HostMessage expected = parse_claude_line(line);
    for (const std::string& order : test::key_orders(line)) {
      EXPECT_EQ(parse_claude_line(order), expected) << order;
    }
  }
}

TEST(PermissionAnswer, IsTheSameWhateverTheOrderOfMembers) {
  for (const char* body :
       {R"({"behavior":"allow","updatedInput":{"a":1},"toolUseID":"t","updatedPermissions":
            [{"type":"setMode","mode":"acceptEdits","destination":"session"}]})",
        R"({"behavior":"deny","message":"no","interrupt":true})"}) {
    const auto answer = [](const std::string& text) {
      return read_permission({.request_id = "q", .response = RawJson{text}});
    };
    for (const std::string& order : test::key_orders(body)) {
      EXPECT_EQ(answer(order), answer(body)) << order;
    }
  }
}

}  // namespace
}  // namespace yume::protocol
