// SPDX-License-Identifier: MIT
#include "transcript/transcript_reader.h"

#include <gtest/gtest.h>

#include <array>

#include "platform/clock.h"
#include "support/fake_clock.h"
#include "support/key_orders.h"
#include "transcript/transcript_lines.h"

namespace yume::transcript {
namespace {

using Strings = std::vector<std::string>;

// Writes the lines that a journal would, with short ids.
class Script {
 public:
  // Far apart, as real ones are: no flipped byte makes one of another.
  static std::string uuid(int number) {
    const std::string digits = std::to_string(number);
    return "u" + digits + "-" + digits + "-" + digits;
  }

  Script& prompt(int id, int parent, const std::string& text, PromptKind kind = PromptKind::typed) {
    return add(prompt_line(head_, link(id, parent), core::UserMessage(text), kind));
  }
  Script& text(int id, int parent, const std::string& message, const std::string& text) {
    return add(block_line(head_, link(id, parent), reply(message), BlockKind::text, text).line);
  }
  Script& call(int id, int parent, const std::string& message, const std::string& call_id) {
    return add(call_line(head_, link(id, parent), reply(message),
                         {.id = call_id, .name = "Read", .input = {R"({"n":1})"}}));
  }
  Script& result(int id, int parent, const std::string& call_id, const std::string& text) {
    core::ToolOutcome outcome;
    outcome.content = text;
    return add(result_line(head_, link(id, parent), "",
                           {.id = call_id, .name = "Read", .input = {"{}"}}, outcome));
  }
  Script& content(const std::string& message, const std::string& part, const Strings& calls = {}) {
    std::vector<core::PastCall> all;
    for (const std::string& id : calls) all.push_back({.id = id, .name = "read_file", .input = {}});
    const core::RawContent content{.from_model = true, .parts = {part}};
    const ContentLine line(head_, {}, message, content, all);
    for (const std::string_view piece : line.pieces()) bytes += piece;
    return *this;
  }
  Script& compaction(int id, int summary, int last, const std::string& text, const Strings& kept) {
    add(boundary_line(head_, {.uuid = uuid(id), .parent = {}, .time = {}},
                      {.trigger = "auto",
                       .pre_tokens = 100,
                       .post_tokens = 10,
                       .logical_parent = uuid(last),
                       .summary_uuid = uuid(summary),
                       .kept = kept}));
    return prompt(summary, id, text, PromptKind::summary);
  }
  Script& add(const std::string& line) {
    bytes += line + "\n";
    return *this;
  }

  LineLink link(int id, int parent) const {
    return {.uuid = uuid(id), .parent = parent == 0 ? "" : uuid(parent), .time = {}};
  }

  std::string bytes;
  const LineHead head_{.session_id = "S", .cwd = "/w", .version = "1"};

 private:
  static ReplyHead reply(const std::string& message) {
    return {.message_id = message, .model = "m", .usage = {.prompt_tokens = 7}};
  }
};

std::string text_of(const core::PastEntry& entry) {
  if (const auto* prompt = std::get_if<core::PastPrompt>(&entry)) {
    return (prompt->is_summary ? "summary " : "user ") +
           std::get<std::string>(prompt->message.blocks.at(0));
  }
  if (const auto* reply = std::get_if<core::PastReply>(&entry)) {
    std::string text = "model " + reply->text;
    for (const core::PastCall& call : reply->calls) text += " " + call.name + "#" + call.id;
    for (const core::RawContent& raw : reply->raw) text += " raw:" + raw.parts.at(0);
    return text;
  }
  std::string text = "results";
  for (const core::PastResult& result : std::get<core::PastResults>(entry).results) {
    text += " " + result.call_id + "=" + result.text.substr(0, 12);
  }
  return text;
}

Strings read(const std::string& bytes) {
  const auto conversation = read_transcript({.bytes = bytes});
  EXPECT_TRUE(conversation.ok());
  Strings entries;
  for (const core::PastEntry& entry : conversation->entries) entries.push_back(text_of(entry));
  return entries;
}

Script two_turns() {
  Script script;
  script.prompt(1, 0, "one").text(2, 1, "A", "Hm. ");
  script.content("A", R"({"text":"Hm. "})", {"c1"}).call(3, 2, "A", "c1");
  script.result(4, 3, "c1", "found").content("B", R"({"text":"Yes."})").text(5, 4, "B", "Yes.");
  return script.prompt(6, 5, "two").text(7, 6, "C", "Two.");
}

TEST(TranscriptReader, KnowsThatTheLastTurnWasInterrupted) {
  Script script;
  script.prompt(1, 0, "q").text(2, 1, "m1", "half");
  EXPECT_FALSE(read_transcript({.bytes = script.bytes})->interrupted);
  script.prompt(3, 2, "[Request interrupted by user]", PromptKind::marker);
  EXPECT_TRUE(read_transcript({.bytes = script.bytes})->interrupted);
  EXPECT_FALSE(read_transcript({.bytes = script.bytes, .up_to = Script::uuid(2)})->interrupted);
  script.prompt(4, 3, "next").prompt(5, 4, "note", PromptKind::synthetic);
  EXPECT_FALSE(read_transcript({.bytes = script.bytes})->interrupted) << "the model was told";
}

TEST(TranscriptReader, RemembersWhichCommandsRanInTheBackground) {
  const std::vector<core::RunningCommand> running = {
      {.id = "bash_1", .title = "make \"watch\"", .output_file = "/tmp/a b"},
      {.id = "bash_2", .title = "serve", .output_file = "/tmp/c"}};
  Script script;
  script.prompt(1, 0, "q").add(
      state_line(script.head_, {}, {.files = {}, .shell_cwd = {}, .running = running}));
  EXPECT_EQ(read_transcript({.bytes = script.bytes})->state.running, running);
  script.add(state_line(script.head_, {}, {.files = {}, .shell_cwd = {}}));
  EXPECT_TRUE(read_transcript({.bytes = script.bytes})->state.running.empty());
}

TEST(TranscriptReader, PutsTurnsBackTogether) {
  EXPECT_EQ(
      read(two_turns().bytes),
      (Strings{"user one", R"(model Hm.  read_file#c1 raw:{"text":"Hm. "})", "results c1=found",
               R"(model Yes. raw:{"text":"Yes."})", "user two", "model Two."}));
}

// Claude Code writes `message` before `type`; nobody promises any order.
TEST(TranscriptReader, KeepsRepliesWhateverTheOrderOfMembers) {
  const std::vector<std::string> orders = test::key_orders_of_lines(two_turns().bytes);
  for (const std::string& order : orders) {
    EXPECT_EQ(read(order), read(orders.front())) << order;
  }
}

TEST(TranscriptReader, KeepsNotesAndCompactionsWhateverTheOrderOfMembers) {
  Script script = two_turns();
  script.compaction(8, 9, 7, "so far", {Script::uuid(6), Script::uuid(7)});
  script.prompt(10, 7, "three").text(11, 10, "D", "Three.").call(12, 11, "D", "c2");
  script.add(withheld_line(script.head_, {}, Strings{"c1"}, "taken away"));
  script.add(state_line(script.head_, {},
                        {.files = {{"/w/a", 255}},
                         .shell_cwd = "/w/b",
                         .todos = {{.content = "x", .active_form = "y"}}}));
  script.add(rewind_line(script.head_, {}, Script::uuid(11)));
  const std::vector<std::string> orders = test::key_orders_of_lines(script.bytes);
  for (const std::string& order : orders) {
    EXPECT_EQ(read(order), read(orders.front())) << order;
    const auto conversation = read_transcript({.bytes = order});
    EXPECT_EQ(conversation->state.shell_cwd, "/w/b") << order;
    EXPECT_EQ(conversation->state.files.at("/w/a"), 255U) << order;
    EXPECT_EQ(conversation->state.todos,
              (std::vector<core::Todo>{{.content = "x", .active_form = "y"}}))
        << order;
    EXPECT_EQ(conversation->leaf_uuid, Script::uuid(11)) << order;
  }
}

TEST(TranscriptReader, RemembersWhereItEndedAndWhatWasMeasured) {
  const auto conversation = read_transcript({.bytes = two_turns().bytes});
  EXPECT_EQ(conversation->leaf_uuid, "u7-7-7");
  EXPECT_EQ(conversation->model, "m");
  EXPECT_EQ(conversation->last_request.prompt_tokens, 7);
  EXPECT_EQ(conversation->call_ids, (Strings{"c1", "c1"}));
}

TEST(TranscriptReader, ReadsEveryPrefixWithoutLosingAWholeLine) {
  const std::string bytes = two_turns().bytes;
  const Strings all = read(bytes);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto conversation = read_transcript({.bytes = bytes.substr(0, length)});
    ASSERT_TRUE(conversation.ok()) << length;
    EXPECT_LE(conversation->skipped, 1U);
    EXPECT_LE(conversation->entries.size(), all.size());
    std::size_t open = 0;
    for (const core::PastEntry& entry : conversation->entries) {
      if (const auto* reply = std::get_if<core::PastReply>(&entry)) open += reply->calls.size();
      if (const auto* results = std::get_if<core::PastResults>(&entry)) {
        open -= results->results.size();
      }
    }
    EXPECT_EQ(open, 0U) << "every call has its result, at " << length;
  }
}

TEST(TranscriptReader, SurvivesEveryFlippedByte) {
  const std::string bytes = two_turns().bytes;
  constexpr std::array k_flips{'\x01', '\x20', '\x80'};
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ k_flips[at % k_flips.size()]);
    const auto conversation = read_transcript({.bytes = damaged});
    ASSERT_TRUE(conversation.ok());
    // One line at the most is lost, and with a line end the one behind it.
    EXPECT_GE(conversation->entries.size(), 4U) << "byte " << at << " of " << damaged;
  }
}

TEST(TranscriptReader, PassesOverWhatIsNotOurs) {
  Script script = two_turns();
  const Strings all = read(script.bytes);
  std::string mixed =
      "\n\n   \n{\"type\":\"queue-operation\",\"operation\":\"enqueue\"}\n[1,2]\nnull\n";
  mixed += script.bytes + std::string(100, '\0') + "\n{\"type\":\"summary\",\"summary\":\"T\"}\n";
  const auto conversation = read_transcript({.bytes = mixed});
  EXPECT_EQ(conversation->skipped, 2U) << "[1,2] and null";
  EXPECT_EQ(read(mixed), all);
}

TEST(TranscriptReader, ClosesCallsThatAKillLeftOpen) {
  Script script;
  script.prompt(1, 0, "do").content("A", R"({"x":1})", {"a", "b", "c"});
  script.call(2, 1, "A", "a").result(3, 2, "a", "done").call(4, 3, "A", "b");
  const auto conversation = read_transcript({.bytes = script.bytes});
  EXPECT_EQ(conversation->open_calls, Strings{"b"});
  EXPECT_EQ(read(script.bytes).back(), "results a=done b=The call was c=The call was");
}

TEST(TranscriptReader, LeavesOutWhatWasTakenBack) {
  Script script = two_turns();
  const Strings all = read(script.bytes);
  script.prompt(8, 7, "poison").add(rewind_line(script.head_, {}, "u7-7-7"));
  EXPECT_EQ(read(script.bytes), all);
  script.add(
      failure_line(script.head_, {.uuid = "u9-9-9", .parent = "u7-7-7", .time = {}}, "API Error"));
  EXPECT_EQ(read(script.bytes), all);
  script.prompt(10, 9, "next");
  EXPECT_EQ(read(script.bytes).back(), "user next");
  EXPECT_EQ(read(script.bytes).size(), all.size() + 1);
}

TEST(TranscriptReader, PutsAnotherTextInThePlaceOfAWithheldResult) {
  Script script = two_turns();
  const std::vector<std::string> ids{"c1"};
  script.add(withheld_line(script.head_, {}, ids, "withheld"));
  EXPECT_EQ(read(script.bytes).at(2), "results c1=withheld");
}

TEST(TranscriptReader, PutsTextsInThePlaceOfWithheldMedia) {
  const core::Media picture{.mime_type = "image/png", .base64 = "aGk="};
  const auto media_prompt = [&](Script& script, int id, int parent) {
    core::UserMessage message("see");
    message.blocks.emplace_back(picture);
    script.add(prompt_line(script.head_, script.link(id, parent), message, PromptKind::typed));
  };
  Script script;
  media_prompt(script, 1, 0);
  script.text(2, 1, "A", "ok").call(3, 2, "A", "c1");
  core::ToolOutcome outcome;
  outcome.content = "found";
  outcome.media = {picture};
  script.add(result_line(script.head_, script.link(4, 3), "",
                         {.id = "c1", .name = "Read", .input = {"{}"}}, outcome));
  const auto texts = [](const std::string& bytes) {
    const auto read = read_transcript({.bytes = bytes});
    Strings out;
    for (const core::PastEntry& entry : read->entries) {
      if (const auto* prompt = std::get_if<core::PastPrompt>(&entry)) {
        out.push_back(prompt->message.text());
      } else if (const auto* results = std::get_if<core::PastResults>(&entry)) {
        const core::PastResult& result = results->results.front();
        out.push_back(result.text + (result.media.empty() ? "" : "+media"));
      }
    }
    return out;
  };
  const std::string gone = "\n[image/png of 2 bytes withheld: why]";
  EXPECT_EQ(texts(script.bytes), (Strings{"see", "found+media"}));
  Script later = script;
  later.add(withheld_media_line(later.head_, {}, Script::uuid(3), "why"));
  EXPECT_EQ(texts(later.bytes), (Strings{"see", "found" + gone}));
  media_prompt(later, 5, 4);
  EXPECT_EQ(texts(later.bytes), (Strings{"see", "found" + gone, "see"}));
  later.add(withheld_media_line(later.head_, {}, "", "why"));
  EXPECT_EQ(texts(later.bytes), (Strings{"see" + gone, "found" + gone, "see" + gone}));
  Script unknown = script;
  unknown.add(withheld_media_line(unknown.head_, {}, "nobody", "why"));
  EXPECT_EQ(texts(unknown.bytes), (Strings{"see", "found+media"}));
}

TEST(TranscriptReader, GoesOnFromASummaryAndWhatWasKept) {
  Script script = two_turns();
  script.compaction(20, 21, 7, "so far", {"u6-6-6", "u7-7-7"});
  EXPECT_EQ(read(script.bytes), (Strings{"summary so far", "user two", "model Two."}));
  script.prompt(22, 7, "three");
  EXPECT_EQ(read(script.bytes),
            (Strings{"summary so far", "user two", "model Two.", "user three"}));
}

TEST(TranscriptReader, GoesOnFromASummaryAlone) {
  Script script = two_turns();
  script.compaction(20, 21, 7, "so far", {}).prompt(22, 21, "three");
  EXPECT_EQ(read(script.bytes), (Strings{"summary so far", "user three"}));
}

TEST(TranscriptReader, IgnoresABoundaryWhoseSummaryWasNeverWritten) {
  Script script = two_turns();
  const Strings all = read(script.bytes);
  Script cut = script;
  cut.compaction(20, 21, 7, "so far", {"u6-6-6", "u7-7-7"});
  const std::size_t boundary_end = cut.bytes.find('\n', script.bytes.size()) + 1;
  EXPECT_EQ(read(cut.bytes.substr(0, boundary_end)), all);
  EXPECT_EQ(read(cut.bytes.substr(0, boundary_end + 40)), all);
}

TEST(TranscriptReader, StopsAtTheMessageItIsTold) {
  const auto conversation =
      read_transcript({.bytes = two_turns().bytes, .up_to = std::string("u5-5-5")});
  ASSERT_TRUE(conversation.ok());
  EXPECT_EQ(conversation->entries.size(), 4U);
  EXPECT_EQ(conversation->leaf_uuid, "u5-5-5");
  const auto missing =
      read_transcript({.bytes = two_turns().bytes, .up_to = std::string("u99-99-99")});
  EXPECT_EQ(missing.error().message, "No message found with message.uuid of: u99-99-99");
}

TEST(TranscriptReader, WalksInCirclesOnlyOnce) {
  Script script;
  script.prompt(1, 2, "one").text(2, 1, "A", "two").prompt(3, 3, "itself");
  EXPECT_EQ(read(script.bytes).size(), 3U);
}

TEST(TranscriptReader, KeepsTheStateOfTools) {
  Script script = two_turns();
  core::WorkState first{.files = {{"/w/a", 1}, {"/w/b", 2}}, .shell_cwd = "/w/sub"};
  core::WorkState second{
      .files = {{"/w/b", 0xFFFF'FFFF'FFFF'FFFFULL}},
      .shell_cwd = "/w",
      .todos = {{.content = "\u00e9", .active_form = "y"},
                {.content = "z", .status = core::TodoStatus::in_progress, .active_form = "z"}}};
  script.add(state_line(script.head_, {}, first)).add(state_line(script.head_, {}, second));
  const auto conversation = read_transcript({.bytes = script.bytes});
  EXPECT_EQ(conversation->state.files, (std::map<std::string, std::uint64_t>{
                                           {"/w/a", 1}, {"/w/b", 0xFFFF'FFFF'FFFF'FFFFULL}}));
  EXPECT_EQ(conversation->state.shell_cwd, "/w");
  EXPECT_EQ(conversation->state.todos, second.todos);
}

TEST(TranscriptReader, ReadsLinesWithBrokenCharacters) {
  Script script;
  script.add(
      R"({"type":"user","uuid":"u1-1-1","parentUuid":null,"message":{"role":"user","content":"a\ud800b"}})");
  script.add(
      "{\"type\":\"user\",\"uuid\":\"u2\",\"parentUuid\":\"u1\",\"message\":{\"role\":\"user\","
      "\"content\":\"c\xFF\"}}");
  EXPECT_EQ(read(script.bytes), (Strings{"user a\xEF\xBF\xBD"
                                         "b",
                                         "user c\xEF\xBF\xBD"}));
}

}  // namespace
}  // namespace yume::transcript
