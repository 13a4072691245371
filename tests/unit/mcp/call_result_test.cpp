// SPDX-License-Identifier: MIT
#include "mcp/call_result.h"

#include "mcp/permission_tool.h"
#include "support/sample_media.h"
#include "support/tool_world.h"

#include <gtest/gtest.h>

namespace yume::mcp {
namespace {

core::ToolOutcome read(const std::string& result) {
  test::ToolWorld world;
  return read_call_result({result}, "srv", world.context());
}

TEST(McpCallResult, KeepsTextsInTheirOrder) {
  const core::ToolOutcome outcome =
      read(R"({"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]})");
  EXPECT_FALSE(outcome.is_error);
  EXPECT_EQ(outcome.content, "one\ntwo");
  EXPECT_EQ(std::get<core::BlocksReturned>(outcome.details).blocks,
            (std::vector<core::UserBlock>{"one", "two"}));
}

TEST(McpCallResult, SaysWhatItCannotShow) {
  EXPECT_EQ(read(R"({"content":[{"type":"audio","mimeType":"audio/wav","data":"AAAA"}]})").content,
            "[audio (audio/wav, 3 bytes) that the model cannot look at]");
  EXPECT_EQ(read(R"({"content":[{"type":"hologram"}]})").content,
            "[a block of the unknown type 'hologram']");
  const core::ToolOutcome broken =
      read(R"({"content":[{"type":"image","mimeType":"image/png","data":"AAAA"}]})");
  EXPECT_TRUE(broken.media.empty());
  EXPECT_NE(broken.content.find("withheld"), std::string::npos);
}

TEST(McpCallResult, ResourcesAndLinksBecomeText) {
  const core::ToolOutcome outcome =
      read(R"({"content":[{"type":"resource","resource":{"uri":"a://b","text":"inside"}},)"
           R"({"type":"resource_link","uri":"c://d","name":"n","description":"why"}]})");
  EXPECT_EQ(outcome.content, "[Resource from a://b] inside\n[Resource link: n] c://d (why)");
}

TEST(McpCallResult, StructuredContentCountsWhenThereIsNothingElse) {
  EXPECT_EQ(read(R"({"content":[],"structuredContent":{"a":1}})").content, R"({"a":1})");
  EXPECT_EQ(read(R"({"content":[{"type":"text","text":"t"}],"structuredContent":{"a":1}})").content,
            "t");
  EXPECT_EQ(read(R"({"content":[]})").content, "(the tool returned nothing)");
}

TEST(McpCallResult, FailuresAreErrorsWithTheirText) {
  const core::ToolOutcome outcome =
      read(R"({"content":[{"type":"text","text":"no"}],"isError":true})");
  EXPECT_TRUE(outcome.is_error);
  EXPECT_EQ(outcome.content, "no");
  EXPECT_EQ(std::get<core::CallFailed>(outcome.details).text, "no");
  EXPECT_TRUE(read("nonsense").is_error);
  EXPECT_TRUE(read("[]").is_error);
}

TEST(McpCallResult, AtMostTwentyPicturesAreShown) {
  std::string blocks;
  for (int i = 0; i < 25; ++i) {
    blocks += (i == 0 ? "" : ",") +
              std::string(R"({"type":"image","mimeType":"image/png","data":")") +
              test::small_png().base64 + R"("})";
  }
  const core::ToolOutcome outcome = read(R"({"content":[)" + blocks + "]}");
  EXPECT_EQ(outcome.media.size(), 20U);
  EXPECT_EQ(outcome.content, "[5 more pictures withheld]");
}

std::string answer(const std::string& text) {
  std::string result;
  JsonWriter json(result);
  json.begin_object().key("content").begin_array().begin_object();
  json.field("type", "text").field("text", text).end_object().end_array().end_object();
  const auto said = read_permission_result({result});
  if (!said.ok()) return "error";
  if (const auto* allows = std::get_if<core::HostAllows>(&*said)) {
    return "allow " + (allows->input ? allows->input->text : "");
  }
  return "deny " + std::get<core::HostDenies>(*said).message;
}

TEST(McpPermissionTool, AnswersInJson) {
  EXPECT_EQ(answer(R"({"behavior":"allow"})"), "allow ");
  EXPECT_EQ(answer(R"({"behavior":"allow","updatedInput":{"a":1}})"), R"(allow {"a":1})");
  EXPECT_EQ(answer(R"({"behavior":"deny","message":"no"})"), "deny no");
  for (const char* nothing : {"yes", "{}", "[]", R"({"behavior":"maybe"})"}) {
    EXPECT_EQ(answer(nothing), "error") << nothing;
  }
}

}  // namespace
}  // namespace yume::mcp
