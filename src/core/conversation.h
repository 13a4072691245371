// SPDX-License-Identifier: MIT
// What was said before, in words that no wire owns: a session read from disk or a history brought
// from elsewhere, oldest first, ready to be asked on. Whoever makes one sees to it that every call
// has its result, right after the reply that made it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/message.h"
#include "core/todo.h"
#include "core/usage.h"
#include "util/json_io.h"

namespace yume::core {

// A user message, or a text that stood in for one.
struct PastPrompt {
  UserMessage message;
  std::size_t position = 0;   // of its record in the chain
  bool is_summary = false;    // stands for everything before it
  bool is_synthetic = false;  // ours, not the user's
  // Of one that was asked elsewhere; empty: now, and under a new id.
  std::string time = {};  // ISO
  std::string uuid = {};
};

struct PastCall {
  std::string id;  // how hosts know it
  std::string name;
  RawJson input;
  std::optional<std::string> provider_id = std::nullopt;
};

// One content of a reply as the model sent it, or of ours in its midst.
struct RawContent {
  bool from_model = true;
  std::vector<std::string> parts;  // JSON, verbatim
};

struct PastReply {
  std::string message_id;
  std::string text;  // all of it, without thoughts
  std::vector<PastCall> calls;
  std::vector<RawContent> raw = {};  // empty: not from this API, or cut off
  std::size_t position = 0;          // of its first record in the chain
  // Of one that was given elsewhere. Thoughts are for people: no model gets another's back.
  std::vector<std::string> thoughts = {};
  Usage usage = {};
  std::string time = {};  // ISO; empty: now
};

struct PastResult {
  std::string call_id;
  std::string text;
  std::vector<Media> media = {};
  bool is_error = false;
};

// The results of the reply before, in the order of its calls.
struct PastResults {
  std::vector<PastResult> results;
};

using PastEntry = std::variant<PastPrompt, PastReply, PastResults>;

// A command that runs while the conversation goes on; ends with the process.
struct RunningCommand {
  std::string id;
  std::string title;  // the beginning of it
  std::string output_file;
  friend bool operator==(const RunningCommand&, const RunningCommand&) = default;
};

// What tools knew at the end: survives the process.
struct WorkState {
  std::map<std::string, std::uint64_t> files;  // real path, hash of the content the model knows
  std::string shell_cwd;                       // empty: the working directory
  std::vector<Todo> todos = {};
  std::vector<RunningCommand> running = {};
};

struct Conversation {
  std::vector<PastEntry> entries;
  std::vector<std::string> chain = {};  // uuids of all records, oldest first
  std::string leaf_uuid;                // the last record: what is added follows it
  Usage last_request = {};              // the context's size when it was last measured
  std::string model;                    // that answered last
  bool interrupted = false;             // the last turn, by the user; the model was not told yet
  WorkState state = {};
  std::vector<std::string> call_ids = {};  // every id ever used, also of what was compacted away
  std::vector<std::string> open_calls =
      {};                   // whose results are made up, because a kill cut them off
  std::size_t skipped = 0;  // lines that could not be read
};

}  // namespace yume::core
