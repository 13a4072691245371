// SPDX-License-Identifier: MIT
// One message of a Gemini CLI session, of any of its versions, as a record. Total: what is missing
// or of another type reads as empty.
#pragma once

#include <optional>
#include <string>

#include "transcript/convert/session_record.h"
#include "transcript/gemini_cli/session_log.h"

namespace yume::transcript {

// nullopt when it is no JSON object. `json` becomes the record's `original`.
std::optional<SessionRecord> read_gemini_message(std::string json);

// The bytes at a place of the file; empty when they are not there any more.
std::string bytes_at(ByteSource& bytes, const MessagePlace& place);

// A reply, or a prompt with something in it besides the context that the program adds.
bool is_real_message(ByteSource& bytes, const MessagePlace& place);

}  // namespace yume::transcript
