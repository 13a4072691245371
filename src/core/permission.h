// SPDX-License-Identifier: MIT
// The vocabulary of permission: what a call would do, in which mode we are, what was decided.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/command_steps.h"

namespace yume::core {

enum class PermissionMode { default_mode, accept_edits, plan, bypass, dont_ask };

std::string_view to_string(PermissionMode mode);  // Claude's spelling, e.g. "acceptEdits"
std::optional<PermissionMode> permission_mode_from(std::string_view text);

// What a call does once its input has been read. `path` has its symbolic links resolved; `given` is
// the same file as it was named. Permission to do something needs both, refusal either.
struct ReadsFile {
  std::filesystem::path path;
  std::filesystem::path given = {};
};
struct WritesFile {
  std::filesystem::path path;
  std::filesystem::path given = {};
};
struct RunsCommand {
  std::string command;
  std::filesystem::path cwd = {};  // where the shell stands; empty: the working directory
};
struct ReachesHost {
  std::string host;  // in lower case, without a final dot; an IPv6 address without brackets
};
struct SearchesWeb {
  std::string query;
};
// What a tool of an MCP server does is known to that server alone.
struct CallsServer {
  std::string server;
  std::string tool;
};

// Touches nothing but what this session itself has made: its background commands.
struct StaysInSession {};

// Has a subagent work; each of its calls is decided by itself.
struct StartsAgent {
  std::string type;
};

// Is itself a question to the user; with a yes the session goes on in another mode, if one is
// named.
struct AsksPerson {
  std::optional<PermissionMode> then = std::nullopt;
};

using Action = std::variant<ReadsFile, WritesFile, RunsCommand, ReachesHost, SearchesWeb,
                            CallsServer, StaysInSession, StartsAgent, AsksPerson>;

// What a host or a person changes about permissions, and for how long.
enum class UpdateDestination { session, local_settings, project_settings, user_settings };

struct RulesUpdate {
  enum class Change { add, replace, remove };
  Change change = Change::add;
  std::string effect = "allow";    // "allow", "deny" or "ask"
  std::vector<std::string> rules;  // as they are written: "Bash(git diff:*)"
  UpdateDestination destination = UpdateDestination::session;

  friend bool operator==(const RulesUpdate&, const RulesUpdate&) = default;
};
struct ModeUpdate {
  PermissionMode mode = PermissionMode::default_mode;
  UpdateDestination destination = UpdateDestination::session;

  friend bool operator==(const ModeUpdate&, const ModeUpdate&) = default;
};
struct DirectoriesUpdate {
  bool adds = true;  // else removes
  std::vector<std::string> directories;
  UpdateDestination destination = UpdateDestination::session;

  friend bool operator==(const DirectoriesUpdate&, const DirectoriesUpdate&) = default;
};
using PermissionUpdate = std::variant<RulesUpdate, ModeUpdate, DirectoriesUpdate>;

struct Allow {
  // Of a command that runs because it was proven harmless: exactly what was proven, to be started
  // without a shell. Empty: as it was asked.
  std::vector<CommandStep> steps = {};
};
struct Deny {
  std::string message;  // for the model and the host: what was refused and what would allow it
};
struct Ask {
  std::string message;         // used as the denial when nobody can be asked
  std::string why = {};        // the same in a few words
  bool in_every_mode = false;  // no mode and no rule answers it: a critical removal
  bool may_be_lifted = false;  // a hook's yes is enough, as an allow rule would be
  // What whoever is asked may choose to say for the future as well.
  std::vector<PermissionUpdate> suggestions = {};
};

using Decision = std::variant<Allow, Deny, Ask>;

}  // namespace yume::core
