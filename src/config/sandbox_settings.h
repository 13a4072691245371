// SPDX-License-Identifier: MIT
// The `sandbox` key of settings, in Claude's shape: what it says, what several layers come to, and
// what of it a folder may say that nobody trusts. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "util/json_io.h"
#include "util/result.h"

namespace yume::config {

enum class SandboxMode {
  off,
  workspace_write,  // changes only in the workspace and what the user has listed
  read_only,        // changes only in a temporary folder
};

std::string_view to_string(SandboxMode mode);
std::optional<SandboxMode> sandbox_mode_from(std::string_view text);

// Paths as they are written: absolute, ~/…, or from the working directory on.
struct SandboxSettings {
  std::optional<bool> enabled = {};
  std::optional<bool> auto_allow_bash = {};         // autoAllowBashIfSandboxed
  bool must_be_there = false;                       // failIfUnavailable
  std::vector<std::string> excluded_commands = {};  // excludedCommands
  std::vector<std::string> allow_write = {};        // filesystem.allowWrite …
  std::vector<std::string> deny_write = {};
  std::vector<std::string> allow_read = {};
  std::vector<std::string> deny_read = {};
  std::vector<std::string> allow_sockets = {};  // network.allowUnixSockets
  bool allow_all_sockets = false;               // network.allowAllUnixSockets
  bool denies_network = false;                  // network.allowed is false
  bool limits_domains = false;                  // network says which hosts may be reached
  std::vector<std::string> not_known = {};      // keys that mean nothing here
  bool is_required = false;  // an administrator has enabled it: no flag switches it off

  friend bool operator==(const SandboxSettings&, const SandboxSettings&) = default;

  // Over this comes `later`: it decides where both say something, lists add up, and what restricts
  // stays.
  void add(const SandboxSettings& later);

  // What of it opens something, one line each, so that a change of any of them can be seen.
  [[nodiscard]] std::vector<std::string> grants() const;
  // Without those.
  [[nodiscard]] SandboxSettings restrictions() const;
};

// The message names key and reason. A key that is not known and whose name promises a restriction
// is an error.
Result<SandboxSettings> parse_sandbox_settings(const RawJson& json);

// Of the text of a whole file that is JSON, of which only this key counts.
Result<SandboxSettings> parse_sandbox_of_file(std::string_view text);

}  // namespace yume::config
