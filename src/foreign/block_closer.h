// SPDX-License-Identifier: MIT
// Says where a text or a thought is complete, in a stream of events that nobody records: what
// session::Recorder does for our own. One for each session or subagent. Pure.
#pragma once

#include <cstddef>

#include "core/event.h"
#include "foreign/line_decoder.h"

namespace yume::foreign {

class BlockCloser {
 public:
  // Emits the event, and before it or behind it the BlockDone that belongs there.
  void pass(core::Event event, const Emit& emit);

 private:
  enum class Block { none, text, thought };

  void close(const Emit& emit);

  Block open_ = Block::none;
  std::size_t quoted_ = 0;  // bytes that the open block has, escaped
};

}  // namespace yume::foreign
