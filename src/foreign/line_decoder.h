// SPDX-License-Identifier: MIT
// The lines of another agent as our events, so that every dialect can write them. Pure: no I/O, no
// clock; whoever reads the lines feeds them in order, on one thread.
//
// Events come in the order in which our own loop posts them: MessageStarted, deltas, MessageDone,
// then the calls of that message, each ToolCallReady with exactly one ToolFinished, and one
// TurnDone at the end of each turn. What only the host's side knows is left to it: no BlockDone
// (session::Recorder, or who stands in for it, decides where a line ends), no duration, no cost.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/event.h"

namespace yume::foreign {

using Emit = std::function<void(core::Event)>;

// In whose words calls are: ours ("Read"), or those of whoever wrote the lines ("read_file").
enum class CallWords { ours, as_given };

struct DecoderOptions {
  CallWords words = CallWords::ours;
  // Of a message that has no id of its own; empty: "msg_1", "msg_2" and so on.
  std::function<std::string()> make_message_id = {};
  // How much of a turn's last text its end repeats, where it is not said by a line. The rest of a
  // longer one is left out, so that memory does not grow with it.
  std::size_t longest_result = static_cast<std::size_t>(-1);
};

// A line that could not be read, and was passed over.
struct BadLine {
  std::string beginning;  // its first 50 characters
  std::size_t bytes = 0;  // of the whole line

  friend bool operator==(const BadLine&, const BadLine&) = default;
};
BadLine bad_line(std::string_view line);
// For people.
std::string text_of(const BadLine& line);

// How the lines ended, for a turn that they leave open.
struct StreamEnd {
  core::TurnOutcome outcome = core::TurnOutcome::failed;  // never success
  std::string why = "the output ended without a result";
  core::FailureKind failure = core::FailureKind::unknown;
};
// How a turn ends whose stream ended before it.
core::TurnDone cut_off_turn(const StreamEnd& end);

class LineDecoder {
 public:
  virtual ~LineDecoder() = default;

  // One line without its end; an empty one is nothing. Kinds that are not known are passed over.
  virtual std::optional<BadLine> feed(std::string_view line, const Emit& emit) = 0;
  // No more lines come. A turn that is open ends as `end` says, and so does a stream in which no
  // turn ever ended: open calls get results, the message its end, and there is one TurnDone. After
  // a turn that has ended, nothing.
  virtual void finish(const StreamEnd& end, const Emit& emit) = 0;

  // Whose the events of the last line are: the call that a subagent works for; empty: the
  // session's own.
  [[nodiscard]] virtual std::string_view parent_call_id() const { return {}; }
};

}  // namespace yume::foreign
