// SPDX-License-Identifier: MIT
// From what was typed to what the model gets: a command of the user's or the project's becomes its
// text, a prompt of an MCP server what the server says, and files that are mentioned are read. On
// the session's thread, but for changes().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/message.h"
#include "mcp/servers.h"
#include "permissions/policy.h"
#include "session/commands/command_shelf.h"
#include "session/commands/slash_commands.h"
#include "session/prompt/prompt_calls.h"
#include "session/prompt/turn_rules.h"

namespace yume::session {

struct PreparedPrompt {
  core::UserMessage message;
  std::vector<std::string> news = {};                 // for the model: what mentioned files contain
  TurnRules rules = {};                               // hold until the turn has ended
  std::string model = {};                             // that the command wants; empty: none
  std::optional<std::string> failure = std::nullopt;  // why the model is not asked
};

class PromptPreparer {
 public:
  // All that is referred to outlives it.
  PromptPreparer(const CommandShelf& shelf, mcp::Servers& servers, permissions::ModePolicy& policy,
                 const PromptCallDeps& calls);

  // Whether the model may get something else than what was typed.
  [[nodiscard]] bool changes(const core::UserMessage& message) const;
  PreparedPrompt prepare(const core::UserMessage& message, const tools::ToolContext& context,
                         core::EventSink& sink);

 private:
  void use_command(const config::FoundCommand& command, const std::string& arguments,
                   PreparedPrompt& prompt, const tools::ToolContext& context,
                   core::EventSink& sink);
  // False: no server has such a prompt.
  bool use_server_prompt(const SlashLine& line, PreparedPrompt& prompt, const CancelToken& cancel);
  std::string run_shell(const std::string& command, PreparedPrompt& prompt,
                        const tools::ToolContext& context, core::EventSink& sink);

  const CommandShelf& shelf_;
  mcp::Servers& servers_;
  permissions::ModePolicy& policy_;
  PromptCalls calls_;
};

}  // namespace yume::session
