// SPDX-License-Identifier: MIT
#include "agent/turn_assembler.h"

#include "support/recording_sink.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace yume::agent {
namespace {

using Strings = std::vector<std::string>;

gemini::Part text(std::string what, std::string raw = "") {
  return {.kind = gemini::PartKind::text,
          .text = std::move(what),
          .is_signed = !raw.empty(),
          .raw = std::move(raw)};
}
gemini::Part thought(std::string what, std::string raw = "") {
  return {.kind = gemini::PartKind::thought,
          .text = std::move(what),
          .is_signed = !raw.empty(),
          .raw = std::move(raw)};
}
gemini::Part call(const std::string& name) {
  return {.kind = gemini::PartKind::call,
          .text = {},
          .call = {.id = {}, .name = name, .args = "{}"},
          .raw = R"({"functionCall":{"name":")" + name + R"("}})"};
}

gemini::Chunk chunk(std::vector<gemini::Part> parts) {
  gemini::Chunk made;
  made.parts = std::move(parts);
  return made;
}

gemini::Chunk usage_chunk(core::Usage usage) {
  gemini::Chunk made;
  made.usage = usage;
  return made;
}

TEST(TurnAssembler, NeverMergesSignedTextWithUnsigned) {
  test::RecordingSink sink;
  CallIds assembler_ids;
  TurnAssembler assembler("m", assembler_ids, sink);
  EXPECT_TRUE(assembler.add(chunk({text("a"), text("b"), text("c", R"({"text":"c","s":1})")})));
  EXPECT_TRUE(assembler.add(chunk({text("d"), text("", R"({"text":"","s":2})"), text("e")})));
  assembler.finish_parts();
  EXPECT_EQ(assembler.reply().parts,
            (Strings{R"({"text":"ab"})", R"({"text":"c","s":1})", R"({"text":"d"})",
                     R"({"text":"","s":2})", R"({"text":"e"})"}));
  EXPECT_EQ(assembler.reply().last_text, "abcde");
  EXPECT_EQ(sink.events(),
            (Strings{"message msg_ m", "text a", "text b", "text c", "text d", "text e"}));
}

TEST(TurnAssembler, KeepsASignedThoughtAndDropsAnUnsignedOne) {
  test::RecordingSink sink;
  CallIds assembler_ids;
  TurnAssembler assembler("m", assembler_ids, sink);
  assembler.add(chunk({thought("x"), thought("", R"({"thought":true,"s":1})"), text("a")}));
  assembler.finish_parts();
  EXPECT_EQ(assembler.reply().parts, (Strings{R"({"thought":true,"s":1})", R"({"text":"a"})"}));
}

TEST(TurnAssembler, StartsTheLastTextAnewAfterACallOrAThought) {
  test::RecordingSink sink;
  CallIds assembler_ids;
  TurnAssembler assembler("m", assembler_ids, sink);
  assembler.add(chunk({text("one"), call("Read"), text("two"), text("!"), thought("t")}));
  EXPECT_EQ(assembler.reply().last_text, "two!");
  assembler.add(chunk({text("three")}));
  EXPECT_EQ(assembler.reply().last_text, "three");
}

TEST(TurnAssembler, SaysNothingUntilThereIsSomethingToSee) {
  test::RecordingSink sink;
  CallIds assembler_ids;
  TurnAssembler assembler("m", assembler_ids, sink);
  assembler.add(chunk({text(""), thought(""), call("Read")}));
  EXPECT_EQ(sink.events(), Strings{});
  EXPECT_FALSE(assembler.reply().announced);
  assembler.add(chunk({thought("hm")}));
  EXPECT_EQ(sink.events(), (Strings{"message msg_ m", "thought hm"}));
  EXPECT_TRUE(assembler.reply().announced);
}

TEST(TurnAssembler, ReplacesUsageAndReportsThePromptOnce) {
  test::RecordingSink sink;
  CallIds assembler_ids;
  TurnAssembler assembler("m", assembler_ids, sink);
  assembler.add(usage_chunk({.prompt_tokens = 7, .output_tokens = 1}));
  assembler.add(usage_chunk({.prompt_tokens = 7, .output_tokens = 5}));
  EXPECT_EQ(sink.events(), Strings{"usage 7/0/1/0"});
  EXPECT_EQ(assembler.reply().usage, (core::Usage{.prompt_tokens = 7, .output_tokens = 5}));
}

TEST(TurnAssembler, KeepsOnlyTheTextOfABrokenReply) {
  test::RecordingSink sink;
  CallIds assembler_ids;
  TurnAssembler assembler("m", assembler_ids, sink);
  gemini::Chunk broken = chunk({text("a", R"({"text":"a","s":1})"), call("Write"), text("b")});
  broken.finish = gemini::Finish{.reason = gemini::FinishReason::other, .name = "X", .message = ""};
  broken.usage = core::Usage{.prompt_tokens = 10, .output_tokens = 2};
  assembler.add(std::move(broken));
  assembler.keep_text_only();
  EXPECT_EQ(assembler.reply().parts, Strings{R"({"text":"ab"})"});
  EXPECT_TRUE(assembler.reply().calls.empty());
  EXPECT_FALSE(assembler.reply().finish.has_value());
  assembler.keep_text_only();
  EXPECT_EQ(assembler.reply().parts, Strings{}) << "it is the text of the attempt before";
}

TEST(TurnAssembler, AddsTheUsageOfBrokenAttempts) {
  test::RecordingSink sink;
  CallIds assembler_ids;
  TurnAssembler assembler("m", assembler_ids, sink);
  assembler.add(usage_chunk({.prompt_tokens = 10, .output_tokens = 2}));
  assembler.keep_text_only();
  assembler.keep_text_only();
  assembler.add(usage_chunk({.prompt_tokens = 12, .cached_tokens = 4, .output_tokens = 3}));
  assembler.finish_parts();
  EXPECT_EQ(assembler.reply().usage,
            (core::Usage{.prompt_tokens = 12, .cached_tokens = 4, .output_tokens = 3}))
      << "the size of the context";
  EXPECT_EQ(
      assembler.reply().billed,
      (std::vector<core::Usage>{{.prompt_tokens = 10, .output_tokens = 2},
                                {.prompt_tokens = 12, .cached_tokens = 4, .output_tokens = 3}}));
}

TEST(TurnAssembler, AnnouncesTheMessageOnceOverAllAttempts) {
  test::RecordingSink sink;
  CallIds assembler_ids;
  TurnAssembler assembler("m", assembler_ids, sink);
  assembler.add(chunk({text("a")}));
  assembler.keep_text_only();
  assembler.add(chunk({text("b")}));
  EXPECT_EQ(sink.events(), (Strings{"message msg_ m", "text a", "text b"}));
  EXPECT_EQ(assembler.reply().last_text, "ab");
}

TEST(TurnAssembler, ContinuesTheBlockOfTextThatWasCut) {
  test::RecordingSink sink;
  CallIds assembler_ids;
  TurnAssembler assembler("m", assembler_ids, sink);
  assembler.add(chunk({text("a"), thought("hm")}));
  assembler.keep_text_only();
  assembler.add(chunk({text("b")}));
  EXPECT_EQ(assembler.reply().last_text, "ab");
}

TEST(TurnAssembler, StopsWhenTheHostIsGone) {
  test::RecordingSink gone(0);
  CallIds assembler_ids;
  TurnAssembler assembler("m", assembler_ids, gone);
  EXPECT_FALSE(assembler.add(chunk({text("a")})));
  EXPECT_FALSE(assembler.add(usage_chunk({.prompt_tokens = 1})));
  test::RecordingSink going(1);
  CallIds other_ids;
  TurnAssembler other("m", other_ids, going);
  EXPECT_FALSE(other.add(chunk({thought("a"), text("b")})));
  EXPECT_EQ(going.events(), Strings{"message msg_ m"});
}

TEST(TurnAssembler, GivesEachMessageAnIdOfItsOwn) {
  std::set<std::string> ids;
  for (int i = 0; i < 100; ++i) {
    test::RecordingSink sink;
    sink.on_post([&ids](const core::Event& event) {
      if (const auto* started = std::get_if<core::MessageStarted>(&event)) {
        ids.insert(started->message_id);
      }
    });
    CallIds assembler_ids;
    TurnAssembler assembler("m", assembler_ids, sink);
    assembler.announce();
    assembler.announce();
  }
  EXPECT_EQ(ids.size(), 100U);
}

}  // namespace
}  // namespace yume::agent
