// SPDX-License-Identifier: MIT
// How the other threads reach the main thread: two lanes, control first. The data lane is bounded,
// so a host that reads slowly slows the model down instead of filling memory.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "core/event.h"
#include "platform/clock.h"
#include "platform/signals.h"
#include "protocol/inbound.h"

namespace yume::app {

struct StdinBegan {};  // the first byte of a text prompt
struct StdinClosed {};
struct ReaderLost {};  // nobody reads stdout any more
struct SignalReceived {
  platform::Signal signal;
};
// The whole of a text prompt read from stdin.
struct PromptFromStdin {
  std::string text;
};
// The thread of a turn is about to end; nothing of it follows.
struct TurnThreadDone {};

using Control = std::variant<protocol::Inbound, StdinBegan, PromptFromStdin, StdinClosed,
                             ReaderLost, SignalReceived>;
using Data = std::variant<core::Event, TurnThreadDone>;
using Letter = std::variant<Control, Data>;

class Mailbox final : public core::EventSink {
 public:
  // Any thread. Never blocks.
  void post_control(Control control);

  // Turn thread. Blocks while the lane is full; false after close().
  bool post(core::Event event) override;
  bool flush() override;
  void post_done();

  // Main thread. nullopt when `until` has passed first. Taking the next letter says that all
  // before it have been dealt with, which is what flush() waits for.
  std::optional<Letter> take(std::optional<platform::SteadyTime> until);
  // Nobody reads data any more: posts return false at once.
  void close();

 private:
  bool push(Data data, std::size_t weight);

  std::mutex mutex_;
  std::condition_variable to_main_;
  std::condition_variable to_turn_;
  std::deque<Control> control_;
  std::deque<Data> data_;
  std::size_t queued_bytes_ = 0;
  std::uint64_t posted_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t written_ = 0;
  bool main_waits_ = false;
  bool turn_waits_ = false;
  bool closed_ = false;
};

}  // namespace yume::app
