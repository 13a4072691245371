// SPDX-License-Identifier: MIT
#include "session/recorder.h"

#include "support/fake_clock.h"
#include "support/memory_append_file.h"
#include "support/recording_sink.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace yume::session {
namespace {

using Strings = std::vector<std::string>;

struct Scene {
  Scene() {
    // The record must be there when the host learns of it.
    host.on_post([this](const core::Event& event) {
      if (const auto* done = std::get_if<core::BlockDone>(&event)) {
        EXPECT_NE(bytes.find(done->uuid), std::string::npos);
      }
      if (const auto* ready = std::get_if<core::ToolCallReady>(&event)) {
        EXPECT_NE(bytes.find(ready->uuid), std::string::npos);
      }
      if (const auto* finished = std::get_if<core::ToolFinished>(&event)) {
        EXPECT_NE(bytes.find(finished->uuid), std::string::npos);
      }
    });
  }

  Strings records() const {
    Strings all;
    std::istringstream text(bytes);
    for (std::string line; std::getline(text, line);) {
      const auto json = nlohmann::json::parse(line);
      std::string what = json.at("type");
      if (json.contains("message") && json["message"]["content"].is_array()) {
        for (const auto& block : json["message"]["content"]) {
          what += " " + block.at("type").get<std::string>() + ":" +
                  block.value("text", block.value("thinking", ""));
        }
      } else if (json.contains("message")) {
        what += " " + json["message"]["content"].get<std::string>();
      }
      all.push_back(what);
    }
    return all;
  }

  test::FakeClock clock;
  std::string bytes;
  transcript::Journal journal{std::make_unique<test::MemoryAppendFile>(bytes),
                              nullptr,
                              {.session_id = "S", .cwd = "/w", .version = "1"},
                              {},
                              clock};
  test::RecordingSink host;
  std::optional<core::WorkState> changes;
  Recorder recorder{journal, host, [this] { return std::exchange(changes, std::nullopt); }};
};

TEST(Recorder, KeepsEachBlockBeforeTheHostSeesItsEnd) {
  Scene scene;
  scene.recorder.post(core::MessageStarted{"msg_1", "m"});
  scene.recorder.post(core::ThoughtDelta{"hm"});
  scene.recorder.post(core::TextDelta{"Hel"});
  EXPECT_EQ(scene.records(), Strings{"assistant thinking:hm"}) << "the text is not complete yet";
  scene.recorder.post(core::TextDelta{"lo"});
  scene.recorder.post(core::MessageDone{});
  EXPECT_EQ(scene.records(), (Strings{"assistant thinking:hm", "assistant text:Hello"}));
}

// Long texts of the host and of the records are cut at the same places: whoever gets `first line`
// has had exactly the text of that line, and more.
TEST(Recorder, SplitsABlockThatOneLineCannotTake) {
  Scene scene;
  const std::string piece(core::k_longest_block - 2, 'x');  // the quotes belong to it
  Strings seen;
  std::string not_ended;
  scene.host.on_post([&](const core::Event& event) {
    if (const auto* delta = std::get_if<core::TextDelta>(&event)) not_ended += delta->text;
    const auto* done = std::get_if<core::BlockDone>(&event);
    if (done == nullptr) return;
    const bool all = done->extent == core::BlockDone::Extent::all;
    const std::string_view line =
        all ? std::string_view(not_ended) : json_prefix(not_ended, core::k_longest_block);
    seen.push_back("assistant text:" + std::string(line));
    not_ended.erase(0, line.size());
  });
  const Strings deltas = {piece, "a little more", piece + piece + piece, "the end"};
  std::string text;
  for (const std::string& delta : deltas) {
    text += delta;
    scene.recorder.post(core::TextDelta{delta});
  }
  scene.recorder.post(core::MessageDone{});
  EXPECT_EQ(seen.size(), 5U);
  EXPECT_TRUE(scene.records() == seen);
  std::string recorded;
  for (const std::string& record : seen) recorded += record.substr(record.find(':') + 1);
  EXPECT_TRUE(recorded == text);
}

// A reply of any length is held by neither side as a whole.
TEST(Recorder, EndsFullLinesOfABlockWhileItGoesOn) {
  Scene scene;
  std::size_t not_ended = 0;
  std::size_t most = 0;
  scene.host.on_post([&](const core::Event& event) {
    if (const auto* delta = std::get_if<core::TextDelta>(&event)) not_ended += delta->text.size();
    if (std::holds_alternative<core::BlockDone>(event)) not_ended -= core::k_longest_block;
    most = std::max(most, not_ended);
  });
  const std::string delta(100'000, 'x');
  for (int i = 0; i < 50; ++i) scene.recorder.post(core::TextDelta{delta});
  EXPECT_LE(most, core::k_longest_block + 2 * delta.size());
}

TEST(Recorder, EndsThoughtsButNoTextWhenAStreamIsRepeated) {
  Scene scene;
  scene.recorder.post(core::ThoughtDelta{"half a"});
  scene.recorder.post(core::RetryScheduled{});
  scene.recorder.post(core::TextDelta{"one "});
  scene.recorder.post(core::RetryScheduled{});
  scene.recorder.post(core::TextDelta{"text"});
  scene.recorder.post(core::MessageDone{});
  EXPECT_EQ(scene.records(), (Strings{"assistant thinking:half a", "assistant text:one text"}));
}

TEST(Recorder, KeepsCallsResultsAndWhatTheyChanged) {
  Scene scene;
  const core::ToolCall call{.id = "c", .name = "Read", .input = {"{}"}};
  scene.recorder.post(core::TextDelta{"Reading."});
  scene.recorder.post(core::ToolCallReady{.call = call});
  scene.changes = core::WorkState{.files = {{"/w/a", 1}}, .shell_cwd = {}};
  scene.recorder.post(
      core::ToolFinished{.call = call, .outcome = {.content = "text", .details = {}}});
  const Strings records = scene.records();
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[0], "assistant text:Reading.");
  EXPECT_EQ(records[1], "assistant tool_use:");
  EXPECT_EQ(records[2], "user tool_result:");
  EXPECT_NE(scene.bytes.find("/w/a"), std::string::npos) << "the state follows its result";
}

TEST(Recorder, LetsEventsOfOtherThreadsPassWithoutTouchingTheBlock) {
  Scene scene;
  scene.recorder.post(core::TextDelta{"a"});
  scene.recorder.post(core::ToolProgress{.call_id = "c", .tool_name = "Bash"});
  scene.recorder.post(core::BackgroundEnded{});
  scene.recorder.post(core::TextDelta{"b"});
  scene.recorder.post(core::MessageDone{});
  EXPECT_EQ(scene.records(), Strings{"assistant text:ab"});
}

TEST(Recorder, ClosesAnInterruptedTurnWithItsMarker) {
  Scene scene;
  scene.recorder.post(core::TextDelta{"half"});
  core::TurnDone done;
  done.outcome = core::TurnOutcome::interrupted;
  scene.recorder.end_turn(done);
  EXPECT_EQ(scene.records(),
            (Strings{"assistant text:half", "user [Request interrupted by user]"}));
  EXPECT_NE(scene.bytes.find(done.closing_uuid), std::string::npos);
  EXPECT_TRUE(done.session_saved);
}

TEST(Recorder, KeepsTheTextOfAFailure) {
  Scene scene;
  core::TurnDone done;
  done.outcome = core::TurnOutcome::failed;
  done.text = "API Error: no";
  scene.recorder.end_turn(done);
  EXPECT_EQ(scene.records(), Strings{"assistant text:API Error: no"});
  EXPECT_FALSE(done.closing_uuid.empty());
}

TEST(Recorder, StopsWhenNobodyReads) {
  test::FakeClock clock;
  transcript::Journal journal(nullptr, nullptr, {}, {}, clock);
  test::RecordingSink gone(0);
  Recorder recorder(journal, gone, [] { return std::nullopt; });
  EXPECT_FALSE(recorder.post(core::TextDelta{"a"}));
  EXPECT_FALSE(recorder.post(core::MessageDone{}));
}

TEST(Recorder, ReportsADiskThatFailsAndThatTheTurnIsNotSaved) {
  test::FakeClock clock;
  transcript::Journal journal(
      nullptr,
      []() -> Result<std::unique_ptr<platform::AppendFile>> {
        return Error{.code = ErrorCode::io, .message = "disk full"};
      },
      {}, {}, clock);
  test::RecordingSink host;
  Recorder recorder(journal, host, [] { return std::nullopt; });
  recorder.post(core::TextDelta{"a"});
  recorder.post(core::MessageDone{});
  core::TurnDone done;
  recorder.end_turn(done);
  EXPECT_FALSE(done.session_saved);
  bool noticed = false;
  for (const std::string& event : host.events()) noticed |= event.starts_with("notice");
  EXPECT_TRUE(noticed);
}

}  // namespace
}  // namespace yume::session
