// SPDX-License-Identifier: MIT
// One record of a session that another program (or this one) kept, as a value: what readers of
// session files make, and what every target is written from. Tools have the names and arguments of
// the program that kept them; the targets translate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/media.h"
#include "util/json_io.h"

namespace yume::transcript {

enum class SessionSource { gemini_cli, claude, yume };

struct SaidText {
  std::string text;
};

struct SaidThought {
  std::string subject;  // empty: `text` is all there is
  std::string text;
};

struct CallResult {
  std::string text;
  std::vector<core::Media> media = {};
  bool is_error = false;
  bool is_unnamed = false;  // neither Gemini's `output` nor its `error` said it
  RawJson content = {};     // Claude's, as it was written; empty: there is only the text
  RawJson details = {};     // for people: a diff, a list of files; may be empty
};

struct SaidCall {
  std::string id;
  std::string name;
  RawJson input;       // an object
  std::string status;  // Gemini CLI's; empty: it does not say
  std::optional<CallResult> result = {};
};

// A result that stands apart from its call.
struct SaidResult {
  std::string call_id;
  CallResult result;
};

// A file that is only named.
struct SaidFile {
  std::string uri;
  std::string mime_type;
};

struct SaidCommand {
  std::string command;
  std::string message;
  std::string arguments;
};

using SaidBlock =
    std::variant<SaidText, SaidThought, SaidCall, SaidResult, core::Media, SaidFile, SaidCommand>;

// As Gemini counts: the cached part belongs to the input, thoughts are not part of the output.
struct TokenCounts {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cached = 0;
  std::int64_t cache_creation = 0;  // Claude's
  std::int64_t thoughts = 0;
  std::int64_t tool = 0;
  std::int64_t total = 0;
};

enum class RecordSpeaker { user, model, system };

struct SessionRecord {
  std::string id;
  std::string time;  // ISO; may be empty
  RecordSpeaker speaker = RecordSpeaker::user;
  std::vector<SaidBlock> blocks = {};
  std::string model = {};
  std::string message_id = {};  // of the reply that it is a part of; Claude's
  std::optional<TokenCounts> tokens = {};
  bool is_plain_text = false;  // the content was a string, not a list
  bool is_for_people = false;  // a note, or context that the program itself added
  RawJson original = {};       // the untouched record
};

// What a session file says about itself.
struct SessionFacts {
  SessionSource source = SessionSource::gemini_cli;
  std::string id;
  std::string project_hash = {};
  std::string cwd = {};  // empty: the file does not say
  std::string started = {};
  std::string updated = {};
  std::string summary = {};
  std::string kind = {};  // Gemini CLI's: "main", "subagent"
};

// Takes the records of one session, in order.
class RecordTarget {
 public:
  virtual ~RecordTarget() = default;
  virtual void begin(const SessionFacts& facts) = 0;
  virtual void record(SessionRecord record) = 0;
  virtual void end() = 0;
};

}  // namespace yume::transcript
