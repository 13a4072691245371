// SPDX-License-Identifier: MIT
// The command line of the official Gemini CLI (0.61), in terms of our own flags. Its parser's rules
// are kept: a value may begin with a dash, an unknown flag is an error, short switches may stand
// together.
#pragma once

#include <string>
#include <vector>

#include "app/argv.h"
#include "util/result.h"

namespace yume::app {

enum class GeminiAction {
  run_turn,
  show_help,
  show_version,
  list_sessions,
  delete_session,
  acp,
  refuse_screen,  // -i
};

struct GeminiArguments {
  GeminiAction action = GeminiAction::run_turn;
  Arguments ours;                         // what it means here
  std::string session = {};               // to delete
  std::vector<std::string> servers = {};  // of MCP, that alone may be used; empty: all
};

// The message is one line; the program ends with code 1 and that line.
Result<GeminiArguments> parse_gemini_arguments(const std::vector<std::string>& tokens);

std::string gemini_help_text();
std::string gemini_version_text();

}  // namespace yume::app
