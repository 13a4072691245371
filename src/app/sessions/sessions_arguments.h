// SPDX-License-Identifier: MIT
// The command line of `yume-cli sessions`. Unlike that of a turn it is for people: what it does not
// know is an error. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/commands/command_spec.h"
#include "transcript/convert/session_record.h"
#include "util/result.h"

namespace yume::app {

enum class SessionsVerb { list, show, export_one, delete_one, convert, import_one, stats, help };
enum class ExportFormat { markdown, html, jsonl };
enum class ConvertTarget { unified, claude, gemini };

struct SessionsArguments {
  SessionsVerb verb = SessionsVerb::help;
  std::string help;  // the text, with SessionsVerb::help
  std::string id;
  bool all = false;
  bool json = false;
  bool yes = false;
  bool force = false;
  bool html = false;
  bool no_pager = false;
  std::optional<ExportFormat> format;
  std::optional<std::string> output;
  std::optional<std::string> cwd;
  std::string file;     // to convert or import; empty: a session of the project
  std::string session;  // its id; empty: the newest
  std::optional<transcript::SessionSource> from;  // nullopt: not said, or `auto`
  std::optional<ConvertTarget> to;
  bool jsonl = false;
};

// `sessions list` and the others, in the order of SessionsVerb.
const CommandGroup& sessions_commands();

Result<SessionsArguments> parse_sessions_arguments(const std::vector<std::string>& tokens);

}  // namespace yume::app
