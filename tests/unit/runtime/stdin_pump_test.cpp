// SPDX-License-Identifier: MIT
#include "runtime/stdin_pump.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <latch>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "protocol/claude/claude_host.h"
#include "support/recorded_lines.h"
#include "util/overloaded.h"
#include "util/thread.h"

namespace yume::runtime {
namespace {

using Strings = std::vector<std::string>;

class MemoryInput final : public platform::InputStream {
 public:
  explicit MemoryInput(std::string bytes) : bytes_(std::move(bytes)) {}
  Result<std::size_t> read(std::span<char> buffer, const CancelToken&) override {
    const std::size_t count = std::min(buffer.size(), bytes_.size() - at_);
    std::memcpy(buffer.data(), bytes_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

struct Scene {
  test::RecordedLines output;
  test::MemoryOverflow overflow;
  protocol::ClaudeHost host{output, overflow, {}};
  Mailbox mailbox;
  ByteBudget waiting{16U << 20U};

  void read(std::string bytes, StdinContent content, std::size_t longest) {
    MemoryInput input(std::move(bytes));
    read(input, content, longest);
  }

  void read(platform::InputStream& input, StdinContent content, std::size_t longest) {
    const StdinPump pump(input, content, longest, host, mailbox, waiting);
    for (bool closed = false; !closed;) {
      auto item = mailbox.take(std::nullopt);
      Control& control = std::get<Control>(*item);
      closed = std::holds_alternative<StdinClosed>(control);
      posted.push_back(std::move(control));
    }
  }

  std::vector<Control> posted;  // keeps what waits for its turn
};

std::string text_of(const core::Command& command) {
  return std::visit(
      Overloaded{
          [](const core::Prompt& prompt) { return prompt.message.text(); },
          [](const core::Interrupt&) { return std::string("interrupt"); },
          [](const core::Initialize&) { return std::string("initialize"); },
          [](const core::SetMode&) { return std::string("set mode"); },
          [](const core::SetModel& set) { return "set model " + set.name; },
          [](const core::SetThinking&) { return std::string("set thinking"); },
          [](const core::RewindFiles& wanted) { return "rewind to " + wanted.prompt_uuid; },
          [](const core::Query&) { return std::string("query"); },
          [](const core::McpQueryStatus&) { return std::string("mcp status"); },
          [](const core::McpSetServers&) { return std::string("mcp set servers"); },
          [](const core::McpReconnect&) { return std::string("mcp reconnect"); },
          [](const core::McpToggle&) { return std::string("mcp toggle"); },
          [](const core::McpFromHost&) { return std::string("mcp message"); },
          [](const core::StopTask& stop) { return "stop " + stop.task_id; },
          [](const core::CancelPrompt&) { return std::string("CancelPrompt"); },
          [](const core::SeedReadState&) { return std::string("SeedReadState"); },
          [](const core::RenameSession&) { return std::string("RenameSession"); },
          [](const core::ReadFile&) { return std::string("ReadFile"); },
          [](const core::GetTaskOutput&) { return std::string("GetTaskOutput"); },
          [](const core::ApplySettings&) { return std::string("ApplySettings"); },
          [](const core::McpCallTool&) { return std::string("McpCallTool"); },
          [](const core::McpReadResource&) { return std::string("McpReadResource"); },
          [](const core::BeginSession&) { return std::string("begin session"); },
          [](const core::Greet&) { return std::string("Greet"); },
          [](const core::Authenticate&) { return std::string("Authenticate"); },
          [](const core::OpenSession&) { return std::string("OpenSession"); },
          [](const core::CloseSession&) { return std::string("CloseSession"); },
          [](const core::DeleteSession&) { return std::string("DeleteSession"); },
          [](const core::ListSessions&) { return std::string("ListSessions"); },
          [](const core::EndSession&) { return std::string("end session"); },
          [](const core::Unsupported&) { return std::string("unsupported"); },
          [](const core::Refused& refused) { return "refused: " + refused.why.substr(0, 40); },
          [](const core::Ignored&) { return std::string("ignored"); },
          [](const core::Malformed&) { return std::string("malformed"); },
      },
      command);
}

std::string text_of(const Control& control) {
  return std::visit(
      Overloaded{
          [](const FromHost& line) {
            return text_of(std::get<core::Command>(line.message.content));
          },
          [](const PromptTyped& typed) { return typed.prompt.text; },
          [](const LineTyped&) { return std::string("typed"); },
          [](const MessageRefused&) { return std::string("not taken"); },
          [](const StdinBegan&) { return std::string("began"); },
          [](const TextFromStdin& text) { return "text " + text.text; },
          [](const TextRefused& refused) { return "text refused: " + refused.why.substr(0, 40); },
          [](const StdinClosed&) { return std::string("closed"); },
          [](const ReaderLost&) { return std::string("reader lost"); },
          [](const OutOfMemory&) { return std::string("out of memory"); },
          [](const SignalReceived&) { return std::string("signal"); },
          [](const ReplyReady&) { return std::string("reply"); },
          [](const SessionOpened&) { return std::string("opened"); },
          [](const SessionClosed&) { return std::string("closed a session"); },
      },
      control);
}

Strings texts_of(const std::vector<Control>& posted) {
  Strings texts;
  for (const Control& one : posted) texts.push_back(text_of(one));
  return texts;
}

std::string prompt(const std::string& text) {
  return R"({"type":"user","message":{"role":"user","content":")" + text + "\"}}\n";
}
const std::string k_interrupt =
    "{\"type\":\"control_request\",\"request_id\":\"r\",\"request\":{\"subtype\":\"interrupt\"}}\n";

TEST(StdinPump, PostsEachLineAndTheEnd) {
  Scene scene;
  scene.read(prompt("one") + "\n" + k_interrupt + prompt("two"), StdinContent::stream_json, 1'000);
  EXPECT_EQ(texts_of(scene.posted), (Strings{"one", "interrupt", "two", "closed"}));
}

TEST(StdinPump, PostsATextAsAWhole) {
  Scene scene;
  scene.read("two\nlines", StdinContent::text_prompt, 1'000);
  EXPECT_EQ(texts_of(scene.posted), (Strings{"began", "text two\nlines", "closed"}));
}

TEST(StdinPump, RefusesWhatIsTooLongAndGoesOn) {
  Scene scene;
  scene.read(prompt(std::string(200, 'x')) + prompt("short"), StdinContent::stream_json, 100);
  EXPECT_EQ(texts_of(scene.posted),
            (Strings{"refused: Error: the message on stdin has 254 byte", "short", "closed"}));
}

// 150 MB of prompts were taken while nothing asked them.
TEST(StdinPump, BoundsWhatWaitsAndNeverHoldsUpAnInterrupt) {
  Scene scene;
  const std::string megabytes(3U << 20U, 'x');
  std::string lines;
  for (int i = 0; i < 10; ++i) lines += prompt(megabytes);
  scene.read(lines + k_interrupt, StdinContent::stream_json, 100U << 20U);
  Strings texts = texts_of(scene.posted);
  for (std::string& text : texts) text = text.substr(0, 10);
  const Strings taken(5, "xxxxxxxxxx");
  Strings expected = taken;
  expected.insert(expected.end(), 5, "not taken");
  expected.insert(expected.end(), {"interrupt", "closed"});
  EXPECT_EQ(texts, expected);
}

TEST(StdinPump, TakesMoreWhenThereIsRoomAgain) {
  Scene scene;
  const std::string large(20U << 20U, 'x');
  scene.read(prompt(large) + prompt("small"), StdinContent::stream_json, 100U << 20U);
  EXPECT_EQ(text_of(scene.posted.at(0)).size(), large.size()) << "alone, it may be this large";
  EXPECT_EQ(text_of(scene.posted.at(1)), "not taken");
  scene.posted.clear();
  scene.read(prompt("small"), StdinContent::stream_json, 100U << 20U);
  EXPECT_EQ(texts_of(scene.posted), (Strings{"small", "closed"}));
}

TEST(StdinPump, TakesALastLineWithoutItsEnd) {
  Scene scene;
  std::string line = prompt("one");
  line.pop_back();
  scene.read(line, StdinContent::stream_json, 1'000);
  EXPECT_EQ(texts_of(scene.posted), (Strings{"one", "closed"}));
}

TEST(StdinPump, PostsNoBeginningOfATextThatIsEmpty) {
  Scene scene;
  scene.read("", StdinContent::text_prompt, 1'000);
  EXPECT_EQ(texts_of(scene.posted), (Strings{"text ", "closed"}));
}

TEST(StdinPump, TakesATextOfTheGreatestLength) {
  Scene scene;
  scene.read(std::string(100, 'x'), StdinContent::text_prompt, 100);
  EXPECT_EQ(texts_of(scene.posted).at(1), "text " + std::string(100, 'x'));
}

// Gives this over and over.
class EndlessInput final : public platform::InputStream {
 public:
  Result<std::size_t> read(std::span<char> buffer, const CancelToken&) override {
    std::fill(buffer.begin(), buffer.end(), 'x');
    read_bytes += buffer.size();
    return buffer.size();
  }
  std::size_t read_bytes = 0;
};

TEST(StdinPump, RefusesATextThatIsTooLongWithoutReadingOn) {
  Scene scene;
  EndlessInput input;
  scene.read(input, StdinContent::text_prompt, 1'000'000);
  EXPECT_EQ(texts_of(scene.posted),
            (Strings{"began", "text refused: Error: the text on stdin has more than 9", "closed"}));
  EXPECT_LT(input.read_bytes, 1'200'000U);
}

TEST(StdinPump, TakesAnErrorForTheEnd) {
  class Broken final : public platform::InputStream {
    Result<std::size_t> read(std::span<char>, const CancelToken&) override {
      return Error{.code = ErrorCode::io, .message = "cannot read"};
    }
  };
  Scene scene;
  Broken input;
  scene.read(input, StdinContent::stream_json, 1'000);
  EXPECT_EQ(texts_of(scene.posted), Strings{"closed"});
}

TEST(StdinPump, ReportsThatMemoryRanOut) {
  class Hungry final : public platform::InputStream {
    Result<std::size_t> read(std::span<char>, const CancelToken&) override {
      throw std::bad_alloc();
    }
  };
  Scene scene;
  Hungry input;
  scene.read(input, StdinContent::stream_json, 1'000);
  EXPECT_EQ(texts_of(scene.posted), (Strings{"out of memory", "closed"}));
}

TEST(StdinPump, EndsWhileItWaitsForMore) {
  // Half a line, and then nothing until it is told to stop.
  class Silent final : public platform::InputStream {
   public:
    Result<std::size_t> read(std::span<char> buffer, const CancelToken& cancel) override {
      if (!std::exchange(begun_, true)) {
        buffer[0] = '{';
        return 1;
      }
      waits.count_down();
      std::mutex mutex;
      std::unique_lock lock(mutex);
      Condition never;
      never.wait(lock, cancel, [] { return false; });
      return Error{.code = ErrorCode::cancelled, .message = "stopped"};
    }
    std::latch waits{1};

   private:
    bool begun_ = false;
  };
  Scene scene;
  Silent input;
  {
    const StdinPump pump(input, StdinContent::stream_json, 1'000, scene.host, scene.mailbox,
                         scene.waiting);
    input.waits.wait();
  }
  const auto item = scene.mailbox.take(std::nullopt);
  EXPECT_EQ(text_of(std::get<Control>(*item)), "closed") << "and no half line";
}

}  // namespace
}  // namespace yume::runtime
