// SPDX-License-Identifier: MIT
#include "transcript/shown_session.h"

#include <gtest/gtest.h>

#include "support/enum_name.h"
#include "support/fake_clock.h"
#include "support/key_orders.h"
#include "support/memory_append_file.h"
#include "transcript/journal.h"

namespace yume::transcript {
namespace {

using Kind = ShownItem::Kind;

struct Scene {
  std::string bytes;
  test::FakeClock clock;
  Journal journal{std::make_unique<test::MemoryAppendFile>(bytes),
                  nullptr,
                  {.session_id = "S", .cwd = "/w", .version = "1"},
                  {},
                  clock};
  ReplyHead reply{.message_id = "A", .model = "m", .usage = {.prompt_tokens = 7}};

  std::string shown() const {
    std::string text;
    for (const ShownItem& item : read_shown(bytes).items) {
      text += test::enum_name(item.kind) + ":" + item.text + item.call.name +
              (item.result ? "=" + item.result->text : "") + " ";
    }
    return text;
  }
};

TEST(ShownSession, TellsWhatHappenedInOrder) {
  Scene scene;
  scene.journal.prompt(core::UserMessage("hi"));
  scene.journal.block(scene.reply, BlockKind::thought, "hm");
  scene.journal.block(scene.reply, BlockKind::text, "look");
  const core::ToolCall call{.id = "c", .name = "Read", .input = {"{}"}};
  scene.journal.call(scene.reply, call);
  core::ToolOutcome outcome;
  outcome.content = "found";
  const core::Patch patch{
      {.old_start = 1, .old_lines = 1, .new_start = 1, .new_lines = 1, .lines = {"-a", "+\u00e9"}}};
  outcome.details =
      core::FileEdited{.path = "f", .replacement = {}, .before = "a\n", .patch = patch};
  scene.journal.result(call, outcome);
  scene.journal.prompt(core::UserMessage("go on"), PromptKind::synthetic);
  scene.journal.failure("API Error");
  scene.journal.prompt(core::UserMessage("[Request interrupted by user]"), PromptKind::marker);
  EXPECT_EQ(scene.shown(),
            "prompt:hi thought:hm text:look call:Read=found failure:API Error "
            "interruption:[Request interrupted by user] ");
  const ShownSession session = read_shown(scene.bytes);
  EXPECT_EQ(session.id, "S");
  EXPECT_EQ(session.cwd, "/w");
  EXPECT_EQ(session.model, "m");
  EXPECT_EQ(session.title, "hi");
  EXPECT_EQ(session.message_count(), 3U);
  ASSERT_EQ(session.requests.size(), 1U);
  EXPECT_EQ(session.requests[0].usage.prompt_tokens, 7);
  EXPECT_EQ(session.items[3].result->patch, patch);
}

TEST(ShownSession, KeepsWhatCompactionLeftOut) {
  Scene scene;
  scene.journal.prompt(core::UserMessage("one"));
  scene.journal.block(scene.reply, BlockKind::text, "first");
  scene.journal.compact({.trigger = "auto"}, core::UserMessage("in short"), 1);
  scene.journal.prompt(core::UserMessage("two"));
  EXPECT_EQ(scene.shown(), "prompt:one text:first compaction:in short prompt:two ");
  EXPECT_EQ(read_shown(scene.bytes).compactions, 1);
}

TEST(ShownSession, LeavesOutWhatWasTakenBack) {
  Scene scene;
  scene.journal.prompt(core::UserMessage("bad"));
  scene.journal.take_back_prompt();
  scene.journal.prompt(core::UserMessage("good"));
  EXPECT_EQ(scene.shown(), "prompt:good ");
}

TEST(ShownSession, FollowsABranch) {
  Scene scene;
  scene.journal.prompt(core::UserMessage("one"));
  const std::string fork = scene.journal.block(scene.reply, BlockKind::text, "first");
  scene.journal.prompt(core::UserMessage("two"));
  scene.journal.block({.message_id = "B", .model = "m"}, BlockKind::text, "second");
  Journal other(std::make_unique<test::MemoryAppendFile>(scene.bytes), nullptr,
                scene.journal.head(), {fork}, scene.clock);
  other.prompt(core::UserMessage("other"));
  EXPECT_EQ(scene.shown(), "prompt:one text:first prompt:other ");
}

TEST(ShownSession, PassesOverWhatItCannotRead) {
  Scene scene;
  scene.bytes = "not json\n{\"type\":\"user\"}\n[]\n\n" + std::string(300, '[') + "\n";
  scene.journal.prompt(core::UserMessage("hi"));
  scene.bytes += R"({"type":"user","uuid":"x","message":{"content":")"
                 "\xff"
                 R"("}})";
  EXPECT_EQ(scene.shown(), "prompt:hi prompt:\xEF\xBF\xBD ");
  EXPECT_EQ(read_shown(scene.bytes).skipped, 3U);
}

TEST(ShownSession, MakesTitlesOfOneLine) {
  EXPECT_EQ(make_title("  a\n\n\tb\x1b[31m c\r\n"), "a b [31m c");
  EXPECT_EQ(make_title(""), "");
  std::string longest;
  for (int i = 0; i < 300; ++i) longest += "\xC3\xA9";
  EXPECT_EQ(make_title(longest), longest.substr(0, 400)) << "200 characters";
}

TEST(ShownSession, ShowsRepliesWhateverTheirFormAndTheOrderOfMembers) {
  const std::string lines =
      R"({"type":"user","uuid":"1","message":{"role":"user","content":"hi"}})"
      "\n"
      R"({"type":"assistant","uuid":"2","message":{"id":"a","model":"m","content":"plain"}})"
      "\n"
      R"({"type":"assistant","uuid":"3","message":{"id":"b","model":"m","content":[{"type":"text","text":"block"}]}})"
      "\n";
  for (const std::string& order : test::key_orders_of_lines(lines)) {
    std::string shown;
    for (const ShownItem& item : read_shown(order).items) shown += item.text + " ";
    EXPECT_EQ(shown, "hi plain block ") << order;
  }
}

}  // namespace
}  // namespace yume::transcript
