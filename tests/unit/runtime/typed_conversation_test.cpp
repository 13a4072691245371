// SPDX-License-Identifier: MIT
#include "runtime/typed_conversation.h"
#include "util/thread.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace yume::runtime {
namespace {

using Kind = protocol::TypedPrompt::Kind;

// Brings one text after the other, and then nothing.
class Keys final : public platform::InputStream {
 public:
  explicit Keys(std::vector<std::string> texts) : texts_(std::move(texts)) {}

  Result<std::size_t> read(std::span<char> buffer, const CancelToken& cancel) override {
    std::unique_lock lock(mutex_);
    if (next_ == texts_.size()) {
      never_.wait(lock, cancel, [] { return false; });
      return Error{.code = ErrorCode::cancelled, .message = "cancelled"};
    }
    const std::string& text = texts_[next_++];
    std::memcpy(buffer.data(), text.data(), text.size());
    return text.size();
  }

 private:
  std::mutex mutex_;
  Condition never_;
  std::vector<std::string> texts_;
  std::size_t next_ = 0;
};

// Is interrupted in the middle of a line.
class InterruptedEditor final : public platform::LineEditor {
 public:
  explicit InterruptedEditor(Typed typed) : typed_(std::move(typed)) {}

  Typed read(std::string_view /*prompt*/, std::string_view /*begun*/,
             const CancelToken& cancel) override {
    std::unique_lock lock(mutex_);
    reads_ = true;
    changed_.notify_all();
    changed_.wait(lock, cancel, [] { return false; });
    return typed_;
  }
  void remember(std::string_view /*line*/) override {}
  void wait_for_read() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return reads_; });
  }

 private:
  std::mutex mutex_;
  Condition changed_;
  Typed typed_;
  bool reads_ = false;
};

// The lines that are sent when an editor is interrupted like this, and these keys come while a turn
// runs.
std::vector<std::string> sent(platform::LineEditor::Typed typed, std::vector<std::string> keys,
                              std::size_t lines) {
  typed.end = platform::LineEditor::End::cancelled;
  auto editor = std::make_unique<InterruptedEditor>(std::move(typed));
  InterruptedEditor& edits = *editor;
  Mailbox mailbox;
  TypedConversation conversation({.input = std::make_unique<Keys>(std::move(keys)),
                                  .editor = std::move(editor),
                                  .discard = [] {}});
  conversation.start(mailbox);
  conversation.want_prompt();
  edits.wait_for_read();
  conversation.listen();
  std::vector<std::string> found;
  while (found.size() < lines) {
    const auto item = mailbox.take(std::nullopt);
    const auto& prompt = std::get<PromptTyped>(std::get<Control>(*item)).prompt;
    if (prompt.kind == Kind::line) found.push_back(prompt.text);
  }
  conversation.end();
  return found;
}

using Lines = std::vector<std::string>;

TEST(TypedConversation, KeepsAPasteWholeWhenATurnBeginsInTheMiddleOfIt) {
  EXPECT_EQ(
      sent({.text = "look: ", .unread = "\x1b[200~one\rt"}, {"wo\rthr", "ee\x1b[201~ thanks\n"}, 1),
      Lines{"look: one\ntwo\nthree thanks"});
}

TEST(TypedConversation, SendsWhatWasTypedAheadOfATurn) {
  EXPECT_EQ(sent({.text = "o", .unread = "ne\ntwo\nthr"}, {"ee\n"}, 3),
            (Lines{"one", "two", "three"}));
}

}  // namespace
}  // namespace yume::runtime
