// SPDX-License-Identifier: MIT
#include "runtime/stdin_pump.h"

#include "protocol/line_outline.h"
#include "util/byte_size.h"

#include <array>
#include <new>
#include <string>

namespace yume::runtime {
namespace {

std::string too_long(std::size_t limit) {
  return "Error: the text on stdin has more than " + byte_size_text(limit) +
         ", and no more is read. Send less, name the file in the prompt instead, or raise the "
         "limit "
         "with --max-message-size or maxMessageSize in settings.json.";
}

std::string too_many(std::size_t bytes) {
  return "Error: a message of " + byte_size_text(bytes) +
         " was not taken, because too many others wait for their turn. Send it again when there "
         "is a result.";
}

}  // namespace

StdinPump::StdinPump(platform::InputStream& input, StdinContent content,
                     std::size_t max_message_bytes, const protocol::Host& host, Mailbox& mailbox,
                     ByteBudget& waiting)
    : input_(input),
      max_message_bytes_(max_message_bytes),
      host_(host),
      mailbox_(mailbox),
      waiting_(waiting),
      thread_([this, content](const CancelToken& cancel) {
        try {
          if (content == StdinContent::text_prompt) {
            read_text(cancel);
          } else {
            read_lines(cancel);
          }
        } catch (const std::bad_alloc&) {
          mailbox_.post_control(OutOfMemory{});  // what was read so far is gone, so there is room
        }
        mailbox_.post_control(StdinClosed{});
      }) {}

StdinPump::~StdinPump() = default;

void StdinPump::read_text(const CancelToken& cancel) {
  std::string text;
  std::array<char, 64U << 10U> buffer{};
  for (;;) {
    const auto count = input_.read(buffer, cancel);
    if (!count.ok() || *count == 0) break;
    if (text.empty()) mailbox_.post_control(StdinBegan{});
    // At once: what is too long may have no end.
    if (text.size() + *count > max_message_bytes_) {
      mailbox_.post_control(TextRefused{too_long(max_message_bytes_)});
      return;
    }
    text.append(buffer.data(), *count);
  }
  if (cancel.stop_requested()) return;
  mailbox_.post_control(TextFromStdin{std::move(text)});
}

void StdinPump::read_lines(const CancelToken& cancel) {
  LineFramer framer(
      {.max_line_bytes = max_message_bytes_, .outline = protocol::k_line_outline},
      [this](std::string_view line) { take(host_.parse(line), line.size()); },
      [this](const LongLine& line) {
        mailbox_.post_control(FromHost{host_.refuse(line, max_message_bytes_)});
      });
  std::array<char, 64U << 10U> buffer{};
  for (;;) {
    const auto count = input_.read(buffer, cancel);
    if (!count.ok() || *count == 0) break;
    framer.feed({buffer.data(), *count});
  }
  if (!cancel.stop_requested()) framer.finish();
}

// Whatever waits, an interrupt behind it must be seen.
void StdinPump::take(protocol::HostMessage message, std::size_t bytes) {
  const auto* command = std::get_if<core::Command>(&message.content);
  const bool is_prompt = command != nullptr && std::holds_alternative<core::Prompt>(*command);
  if (!is_prompt) {
    mailbox_.post_control(FromHost{std::move(message)});
  } else if (auto share = waiting_.take(bytes)) {
    mailbox_.post_control(FromHost{std::move(message), *std::move(share)});
  } else if (!message.reply_to.empty()) {
    message.content = core::Refused{.why = too_many(bytes), .code = "busy"};
    mailbox_.post_control(FromHost{std::move(message)});
  } else {
    mailbox_.post_control(MessageRefused{too_many(bytes)});
  }
}

}  // namespace yume::runtime
