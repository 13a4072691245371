// SPDX-License-Identifier: MIT
#include "protocol/insights/insights_commands.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace yume::protocol {
namespace {

template <class What>
What command_of(std::string_view line) {
  const HostMessage message = parse_insights_line(line);
  const auto* command = std::get_if<core::Command>(&message.content);
  const What* what = command == nullptr ? nullptr : std::get_if<What>(command);
  EXPECT_NE(what, nullptr) << line;
  return what == nullptr ? What{} : *what;
}

RawAnswer answer_of(std::string_view line) {
  const HostMessage message = parse_insights_line(line);
  const auto* answer = std::get_if<RawAnswer>(&message.content);
  EXPECT_NE(answer, nullptr) << line;
  return answer == nullptr ? RawAnswer{} : *answer;
}

TEST(InsightsCommands, ReadsAMessageWithoutASessionOfItsOwn) {
  EXPECT_EQ(command_of<core::Prompt>(R"({"command":"send_message","sessionId":"x","text":"hi"})")
                .message.text(),
            "hi");
  EXPECT_EQ(
      parse_insights_line(R"({"command":"send_message","sessionId":"x","text":"hi"})").session_id,
      "");
}

TEST(InsightsCommands, ReadsBlocksBesideTheText) {
  const auto prompt = command_of<core::Prompt>(
      R"({"command":"send_message","text":"look","content":[{"type":"image","source":{"type":)"
      R"("base64","media_type":"image/png","data":"iVBORw0KGgo="}}]})");
  EXPECT_EQ(prompt.message.text().substr(0, 4), "look");
  EXPECT_EQ(command_of<core::Prompt>(
                R"({"command":"send_message","text":"a","content":[{"type":"text","text":"b"}]})")
                .message.text(),
            "b");
}

TEST(InsightsCommands, ReadsAnswersUnderBothSpellings) {
  EXPECT_EQ(answer_of(R"({"command":"permission_response","requestId":"r","allowed":true})"),
            (RawAnswer{.request_id = "r",
                       .response = RawJson{R"({"allowed":true,"behavior":"allow"})"}}));
  EXPECT_EQ(answer_of(R"({"command":"permission_response","requestId":"r","behavior":"deny",)"
                      R"("allowed":true,"message":"no"})")
                .response->text,
            R"({"allowed":true,"behavior":"deny","message":"no"})");
  // What does not clearly say yes is a no.
  EXPECT_EQ(answer_of(R"({"command":"permission_response","requestId":"r"})").response->text,
            R"({"behavior":"deny"})");
}

TEST(InsightsCommands, ReadsWhatChangesTheSession) {
  EXPECT_EQ(command_of<core::SetModel>(R"({"command":"set_model","model":"m"})").name, "m");
  EXPECT_EQ(command_of<core::SetMode>(R"({"command":"set_permission_mode","mode":"plan"})").mode,
            core::PermissionMode::plan);
  EXPECT_EQ(command_of<core::SetModel>(
                R"({"command":"set_config_option","configId":"model","value":"m"})")
                .name,
            "m");
  EXPECT_EQ(command_of<core::SetThinking>(R"({"command":"set_reasoning_effort","effort":"low"})")
                .max_tokens,
            4'096);
  EXPECT_EQ(
      command_of<core::SetThinking>(R"({"command":"set_reasoning_effort","effort":"default"})")
          .max_tokens,
      std::nullopt);
  EXPECT_EQ(command_of<core::EndSession>(R"({"command":"kill"})").when,
            core::EndSession::When::now);
  (void)command_of<core::Interrupt>(R"({"command":"interrupt","sessionId":"s"})");
}

TEST(InsightsCommands, ReadsASessionThatIsToBeCreated) {
  const auto begin = command_of<core::BeginSession>(
      R"({"command":"create_session","cwd":"/p","prompt":"go","options":{"model":"m",)"
      R"("permissionMode":"acceptEdits","other":1}})");
  EXPECT_EQ(begin.cwd, "/p");
  EXPECT_EQ(begin.prompt.message.text(), "go");
  EXPECT_EQ(begin.settings.model, "m");
  EXPECT_EQ(begin.settings.mode, core::PermissionMode::accept_edits);
}

TEST(InsightsCommands, SaysWhatItDoesNotKnow) {
  EXPECT_EQ(command_of<core::Unsupported>(R"({"command":"dance"})").what, "dance");
  EXPECT_EQ(parse_insights_line(R"({"command":"dance"})").reply_to, "dance");
  EXPECT_EQ(command_of<core::Refused>("nonsense").why, "A line on stdin is not JSON: nonsense");
  EXPECT_EQ(parse_insights_line("nonsense").reply_to, "stdin");
  (void)command_of<core::Refused>(R"({"command":"set_permission_mode","mode":"wild"})");
  (void)command_of<core::Refused>(R"({"command":"set_config_option","configId":"x","value":"y"})");
  (void)command_of<core::Ignored>("  ");
}

}  // namespace
}  // namespace yume::protocol
