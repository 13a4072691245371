// SPDX-License-Identifier: MIT
#include "protocol/claude/claude_host.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

#include "support/line_checks.h"
#include "support/recorded_lines.h"

namespace yume::protocol {
namespace {

using nlohmann::json;

struct Scene {
  test::RecordedLines output;
  test::MemoryOverflow overflow;
  ClaudeHost host{output, overflow, {}};

  json last() const { return json::parse(output.lines.back()); }
};

core::MayRun large_write() {
  const json input = {{"file_path", "big.txt"}, {"content", std::string(1'170'000, 'x')}};
  return {.call = {.id = "w1", .name = "Write", .input = {input.dump()}}, .reason = "Why."};
}

RawAnswer allowed(const std::string& request_id, const json& input) {
  const json response = {{"behavior", "allow"}, {"updatedInput", input}};
  return {.request_id = request_id, .response = RawJson{response.dump()}};
}

core::HostAllows answer_of(const Scene& scene, const core::HostQuestion& question,
                           const RawAnswer& answer) {
  return std::get<core::HostAllows>(scene.host.read_answer(question, answer).value());
}

// A host's approval echoed the shortened input, and 92,890 bytes were written of 1.17 million.
TEST(ClaudeHost, TakesTheEchoOfAShortenedInputForNoChange) {
  Scene scene;
  const core::HostQuestion question = large_write();
  scene.host.ask("q", {"S"}, question);
  test::expect_good_line(scene.output.lines.back());
  const json shown = scene.last()["request"]["input"];
  ASSERT_LT(shown.dump().size(), 1'000'000U);
  EXPECT_EQ(answer_of(scene, question, allowed("q", shown)).input, std::nullopt);
  json reordered = {{"content", shown["content"]}, {"file_path", shown["file_path"]}};
  EXPECT_EQ(answer_of(scene, question, allowed("q", reordered)).input, std::nullopt);
}

TEST(ClaudeHost, TakesWhatTheHostChangedInALargeInput) {
  Scene scene;
  const core::HostQuestion question = large_write();
  scene.host.ask("q", {"S"}, question);
  const json changed = {{"file_path", "other.txt"}, {"content", "short"}};
  const auto answer = answer_of(scene, question, allowed("q", changed));
  ASSERT_TRUE(answer.input);
  EXPECT_EQ(json::parse(answer.input->text), changed);
}

TEST(ClaudeHost, SaysHowLargeAShortenedInputIsAndWhereAllOfItCanBeRead) {
  Scene scene;
  const core::MayRun question = large_write();
  scene.host.ask("q", {"S"}, question);
  ASSERT_EQ(scene.overflow.kept.size(), 1U);
  EXPECT_EQ(scene.overflow.kept.begin()->second, question.call.input.text);
  const std::string reason = scene.last()["request"]["decision_reason"];
  EXPECT_TRUE(reason.starts_with("Why. The input has 1.1 MiB and is shown shortened; all of it is"))
      << reason;
}

TEST(ClaudeHost, ShowsAnInputThatFitsAsItIs) {
  Scene scene;
  scene.host.ask(
      "q", {"S"},
      core::MayRun{.call = {.id = "b1", .name = "Bash", .input = {R"({"command":"ls"})"}},
                   .reason = "Why."});
  EXPECT_EQ(scene.last()["request"]["input"], (json{{"command", "ls"}}));
  EXPECT_EQ(scene.last()["request"]["decision_reason"], "Why.");
  EXPECT_TRUE(scene.overflow.kept.empty());
}

TEST(ClaudeHost, OffersToAllowEditsAndSaysWhenAPersonMustAnswer) {
  Scene scene;
  scene.host.ask(
      "q", {"S"},
      core::MayRun{.call = {.id = "e1", .name = "Edit", .input = {"{}"}},
                   .suggestions = {core::ModeUpdate{.mode = core::PermissionMode::accept_edits}}});
  EXPECT_EQ(scene.last()["type"], "control_request");
  EXPECT_EQ(scene.last()["request_id"], "q");
  json request = scene.last()["request"];
  EXPECT_EQ(request["subtype"], "can_use_tool");
  EXPECT_EQ(request["tool_name"], "Edit");
  EXPECT_EQ(request["tool_use_id"], "e1");
  EXPECT_EQ(
      request["permission_suggestions"],
      (json::array({{{"type", "setMode"}, {"mode", "acceptEdits"}, {"destination", "session"}}})));
  EXPECT_FALSE(request.contains("decision_reason"));
  EXPECT_FALSE(request.contains("requires_user_interaction"));
  scene.host.ask("r", {"S"},
                 core::MayRun{.call = {.id = "a1", .name = "AskUserQuestion", .input = {"{}"}},
                              .needs_person = true});
  request = scene.last()["request"];
  EXPECT_EQ(request["permission_suggestions"], json::array());
  EXPECT_EQ(request["requires_user_interaction"], true);
}

TEST(ClaudeHost, CallsAFunctionOfTheHostAndTakesWhatItReturns) {
  Scene scene;
  const core::HostQuestion question =
      core::CallHook{.callback_id = "hook_0", .input = {R"({"a":1})"}, .subject_id = "s1"};
  scene.host.ask("q", {"S"}, question);
  EXPECT_EQ(scene.last()["request"], (json{{"subtype", "hook_callback"},
                                           {"callback_id", "hook_0"},
                                           {"input", {{"a", 1}}},
                                           {"tool_use_id", "s1"}}));
  // Whatever it is: its form is the hooks' business.
  const RawAnswer returned{.request_id = "q", .response = RawJson{R"({"behavior":"deny"})"}};
  EXPECT_EQ(scene.host.read_answer(question, returned),
            core::HostAnswer(core::HookReturned{{R"({"behavior":"deny"})"}}));
  const RawAnswer failed{.request_id = "q", .response = {}, .error = "threw"};
  EXPECT_EQ(scene.host.read_answer(question, failed), core::HostAnswer(core::HostFailed{"threw"}));
}

TEST(ClaudeHost, WithdrawsAQuestion) {
  Scene scene;
  scene.host.withdraw("q");
  EXPECT_EQ(scene.last(), (json{{"type", "control_cancel_request"}, {"request_id", "q"}}));
}

TEST(ClaudeHost, KeepsTheMessagesOfSessionsAndSubagentsApart) {
  Scene scene;
  const core::Address one{.session_id = "one"};
  const core::Address two{.session_id = "two"};
  const core::Address child{.session_id = "one", .parent_call_id = "call"};
  const auto write = [&](const core::Address& address, core::Event event) {
    scene.host.write({address, std::move(event)}, {});
  };
  for (const auto& address : {one, two, child}) {
    const std::string id = address.session_id + address.parent_call_id;
    write(address, core::MessageStarted{.message_id = id, .model = "m-" + id});
  }
  write(one, core::TextDelta{"a"});
  write(two, core::TextDelta{"b"});
  write(child, core::TextDelta{"c"});
  write(one, core::TextDelta{"A"});
  for (const auto& address : {two, child, one}) write(address, core::MessageDone{});
  ASSERT_EQ(scene.output.lines.size(), 3U);
  const auto expect = [&](std::size_t line, const std::string& session, const json& parent,
                          const std::string& message, const std::string& text) {
    const json read = json::parse(scene.output.lines[line]);
    EXPECT_EQ(read["session_id"], session);
    EXPECT_EQ(read["parent_tool_use_id"], parent);
    EXPECT_EQ(read["message"]["id"], message);
    EXPECT_EQ(read["message"]["model"], "m-" + message);
    EXPECT_EQ(read["message"]["content"][0]["text"], text);
  };
  expect(0, "two", nullptr, "two", "b");
  expect(1, "one", "call", "onecall", "c");
  expect(2, "one", nullptr, "one", "aA");
}

}  // namespace
}  // namespace yume::protocol
