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

// One rule of permissions.
struct RuleLine {
  std::string behavior;  // "allow", "deny", "ask"
  std::string source;    // in Claude's words: "userSettings", "cliArg", "session"
  std::string rule;      // "Bash(git status:*)"
};
struct RulesReport {
  std::vector<RuleLine> rules = {};
  std::vector<std::string> directories = {};  // the first is the working directory
};

// One hook that runs.
struct HookLine {
  std::string event;
  std::string matcher = {};  // empty: all
  std::string source = {};   // "settings", "sdk"
  std::string command = {};  // for the shell, or the name of the host's function
  std::int64_t timeout_seconds = 0;
};
struct HooksReport {
  std::vector<HookLine> hooks = {};
};

// A file's content for a host.
struct FileContents {
  std::string contents;  // UTF-8 or base64
  std::string absolute_path;
  bool base64 = false;
  bool truncated = false;
  bool lossy = false;  // not all of it was UTF-8
};

// The end of what a background command has printed.
struct TaskOutput {
  std::string output;
  std::uint64_t total_bytes = 0;
  bool truncated = false;
};

// A session on disk, in a list.
struct SessionEntry {
  std::string id;
  std::string cwd;
  std::string title = {};
  std::string updated = {};  // ISO; empty: unknown

  friend bool operator==(const SessionEntry&, const SessionEntry&) = default;
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
