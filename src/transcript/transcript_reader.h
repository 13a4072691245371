// SPDX-License-Identifier: MIT
// From the bytes of a session file to the conversation it holds: follows the chain of records from
// the last one back, leaves out what was taken back or compacted, pairs every call with its result.
// What cannot be read is passed over and counted; nothing in a file makes reading it fail. Pure.
#pragma once

#include <optional>
#include <string>

#include "core/conversation.h"
#include "util/result.h"

namespace yume::transcript {

struct ReadRequest {
  std::string bytes;  // of the whole file; consumed
  // Only up to this record. Error not_found when no reply or prompt of the conversation has it.
  std::optional<std::string> up_to = std::nullopt;
};

Result<core::Conversation> read_transcript(ReadRequest request);

}  // namespace yume::transcript
