// SPDX-License-Identifier: MIT
// One line of a session file, ours or Claude Code's, as a value. Reading is total: a line that
// cannot be read is a value too. Private to src/transcript.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/conversation.h"

namespace yume::transcript {

// A record has its place in the conversation by its parent.
struct Record {
  enum class Kind { prompt, reply, boundary, other };
  Kind kind = Kind::other;
  std::string uuid;
  std::optional<std::string> parent;  // empty: the first; absent: the line does not say
  bool is_hidden = false;             // shown to people, never sent
  bool is_summary = false;
  bool is_synthetic = false;

  core::UserMessage prompt;               // texts and media of a user's line
  std::vector<core::PastResult> results;  // of a user's line

  std::string message_id;
  std::string model;
  std::string text;  // of a reply's line
  std::vector<core::PastCall> calls;
  core::Usage usage;

  std::string anchor;             // of a boundary: what it keeps follows this
  std::vector<std::string> kept;  // all of them, or the first and the last
  bool kept_is_range = false;
};

// What belongs to a reply by its id.
struct ContentNote {
  std::string message_id;
  core::RawContent content;
  std::vector<core::PastCall> calls;
};
struct RewindNote {
  std::string leaf;
};
// Results of calls as a whole, or the media of all records behind one.
struct WithheldNote {
  std::vector<std::string> call_ids;
  bool media = false;
  std::string after;    // of media; empty: all
  std::string instead;  // of media: why
};
struct StateNote {
  core::WorkState state;
};
struct ForeignLine {};  // of a kind that says nothing here
struct BadLine {};

using TranscriptLine =
    std::variant<Record, ContentNote, RewindNote, WithheldNote, StateNote, ForeignLine, BadLine>;

class LineReader {
 public:
  LineReader();
  ~LineReader();
  // `room` bytes after the line's first may be read, though not used: at least 64 more than the
  // line has.
  TranscriptLine read(const char* line, std::size_t length, std::size_t room);

 private:
  struct Parsers;
  std::unique_ptr<Parsers> parsers_;
};

}  // namespace yume::transcript
