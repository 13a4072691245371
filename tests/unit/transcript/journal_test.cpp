// SPDX-License-Identifier: MIT
#include "transcript/journal.h"

#include <gtest/gtest.h>

#include "support/fake_clock.h"
#include "transcript/transcript_reader.h"

namespace yume::transcript {
namespace {

// A disk in memory that can be told to be full.
struct Disk {
  std::string bytes;
  bool full = false;
  int syncs = 0;
};

class DiskFile final : public platform::AppendFile {
 public:
  explicit DiskFile(Disk& disk) : disk_(disk) {}
  using platform::AppendFile::append;
  Result<void> append(std::span<const std::string_view> pieces) override {
    if (disk_.full) return Error{.code = ErrorCode::io, .message = "cannot write f: disk full"};
    for (const std::string_view piece : pieces) disk_.bytes += piece;
    return {};
  }
  Result<void> sync() override {
    ++disk_.syncs;
    return {};
  }
  [[nodiscard]] std::uint64_t size() const override { return disk_.bytes.size(); }

 private:
  Disk& disk_;
};

struct Scene {
  Disk disk;
  test::FakeClock clock;
  Journal journal{std::make_unique<DiskFile>(disk),
                  nullptr,
                  {.session_id = "S", .cwd = "/w", .version = "1"},
                  {},
                  clock};

  core::Conversation read() const { return *read_transcript({.bytes = disk.bytes}); }
};

// What may not stand in a line as it is becomes ASCII and compact; the rest is not copied.
TEST(Journal, KeepsContentsInOneLine) {
  Scene scene;
  const core::PastCall call{.id = "c", .name = "read", .input = {}, .provider_id = "p"};
  scene.journal.content(
      "msg", {.from_model = true, .parts = {"{\"text\":\"plain\"}", "{\n \"a\": \"\u00e4\"}"}},
      std::span(&call, 1));
  scene.journal.content("msg", {.from_model = false, .parts = {}}, {});
  EXPECT_EQ(scene.disk.bytes.substr(scene.disk.bytes.find("\"messageId\"")),
            R"("messageId":"msg","role":"model","parts":[{"text":"plain"},{"a":"\u00e4"}],)"
            R"("calls":[{"id":"c","name":"read","providerId":"p"}]})"
            "\n" +
                scene.disk.bytes.substr(0, scene.disk.bytes.find("\"messageId\"")) +
                R"("messageId":"msg","role":"user","parts":[]})"
                "\n");
}

TEST(Journal, LinksEachRecordToTheOneBefore) {
  Scene scene;
  const ReplyHead reply{.message_id = "A", .model = "m", .usage = {}};
  scene.journal.prompt(core::UserMessage("hi"));
  scene.journal.block(reply, BlockKind::thought, "hm");
  const std::string last = scene.journal.block(reply, BlockKind::text, "hello");
  EXPECT_EQ(scene.journal.leaf(), last);
  const core::Conversation conversation = scene.read();
  EXPECT_EQ(conversation.leaf_uuid, last);
  ASSERT_EQ(conversation.entries.size(), 2U);
  EXPECT_EQ(std::get<core::PastReply>(conversation.entries[1]).text, "hello");
}

// Notes where the texts stand.
class Places final : public SessionObserver {
 public:
  void on_text(const ReplyHead& /*reply*/, std::string_view /*text*/,
               const TextPlace& place) override {
    all.push_back(place);
  }
  void on_prompt(const core::UserMessage& /*message*/) override {}
  void on_call(const ReplyHead& /*reply*/, const core::ToolCall& /*call*/) override {}
  void on_failure(std::string_view /*text*/) override {}
  void on_prompt_taken_back() override {}
  void on_compaction() override {}
  void on_turn_begun() override {}
  void on_turn_done(const core::TurnDone& /*done*/) override {}
  Result<void> after_result() override { return {}; }

  std::vector<TextPlace> all;
};

TEST(Journal, SaysWhereATextStandsEvenIfItIsWrittenLater) {
  Scene scene;
  Places places;
  scene.journal.set_observer(&places);
  const ReplyHead reply{.message_id = "A", .model = "m", .usage = {}};
  scene.journal.prompt(core::UserMessage("hi"));
  scene.journal.block(reply, BlockKind::text, "one \"1\"\n");
  scene.disk.full = true;
  scene.journal.block(reply, BlockKind::thought, "hm");
  scene.journal.block(reply, BlockKind::text, "two");
  scene.journal.block(reply, BlockKind::text, "thr\u00e9e");
  scene.disk.full = false;
  scene.journal.block(reply, BlockKind::text, "");
  std::vector<std::string> texts;
  for (const TextPlace& place : places.all) {
    texts.push_back(scene.disk.bytes.substr(place.from, place.size));
  }
  EXPECT_EQ(texts, (std::vector<std::string>{R"(one \"1\"\n)", "two", R"(thr\u00e9e)", ""}));
  EXPECT_TRUE(scene.journal.saved());
  scene.journal.set_observer(nullptr);
}

TEST(Journal, TakesBackThePromptThatTheServerRefuses) {
  Scene scene;
  scene.journal.prompt(core::UserMessage("one"));
  scene.journal.block({.message_id = "A", .model = "m", .usage = {}}, BlockKind::text, "1");
  scene.journal.prompt(core::UserMessage("poison"));
  scene.journal.prompt(core::UserMessage("try harder"), PromptKind::synthetic);
  scene.journal.take_back_prompt();
  EXPECT_EQ(scene.read().entries.size(), 2U);
  scene.journal.prompt(core::UserMessage("two"));
  EXPECT_EQ(scene.read().entries.size(), 3U);
}

TEST(Journal, KeepsRecordsInMemoryWhileTheDiskIsFull) {
  Scene scene;
  scene.journal.prompt(core::UserMessage("one"));
  scene.disk.full = true;
  const ReplyHead reply{.message_id = "A", .model = "m", .usage = {}};
  scene.journal.block(reply, BlockKind::text, "a");
  scene.journal.block(reply, BlockKind::text, "b");
  EXPECT_FALSE(scene.journal.saved());
  EXPECT_EQ(scene.read().entries.size(), 1U);
  scene.disk.full = false;
  scene.journal.block(reply, BlockKind::text, "c");
  EXPECT_TRUE(scene.journal.saved());
  EXPECT_EQ(std::get<core::PastReply>(scene.read().entries.at(1)).text, "abc");
}

TEST(Journal, ComplainsOnceAndAgainEachMinuteAndSaysWhenItIsOver) {
  Scene scene;
  scene.disk.full = true;
  const auto say = [&scene] {
    scene.journal.prompt(core::UserMessage("x"));
    return scene.journal.take_notice().value_or("").substr(0, 28);
  };
  EXPECT_EQ(say(), "The session is not being sav");
  EXPECT_EQ(say(), "");
  scene.clock.advance(std::chrono::seconds(61));
  EXPECT_EQ(say(), "The session is not being sav");
  scene.disk.full = false;
  EXPECT_EQ(say(), "The session is being saved a");
  EXPECT_EQ(say(), "");
}

TEST(Journal, OpensItsFileWithTheFirstRecord) {
  Disk disk;
  test::FakeClock clock;
  int opened = 0;
  Journal journal(
      nullptr,
      [&]() -> Result<std::unique_ptr<platform::AppendFile>> {
        if (++opened == 1) return Error{.code = ErrorCode::io, .message = "read-only"};
        return std::unique_ptr<platform::AppendFile>(std::make_unique<DiskFile>(disk));
      },
      {.session_id = "S", .cwd = "/w", .version = "1"}, {}, clock);
  EXPECT_EQ(opened, 0);
  journal.prompt(core::UserMessage("one"));
  EXPECT_FALSE(journal.saved());
  journal.prompt(core::UserMessage("two"));
  EXPECT_TRUE(journal.saved());
  EXPECT_EQ(opened, 2);
  EXPECT_EQ(read_transcript({.bytes = disk.bytes})->entries.size(), 2U);
}

TEST(Journal, WritesNothingWithoutAFile) {
  test::FakeClock clock;
  Journal journal(nullptr, nullptr, {}, {}, clock);
  EXPECT_FALSE(journal.prompt(core::UserMessage("one")).empty());
  journal.sync();
  EXPECT_TRUE(journal.saved());
  EXPECT_FALSE(journal.is_kept());
}

TEST(Journal, MakesACompactionDurableBeforeItCounts) {
  Scene scene;
  scene.journal.prompt(core::UserMessage("old"));
  const std::string kept = scene.journal.prompt(core::UserMessage("recent"));
  scene.journal.compact({.trigger = "auto", .pre_tokens = 9, .post_tokens = 1},
                        core::UserMessage("so far"), /*kept_from=*/1);
  EXPECT_EQ(scene.disk.syncs, 1);
  EXPECT_EQ(scene.journal.leaf(), kept);
  const core::Conversation conversation = scene.read();
  ASSERT_EQ(conversation.entries.size(), 2U);
  EXPECT_TRUE(std::get<core::PastPrompt>(conversation.entries[0]).is_summary);
}

}  // namespace
}  // namespace yume::transcript
