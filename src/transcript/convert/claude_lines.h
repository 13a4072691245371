// SPDX-License-Identifier: MIT
// Reads the transcript of Claude Code, or of this program, for conversion: its lines in their
// order, also those that compaction left out, without those that were taken back or belong to a
// subagent. Memory is bounded by the number of lines and by the longest of them.
#pragma once

#include <optional>

#include "transcript/convert/byte_source.h"
#include "transcript/convert/session_record.h"
#include "transcript/gemini_cli/session_reader.h"
#include "util/result.h"

namespace yume::transcript {

// `source`: whose it is; nullopt: this program's when it has lines of our own kinds, else Claude's.
// Error protocol when no line is one of a transcript; the target has seen
// nothing then.
Result<ReadSession> read_claude_session(ByteSource& bytes, std::optional<SessionSource> source,
                                        RecordTarget& target);

}  // namespace yume::transcript
