// SPDX-License-Identifier: MIT
#include "app/stdin_pump.h"

#include "protocol/line_framer.h"

#include <array>
#include <string>

namespace yume::app {
namespace {

constexpr std::size_t k_max_line = 16U << 20U;
constexpr std::size_t k_max_prompt = 16U << 20U;

}  // namespace

StdinPump::StdinPump(platform::InputStream& input, StdinContent content, Mailbox& mailbox)
    : input_(input), mailbox_(mailbox), thread_([this, content](const CancelToken& cancel) {
        if (content == StdinContent::text_prompt) {
          read_text(cancel);
        } else {
          read_lines(cancel);
        }
        mailbox_.post_control(StdinClosed{});
      }) {}

StdinPump::~StdinPump() = default;

void StdinPump::read_text(const CancelToken& cancel) {
  std::string text;
  std::array<char, 64U << 10U> buffer{};
  while (text.size() < k_max_prompt) {
    const auto count = input_.read(buffer, cancel);
    if (!count.ok() || *count == 0) break;
    if (text.empty()) mailbox_.post_control(StdinBegan{});
    text.append(buffer.data(), *count);
  }
  if (cancel.stop_requested()) return;
  mailbox_.post_control(PromptFromStdin{std::move(text)});
}

void StdinPump::read_lines(const CancelToken& cancel) {
  protocol::LineFramer framer(
      k_max_line,
      [this](std::string_view line) { mailbox_.post_control(protocol::parse_inbound(line)); },
      [this] {
        mailbox_.post_control(
            protocol::Inbound(protocol::BadLine{"Error: a line on stdin is longer than 16 MiB"}));
      });
  std::array<char, 64U << 10U> buffer{};
  for (;;) {
    const auto count = input_.read(buffer, cancel);
    if (!count.ok() || *count == 0) break;
    framer.feed({buffer.data(), *count});
  }
  if (!cancel.stop_requested()) framer.finish();
}

}  // namespace yume::app
