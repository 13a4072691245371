// SPDX-License-Identifier: MIT
#include "app/stdin_use.h"

#include "platform/stdio.h"
#include "util/cancel.h"
#include "util/thread.h"

#include <array>
#include <condition_variable>
#include <mutex>
#include <system_error>

namespace yume::app {
namespace {

// Yume leaves stdin as it was, which may be a pipe that nobody ever writes to or closes.
constexpr std::chrono::milliseconds k_stdin_patience{3'000};
// With a prompt on its command line it writes nothing, and a turn must not wait for that.
constexpr std::chrono::milliseconds k_stdin_patience_with_prompt{250};

// As long as the official CLI waits.
constexpr std::chrono::milliseconds k_stdin_patience_gemini{500};

// As long as Claude Code itself takes to begin.
constexpr std::chrono::milliseconds k_first_lines{1'000};

}  // namespace

StdinText stdin_text(const Options& options) {
  if (options.input_format == InputFormat::stream_json) return StdinText::not_read;
  if (options.reconnects || options.converses) return StdinText::not_read;
  if (!options.prompt) return StdinText::is_the_prompt;
  switch (platform::standard_input_kind()) {
    case platform::InputKind::terminal:
    case platform::InputKind::nothing:
      return StdinText::not_read;
    case platform::InputKind::file:
    case platform::InputKind::stream:
      break;
  }
  return StdinText::adds_to_the_prompt;
}

// Nothing: a person waits at a terminal, and ends a pipeline that hangs by Ctrl-C. Hosts may leave
// a pipe open that nobody ever writes to.
std::optional<std::chrono::milliseconds> stdin_patience(const Options& options, StdinText text) {
  if (text == StdinText::not_read) return std::nullopt;
  const bool adds = text == StdinText::adds_to_the_prompt;
  if (options.face == Face::gemini) return adds ? k_stdin_patience_gemini : k_stdin_patience;
  if (options.has_provider) return adds ? k_stdin_patience_with_prompt : k_stdin_patience;
  const bool person = platform::is_terminal(platform::StandardStream::output) ||
                      platform::is_terminal(platform::StandardStream::error);
  return adds && !person ? std::optional(k_stdin_patience) : std::nullopt;
}

void take_first_lines() try {
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  const Thread reader([&](const CancelToken& cancel) {
    const auto in = platform::stdin_stream();
    std::array<char, 65'536> forgotten{};
    Result<std::size_t> taken = 1;
    while (taken.ok() && *taken > 0) taken = in->read(forgotten, cancel);
    const std::lock_guard lock(mutex);
    ended = true;
    changed.notify_all();
  });
  std::unique_lock lock(mutex);
  changed.wait_for(lock, k_first_lines, [&ended] { return ended; });
} catch (const std::system_error&) {
  return;  // no thread can be had, and what there was to say is said
}

}  // namespace yume::app
