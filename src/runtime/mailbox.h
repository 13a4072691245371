// SPDX-License-Identifier: MIT
// How the other threads reach the main thread: two lanes, control first. The data lane is bounded,
// so a host that reads slowly slows the sessions down instead of filling memory. What waits in the
// control lane is bounded by those who post there (util/byte_budget.h).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "core/envelope.h"
#include "core/host_question.h"
#include "platform/clock.h"
#include "platform/signals.h"
#include "protocol/conversation_input.h"
#include "protocol/host.h"
#include "runtime/hosting.h"
#include "util/byte_budget.h"
#include "util/cancel.h"
#include "util/thread.h"

namespace yume::runtime {

struct StdinBegan {};  // the first byte of a text prompt
struct StdinClosed {};
struct ReaderLost {};   // nobody reads stdout any more
struct OutOfMemory {};  // for what was being read
struct SignalReceived {
  platform::Signal signal;
};
// The whole of a text prompt read from stdin.
struct TextFromStdin {
  std::string text;
};
// It is longer than what is read; `why` is for the host.
struct TextRefused {
  std::string why;
};
struct FromHost {
  protocol::HostMessage message;
  ByteBudget::Share share = {};  // of what may wait for its turn
};
// A person has typed a line, or the end of input.
struct LineTyped {
  protocol::TypedLine line;
};
// A person has typed a prompt, or some of it.
struct PromptTyped {
  protocol::TypedPrompt prompt;
};
// A message among others was not taken; `why` is for the host.
struct MessageRefused {
  std::string why;
};

// A command whose outcome took a while is to be answered.
struct ReplyReady {
  std::string reply_to;
  protocol::CommandResult result;
};

// What became of the wish for a session.
struct SessionOpened {
  std::string reply_to;
  Result<Opening> opening;
};
// Nothing of it is left, and all that it said came before this.
struct SessionClosed {
  std::string session_id;
  std::string reply_to;
};

using Control = std::variant<FromHost, ReplyReady, SessionOpened, SessionClosed, LineTyped,
                             PromptTyped, MessageRefused, StdinBegan, TextFromStdin, TextRefused,
                             StdinClosed, ReaderLost, OutOfMemory, SignalReceived>;

struct QuestionAsked {
  std::string request_id;
  core::Address from;
  core::HostQuestion question;
};
struct QuestionWithdrawn {
  std::string request_id;
};
// A session has dealt with this many prompts and has nothing to do: what it posted for them came
// before this.
struct SessionIdle {
  std::string session_id;
  std::uint64_t prompts = 0;
};

using Data = std::variant<core::Envelope, QuestionAsked, QuestionWithdrawn, SessionIdle>;
using Item = std::variant<Control, Data>;

class Mailbox {
 public:
  // Any thread. Never blocks.
  void post_control(Control control);

  // Any thread but the main one. Blocks while the lane is full; false after close().
  bool post(Data data);
  // Never blocks, and is taken after close(), too: the main thread waits for it.
  void post_idle(SessionIdle idle);
  // Returns true once all that was posted before has been dealt with; false after close() or when
  // the token fires.
  bool flush(const CancelToken& cancel);

  // Main thread. nullopt when `until` has passed first. Taking the next item means that all before
  // it have been dealt with, which is what flush() waits for.
  std::optional<Item> take(std::optional<platform::SteadyTime> until);
  // Nobody reads data any more: posts return false at once.
  void close();

 private:
  [[nodiscard]] bool has_room() const;

  std::mutex mutex_;
  std::condition_variable to_main_;
  // Posters that wait for room and flushes that wait for the main thread: all of them are woken,
  // and each looks for itself whether it was meant.
  Condition to_others_;
  std::size_t others_wait_ = 0;
  std::deque<Control> control_;
  std::deque<Data> data_;
  std::size_t queued_bytes_ = 0;
  std::uint64_t posted_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t written_ = 0;
  bool main_waits_ = false;
  bool closed_ = false;
};

}  // namespace yume::runtime
