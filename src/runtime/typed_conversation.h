// SPDX-License-Identifier: MIT
// The keyboard of a conversation. At any time it is read in one way or in none: a line that is
// edited, the answer to a question, or what is typed while a turn runs. One thread reads; the main
// thread says how.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "platform/line_editor.h"
#include "platform/stdio.h"
#include "protocol/conversation_input.h"
#include "runtime/mailbox.h"
#include "runtime/typed_keys.h"
#include "runtime/typed_lines.h"
#include "util/cancel.h"
#include "util/thread.h"

namespace yume::runtime {

struct TypedConversationParts {
  std::unique_ptr<platform::InputStream> input;
  std::unique_ptr<platform::LineEditor> editor;  // null: lines come as the terminal has them
  std::function<void()> discard;                 // throws away what the terminal holds
  std::string prompt = "> ";
  // A prompt was sent, for who keeps them.
  std::function<void(const std::string&)> remember = [](const std::string&) {};
};

class TypedConversation final : public protocol::ConversationInput {
 public:
  explicit TypedConversation(TypedConversationParts parts) : parts_(std::move(parts)) {}
  TypedConversation(const TypedConversation&) = delete;
  TypedConversation& operator=(const TypedConversation&) = delete;

  // Before anything is read, and when nothing more will be.
  void start(Mailbox& mailbox);
  void end();

  void discard() override;
  void expect(std::string_view question_id) override;
  void stop() override { read_as(Way::not_at_all); }
  void want_prompt() override { read_as(Way::edited); }
  void listen() override { read_as(Way::listening); }
  [[nodiscard]] bool shows_prompt() const override { return parts_.editor != nullptr; }
  bool forget() override;

 private:
  enum class Way { not_at_all, edited, answer, listening };

  void read_as(Way way, std::string question_id = "");
  void run(const CancelToken& cancel);
  void read(Way way, const std::string& question_id, const CancelToken& cancel);
  void edit(const CancelToken& cancel);
  void collect(const CancelToken& cancel);
  // Typed while nothing edits it.
  void take(std::string_view bytes);
  void answer(const std::string& question_id, const CancelToken& cancel);
  std::optional<std::string> read_line(const CancelToken& cancel, bool& cancelled);
  void post(protocol::TypedPrompt::Kind kind, std::string text = "");

  TypedConversationParts parts_;
  Mailbox* mailbox_ = nullptr;
  std::mutex mutex_;
  Condition changed_;
  Way wanted_ = Way::not_at_all;
  std::string question_id_;
  std::optional<CancelSource> reading_;
  TypedKeys keys_;     // the thread's own
  std::string begun_;  // typed, and not sent; the thread's own while it reads
  Thread thread_;
};

}  // namespace yume::runtime
