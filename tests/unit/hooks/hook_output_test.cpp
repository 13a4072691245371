// SPDX-License-Identifier: MIT
#include "hooks/hook_output.h"

#include <gtest/gtest.h>

#include <string>

#include "support/key_orders.h"

namespace yume::hooks {
namespace {

using platform::ProcessEnd;
using platform::ProcessEndKind;

HookReply said(std::string_view json) {
  const auto read = read_hook_json(json);
  EXPECT_TRUE(read.ok()) << json;
  return read.ok() ? *read : HookReply{};
}

Result<HookReply> after(ProcessEnd end, std::string_view output, std::string_view error_output) {
  return read_command_end(end, output, error_output);
}

TEST(HookOutput, SaysNothingByDefault) {
  for (const char* json :
       {"{}", R"({"continue":true})", R"({"suppressOutput":true,"of_the_future":7})",
        R"({"decision":7,"continue":"no","hookSpecificOutput":[]})"}) {
    EXPECT_EQ(said(json), HookReply{}) << json;
  }
}

TEST(HookOutput, MayVeto) {
  EXPECT_EQ(said(R"({"decision":"block","reason":"not now"})"), HookReply{.veto = "not now"});
  EXPECT_EQ(said(R"({"decision":"block"})"), HookReply{.veto = ""});
  EXPECT_EQ(said(R"({"continue":false,"stopReason":"enough"})"), HookReply{.stop = "enough"});
  EXPECT_EQ(said(R"({"continue":false,"decision":"block","reason":"not now"})"),
            (HookReply{.veto = "not now", .stop = ""}));
}

TEST(HookOutput, MayDecideAboutACall) {
  using Permission = core::CallAdvice::Permission;
  EXPECT_EQ(said(R"({"decision":"approve","reason":"r"})"),
            (HookReply{.permission = Permission::allow, .permission_reason = "r"}));
  EXPECT_EQ(said(R"({"hookSpecificOutput":{"permissionDecision":"deny",)"
                 R"("permissionDecisionReason":"r","updatedInput":{"a":1}}})"),
            (HookReply{.permission = Permission::deny,
                       .permission_reason = "r",
                       .input = RawJson{R"({"a":1})"}}));
  EXPECT_EQ(said(R"({"hookSpecificOutput":{"permissionDecision":"defer","updatedInput":7,)"
                 R"("decision":{"behavior":"maybe"}}})"),
            HookReply{});
}

// Whoever writes "denied" relies on it.
TEST(HookOutput, DeniesInEveryWordForIt) {
  using Permission = core::CallAdvice::Permission;
  for (const char* word : {"deny", "Deny", "DENY", "denied", "block", "reject", "refused"}) {
    const std::string own = std::string(R"({"permissionDecision":")") + word + R"("})";
    EXPECT_EQ(said(R"({"hookSpecificOutput":)" + own + "}").permission, Permission::deny) << word;
    EXPECT_TRUE(said(std::string(R"({"decision":")") + word + R"(","reason":"r"})").veto) << word;
  }
  EXPECT_EQ(said(R"({"hookSpecificOutput":{"permissionDecision":"Ask"}})").permission,
            Permission::ask);
  EXPECT_TRUE(said(R"({"hookSpecificOutput":{"decision":{"behavior":"denied"}}})").answer);
  const auto unknown = read_hook_json(R"({"hookSpecificOutput":{"permissionDecision":"maybe"}})");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().message,
            "its permissionDecision 'maybe' is none of allow, deny, ask and defer");
}

TEST(HookOutput, MayHaveSomethingForPeopleAndForTheModel) {
  EXPECT_EQ(said(R"({"systemMessage":"saved","hookSpecificOutput":)"
                 R"({"hookEventName":"PreCompact","additionalContext":"keep names"}})"),
            (HookReply{.text = "keep names", .message = "saved"}));
}

TEST(HookOutput, MustBeAnObject) {
  for (const char* text : {"", "[]", "7", "{", "{} {}", "null"}) {
    EXPECT_FALSE(read_hook_json(text).ok()) << text;
  }
}

TEST(HookOutput, IsTheSameWhateverTheOrderOfMembers) {
  const std::string json =
      R"({"continue":false,"stopReason":"s","decision":"block","reason":"r","systemMessage":"m",)"
      R"("hookSpecificOutput":{"hookEventName":"PreCompact","additionalContext":"c"}})";
  for (const std::string& order : test::key_orders(json)) {
    EXPECT_EQ(said(order), (HookReply{.veto = "r", .stop = "s", .text = "c", .message = "m"}))
        << order;
  }
}

TEST(CommandEnd, TakesPlainTextOrJson) {
  EXPECT_EQ(after({}, "  keep names\n", "noise").value(), HookReply{.text = "keep names"});
  EXPECT_EQ(after({}, "\n{\"systemMessage\":\"saved\"}\n", "").value(),
            HookReply{.message = "saved"});
  EXPECT_EQ(after({}, "", "").value(), HookReply{});
  EXPECT_EQ(after({}, "[not json", "").value(), HookReply{.text = "[not json"});
  EXPECT_FALSE(after({}, "{broken", "").ok());
}

TEST(CommandEnd, TwoIsAVeto) {
  EXPECT_EQ(after({.exit_code = 2}, "output", "not now\n").value(), HookReply{.veto = "not now"});
  EXPECT_EQ(after({.exit_code = 2}, R"({"decision":"approve"})", "").value(),
            HookReply{.veto = ""});
}

TEST(CommandEnd, EverythingElseIsAFailure) {
  const auto message = [](const Result<HookReply>& read) {
    return read.ok() ? std::string("none") : read.error().message;
  };
  EXPECT_EQ(message(after({.exit_code = 1}, "x", "")), "it ended with exit code 1");
  EXPECT_EQ(message(after({.exit_code = 127}, "", "sh: 1: frob: not found\n")),
            "it ended with exit code 127: sh: 1: frob: not found");
  EXPECT_EQ(message(after({.kind = ProcessEndKind::signalled, .signal = 11}, "", "")),
            "it was killed by SIGSEGV");
  EXPECT_EQ(message(after({.kind = ProcessEndKind::timed_out}, "", "")),
            "it took too long, and was stopped");
  EXPECT_EQ(message(after({.kind = ProcessEndKind::cancelled}, "", "")), "it was interrupted");
  EXPECT_EQ(message(read_command_end(Error{.message = "cannot start /bin/sh"}, "", "")),
            "cannot start /bin/sh");
}

}  // namespace
}  // namespace yume::hooks
