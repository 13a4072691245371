// SPDX-License-Identifier: MIT
#include "runtime/typed_lines.h"
#include "util/thread.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace yume::runtime {
namespace {

// What one read of a terminal brings: some bytes, or with none the end of input.
class Terminal final : public platform::InputStream {
 public:
  Result<std::size_t> read(std::span<char> buffer, const CancelToken& cancel) override {
    std::unique_lock lock(mutex_);
    ++reads_;
    changed_.notify_all();
    if (!changed_.wait(lock, cancel, [this] { return !typed_.empty(); })) {
      return Error{.code = ErrorCode::cancelled, .message = "cancelled"};
    }
    const std::string bytes = std::move(typed_.front());
    typed_.pop_front();
    if (bytes == "broken") return Error{.code = ErrorCode::io, .message = "no terminal"};
    std::memcpy(buffer.data(), bytes.data(), bytes.size());
    return bytes.size();
  }

  void type(std::string bytes) {
    const std::lock_guard lock(mutex_);
    typed_.push_back(std::move(bytes));
    changed_.notify_all();
  }
  void discard() {
    const std::lock_guard lock(mutex_);
    typed_.clear();
  }
  // Until so many reads have begun.
  void wait_for_reads(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return reads_ >= count; });
  }
  int reads() {
    const std::lock_guard lock(mutex_);
    return reads_;
  }

 private:
  std::mutex mutex_;
  Condition changed_;
  std::deque<std::string> typed_;
  int reads_ = 0;
};

struct Scene {
  protocol::TypedLine next() {
    auto item = mailbox.take(std::nullopt);
    return std::get<LineTyped>(std::get<Control>(*item)).line;
  }

  std::unique_ptr<Terminal> owned = std::make_unique<Terminal>();
  Terminal& terminal = *owned;
  Mailbox mailbox;
  TypedLines lines{std::move(owned), [this] { terminal.discard(); }};
  TypedPump pump{lines, mailbox};
};

protocol::TypedLine line(std::string question_id, std::optional<std::string> text) {
  return {.question_id = std::move(question_id), .text = std::move(text)};
}

TEST(TypedLines, AreReadOneAtATimeAndBelongToTheirQuestion) {
  Scene scene;
  scene.terminal.type("y\n");
  scene.terminal.type("n\n");
  EXPECT_EQ(scene.terminal.reads(), 0) << "nobody expects a line";
  scene.lines.expect("q1");
  EXPECT_EQ(scene.next(), line("q1", "y"));
  EXPECT_EQ(scene.terminal.reads(), 1);
  scene.lines.expect("q2");
  EXPECT_EQ(scene.next(), line("q2", "n"));
}

TEST(TypedLines, AreGoneWhenTheyWereTypedBeforeTheQuestion) {
  Scene scene;
  scene.terminal.type("y\n");
  scene.lines.discard();
  scene.lines.expect("q1");
  scene.terminal.wait_for_reads(1);
  scene.terminal.type("n\n");
  EXPECT_EQ(scene.next(), line("q1", "n"));
}

TEST(TypedLines, MayComeInPieces) {
  Scene scene;
  scene.terminal.type("ye");
  scene.terminal.type("s\nmore");
  scene.lines.expect("q1");
  EXPECT_EQ(scene.next(), line("q1", "yes"));
  scene.terminal.type("no\n");
  scene.lines.expect("q2");
  EXPECT_EQ(scene.next(), line("q2", "no")) << "nothing is left from the line before";
}

TEST(TypedLines, EndWithTheInputOrTheTerminal) {
  Scene scene;
  scene.terminal.type("");
  scene.lines.expect("q1");
  EXPECT_EQ(scene.next(), line("q1", std::nullopt));
  scene.terminal.type("half");
  scene.terminal.type("");
  scene.lines.expect("q2");
  EXPECT_EQ(scene.next(), line("q2", std::nullopt)) << "half a line says nothing";
  scene.terminal.type("broken");
  scene.lines.expect("q3");
  EXPECT_EQ(scene.next(), line("q3", std::nullopt));
}

TEST(TypedLines, AreNotReadAnyMoreForAWithdrawnQuestion) {
  Scene scene;
  scene.lines.stop();
  scene.lines.expect("q1");
  scene.terminal.wait_for_reads(1);
  scene.lines.stop();
  scene.terminal.type("y\n");
  scene.lines.discard();
  scene.lines.expect("q2");
  scene.terminal.wait_for_reads(2);
  scene.terminal.type("n\n");
  EXPECT_EQ(scene.next(), line("q2", "n"));
}

TEST(TypedLines, HaveABound) {
  Scene scene;
  for (int i = 0; i < 17; ++i) scene.terminal.type(std::string(4096, 'a'));
  scene.terminal.type("\n");
  scene.lines.expect("q1");
  EXPECT_EQ(scene.next(), line("q1", std::string(64U << 10U, 'a')));
}

TEST(TypedLines, DoNotKeepAProgramFromEnding) {
  Scene scene;
  scene.lines.expect("q1");
  scene.terminal.wait_for_reads(1);
}

}  // namespace
}  // namespace yume::runtime
