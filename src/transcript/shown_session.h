// SPDX-License-Identifier: MIT
// A session file as people read it: who said what, in the order it happened, also what compaction
// has since left out; without what was taken back. Takes Claude Code's files as well. Pure, and
// total: what cannot be read is passed over and counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/media.h"
#include "core/tool_call.h"
#include "core/usage.h"
#include "util/json_io.h"

namespace yume::transcript {

struct ShownResult {
  std::string text;
  std::vector<core::Media> media = {};
  bool is_error = false;
  core::Patch patch = {};  // of a file that the call changed
};

struct ShownItem {
  enum class Kind { prompt, text, thought, call, failure, interruption, compaction };
  Kind kind = Kind::prompt;
  std::string time = {};  // as written; may be empty
  std::string text = {};  // of a compaction: the summary, if there is one
  std::vector<core::Media> media = {};
  std::string message_id = {};  // of the reply it belongs to
  core::ToolCall call = {};
  std::optional<ShownResult> result = {};  // of a call; none: cut off
};

// One reply of the model, and what it used.
struct ShownRequest {
  std::string message_id = {};
  std::string time = {};  // as written, of its first part; may be empty
  std::string model = {};
  core::Usage usage = {};
};

struct ShownSession {
  std::string id;
  std::string cwd;      // where it began
  std::string model;    // that answered last
  std::string created;  // ISO times; may be empty
  std::string updated;
  std::string title;  // the first prompt on one line
  std::vector<ShownItem> items;
  std::vector<ShownRequest> requests;
  core::Usage last_request;
  int compactions = 0;
  std::size_t skipped = 0;

  // Prompts and replies, as lists count them.
  [[nodiscard]] std::size_t message_count() const;
};

enum class ShownLines {
  conversation,  // what the person and the model said
  all,           // also what subagents did, whose lines are marked as theirs
};
ShownSession read_shown(std::string_view bytes, ShownLines lines = ShownLines::conversation);

// One line of at most 200 characters, without control characters.
std::string make_title(std::string_view text);

}  // namespace yume::transcript
