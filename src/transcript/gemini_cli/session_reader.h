// SPDX-License-Identifier: MIT
// The one reader of Gemini CLI's session files, of every version: gives a target the conversation
// that a file comes to, message by message, with every result at its call. Memory is bounded by the
// number of messages and by the longest of them.
#pragma once

#include <cstddef>

#include "transcript/convert/byte_source.h"
#include "transcript/convert/session_record.h"
#include "util/result.h"

namespace yume::transcript {

struct ReadSession {
  std::size_t records = 0;
  std::size_t skipped = 0;  // lines and messages that cannot be read
};

// Error protocol when the bytes are no session of Gemini CLI; the target has seen nothing then.
Result<ReadSession> read_gemini_session(ByteSource& bytes, RecordTarget& target);

}  // namespace yume::transcript
