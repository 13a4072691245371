// SPDX-License-Identifier: MIT
// Which messages a session file of Gemini CLI comes to, and where in the file they stand: the one
// object of 2025, the log of lines since April 2026 ($set, $rewindTo, repeated ids, headers again),
// a list of messages, or a single one. One pass over the file; keeps some 30 bytes a message.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "transcript/convert/byte_source.h"
#include "transcript/convert/session_record.h"
#include "util/result.h"

namespace yume::transcript {

// Where a message stands.
struct MessagePlace {
  std::uint64_t offset = 0;
  std::uint64_t id_hash = 0;  // 0: it has no id
  std::uint32_t length = 0;
};

// Messages in their order, found by their ids.
class MessageList {
 public:
  // One whose id is known takes the place of the old one.
  void put(const MessagePlace& place);
  void append(const MessagePlace& place);
  // Drops that message and all behind it; all, when there is none of that id.
  void rewind(std::uint64_t id_hash);
  void clear();

  [[nodiscard]] const std::deque<MessagePlace>& places() const { return places_; }

 private:
  void index(std::uint32_t at);
  [[nodiscard]] std::uint32_t find(std::uint64_t id_hash) const;

  std::deque<MessagePlace> places_;
  std::vector<std::uint32_t> slots_;  // places + 1; 0: free; those of dropped messages stay
  std::size_t used_ = 0;
};

struct SessionLog {
  SessionFacts facts;
  MessageList messages;
  // What the last checkpoint threw away: it may have been made by mistake.
  MessageList erased;
  std::size_t skipped = 0;  // lines that cannot be read
  bool is_session = false;  // it is one, or messages of one
};

// Whether somebody really said something in the message at that place.
using IsReal = bool (*)(ByteSource& bytes, const MessagePlace& place);

// Error io only: whatever is in a file, reading it does not fail.
Result<SessionLog> read_session_log(ByteSource& bytes, IsReal is_real);

}  // namespace yume::transcript
