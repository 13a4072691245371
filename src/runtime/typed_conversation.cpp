// SPDX-License-Identifier: MIT
#include "runtime/typed_conversation.h"

#include "platform/raw_typing.h"
#include "runtime/typed_keys.h"
#include "util/utf8.h"

#include <array>
#include <new>
#include <utility>

namespace yume::runtime {
namespace {

using Kind = protocol::TypedPrompt::Kind;

constexpr std::size_t k_longest = 1U << 20U;

// Of what is typed only the end has room on the screen.
constexpr std::size_t k_shown = 4096;

}  // namespace

void TypedConversation::end() {
  stop();
  thread_ = Thread();
}

void TypedConversation::start(Mailbox& mailbox) {
  mailbox_ = &mailbox;
  thread_ = Thread([this](const CancelToken& cancel) {
    try {
      run(cancel);
    } catch (const std::bad_alloc&) {
      mailbox_->post_control(OutOfMemory{});
    }
  });
}

void TypedConversation::discard() {
  stop();
  parts_.discard();
}

void TypedConversation::expect(std::string_view question_id) {
  read_as(Way::answer, std::string(question_id));
}

bool TypedConversation::forget() {
  stop();
  return !std::exchange(begun_, {}).empty();
}

// What is being read in another way ends first: two readers would share the keys.
void TypedConversation::read_as(Way way, std::string question_id) {
  std::unique_lock lock(mutex_);
  wanted_ = Way::not_at_all;
  if (reading_) reading_->request_stop();
  changed_.wait(lock, [this] { return !reading_; });
  wanted_ = way;
  question_id_ = std::move(question_id);
  changed_.notify_all();
}

void TypedConversation::run(const CancelToken& cancel) {
  for (;;) {
    Way way = Way::not_at_all;
    std::string question_id;
    CancelSource stopped;
    {
      std::unique_lock lock(mutex_);
      const bool wanted =
          changed_.wait(lock, cancel, [this] { return wanted_ != Way::not_at_all; });
      if (!wanted) return;
      way = std::exchange(wanted_, Way::not_at_all);
      question_id = std::exchange(question_id_, {});
      reading_ = stopped;
    }
    {
      const OnCancel at_end(cancel, [&stopped] { stopped.request_stop(); });
      read(way, question_id, stopped.get_token());
    }
    const std::lock_guard lock(mutex_);
    reading_.reset();
    changed_.notify_all();
  }
}

void TypedConversation::read(Way way, const std::string& question_id, const CancelToken& cancel) {
  switch (way) {
    case Way::not_at_all:
      return;
    case Way::edited:
      return edit(cancel);
    case Way::answer:
      return answer(question_id, cancel);
    case Way::listening:
      return collect(cancel);
  }
}

void TypedConversation::post(Kind kind, std::string text) {
  mailbox_->post_control(PromptTyped{{.kind = kind, .text = std::move(text)}});
}

void TypedConversation::edit(const CancelToken& cancel) {
  if (!parts_.editor) {
    bool cancelled = false;
    const auto line = read_line(cancel, cancelled);
    if (cancelled) return;
    if (!line) return post(Kind::end_of_input);
    return post(Kind::line, *line);
  }
  platform::LineEditor::Typed typed =
      parts_.editor->read(parts_.prompt, begun_ + keys_.take_unfinished(), cancel);
  switch (typed.end) {
    case platform::LineEditor::End::cancelled:
      begun_ = std::move(typed.text);
      return take(typed.unread);
    case platform::LineEditor::End::end_of_input:
      begun_.clear();
      return post(Kind::end_of_input);
    case platform::LineEditor::End::line:
      begun_.clear();
      parts_.editor->remember(typed.text);
      if (!typed.text.empty()) parts_.remember(typed.text);
      return post(Kind::line, std::move(typed.text));
  }
}

void TypedConversation::take(std::string_view bytes) {
  for (std::string& line : keys_.take(bytes, begun_)) {
    if (parts_.editor) parts_.editor->remember(line);
    if (!line.empty()) parts_.remember(line);
    post(Kind::line, std::move(line));
  }
}

void TypedConversation::collect(const CancelToken& cancel) {
  const auto raw = platform::begin_raw_typing(parts_.editor ? platform::Pastes::marked
                                                            : platform::Pastes::as_typed);
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto count = parts_.input->read(buffer, cancel);
    if (!count.ok() && count.error().code == ErrorCode::cancelled) return;
    if (!count.ok() || *count == 0) return post(Kind::end_of_input);
    take(std::string_view(buffer.data(), *count));
    post(Kind::growing, std::string(utf8_suffix(begun_, k_shown)));
  }
}

void TypedConversation::answer(const std::string& question_id, const CancelToken& cancel) {
  bool cancelled = false;
  auto line = read_line(cancel, cancelled);
  if (cancelled) return;
  mailbox_->post_control(LineTyped{{.question_id = question_id, .text = std::move(line)}});
}

// nullopt: cancelled, or the end of input.
std::optional<std::string> TypedConversation::read_line(const CancelToken& cancel,
                                                        bool& cancelled) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto count = parts_.input->read(buffer, cancel);
    cancelled = !count.ok() && count.error().code == ErrorCode::cancelled;
    if (!count.ok() || *count == 0) return std::nullopt;
    const std::string_view bytes(buffer.data(), *count);
    const std::size_t end = bytes.find('\n');
    if (text.size() < k_longest) text.append(bytes.substr(0, end));
    if (end != std::string_view::npos) return text;
  }
}

}  // namespace yume::runtime
