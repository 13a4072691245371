// SPDX-License-Identifier: MIT
// Commands of Claude Code that are answered here instead of by the model: from the text of a
// message and a few facts to the text of an answer. Knows nothing about how a session is run. Pure.
// `/compact`, which changes the conversation, is listed with them, but is not among those that only
// answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/message.h"
#include "core/slash_command.h"
#include "core/usage.h"

namespace yume::session {

// A message that is one text and begins with a slash: "/name arguments", without the white space
// around them.
struct SlashLine {
  std::string name;
  std::string arguments;

  friend bool operator==(const SlashLine&, const SlashLine&) = default;
};
std::optional<SlashLine> read_slash_line(const core::UserMessage& message);

enum class LocalCommand { clear, context, cost, help, mcp, model, permissions };

// All of ours, by name: one list for hosts, for /help and for recognising them.
const std::vector<core::SlashCommandInfo>& builtin_commands();

// nullopt: the message is for the model, as everything is that no command is known by.
std::optional<LocalCommand> local_command(const core::UserMessage& message);

// What is true of the session when a command comes.
struct SessionFacts {
  std::string model;
  bool price_known = true;           // of that model
  core::UsageByModel by_model = {};  // since the process started
  std::int64_t context_tokens = 0;   // of the next request, about
  std::int64_t window = 0;
  double compaction_share = 0;                        // of the window
  std::string mode = {};                              // of permissions
  std::vector<std::string> rules = {};                // "allow: Read (--allowedTools)"
  std::vector<std::string> servers = {};              // of MCP, one line each
  std::vector<core::SlashCommandInfo> commands = {};  // all that can be typed
};

std::string answer_of(LocalCommand command, const SessionFacts& facts);

}  // namespace yume::session
