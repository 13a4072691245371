// SPDX-License-Identifier: MIT
// What a host can be told about a session besides what happens in it. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/permission.h"
#include "core/usage.h"

namespace yume::core {

// A model that a host can choose.
struct ModelOffer {
  std::string id;
  std::string description;  // for people
  bool thinks = false;      // how much can be chosen

  friend bool operator==(const ModelOffer&, const ModelOffer&) = default;
};

// How full the model's window is, as of the last request.
struct ContextReport {
  std::string model;
  std::int64_t tokens = 0;         // of the whole request
  std::int64_t prefix_tokens = 0;  // of it: system prompt and tools, about
  std::int64_t window = 0;
  double compaction_share = 0;  // of the window, at which the conversation is summed up
};

// Where a value that counts may come from.
struct SettingsFile {
  std::string source;  // in Claude's words: "userSettings", "flagSettings"
  std::string path;    // empty: the text itself was given
};

struct SettingsReport {
  std::string model;
  PermissionMode mode = PermissionMode::default_mode;
  std::optional<std::int64_t> max_thinking_tokens = std::nullopt;
  std::vector<SettingsFile> files = {};  // lowest first
};

// What became of a wish to have files back as they were.
struct RewindReport {
  bool possible = false;
  std::string problem = {};             // why not, or what went wrong with some
  std::vector<std::string> files = {};  // that changed, or would
  std::int64_t insertions = 0;          // of lines
  std::int64_t deletions = 0;
};

}  // namespace yume::core
