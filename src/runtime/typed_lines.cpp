// SPDX-License-Identifier: MIT
#include "runtime/typed_lines.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

namespace yume::runtime {
namespace {

// Terminals end a line long before that, unless a program has set them otherwise.
constexpr std::size_t k_longest_line = 64U << 10U;

}  // namespace

TypedLines::TypedLines(std::unique_ptr<platform::InputStream> input, std::function<void()> discard)
    : input_(std::move(input)), discard_(std::move(discard)) {}

void TypedLines::expect(std::string_view question_id) {
  const std::lock_guard lock(mutex_);
  expected_ = question_id;
  changed_.notify_all();
}

// The reading ends at its wake-up. It must have ended before anything is discarded: a read that has
// been promised bytes which are then thrown away would block.
void TypedLines::stop() {
  std::unique_lock lock(mutex_);
  expected_.reset();
  if (reading_) reading_->request_stop();
  changed_.wait(lock, [this] { return !reading_; });
}

void TypedLines::read_into(Mailbox& mailbox, const CancelToken& cancel) {
  for (;;) {
    std::string question_id;
    CancelSource stopped;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, cancel, [this] { return expected_.has_value(); })) return;
      question_id = *std::exchange(expected_, std::nullopt);
      reading_ = stopped;
    }
    std::optional<protocol::TypedLine> line;
    {
      const OnCancel at_end(cancel, [&stopped] { stopped.request_stop(); });
      line = read_line(std::move(question_id), stopped.get_token());
    }
    {
      const std::lock_guard lock(mutex_);
      reading_.reset();
      changed_.notify_all();
    }
    if (line) mailbox.post_control(LineTyped{*std::move(line)});
  }
}

std::optional<protocol::TypedLine> TypedLines::read_line(std::string question_id,
                                                         const CancelToken& cancel) {
  protocol::TypedLine line{.question_id = std::move(question_id), .text = std::nullopt};
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto count = input_->read(buffer, cancel);
    if (!count.ok() && count.error().code == ErrorCode::cancelled) return std::nullopt;
    // From a terminal that is gone no more will come than from a person who has typed Ctrl-D.
    if (!count.ok() || *count == 0) return line;
    const std::string_view bytes(buffer.data(), *count);
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    text.append(piece.substr(0, k_longest_line - std::min(text.size(), k_longest_line)));
    if (end == std::string_view::npos) continue;
    line.text = std::move(text);
    return line;
  }
}

TypedPump::TypedPump(TypedLines& lines, Mailbox& mailbox)
    : thread_([&lines, &mailbox](const CancelToken& cancel) {
        try {
          lines.read_into(mailbox, cancel);
        } catch (const std::bad_alloc&) {
          mailbox.post_control(OutOfMemory{});
        }
      }) {}

}  // namespace yume::runtime
