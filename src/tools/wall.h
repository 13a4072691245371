// SPDX-License-Identifier: MIT
// The wall of the operating system around a session's commands: what it is made of, how a command
// is put behind it, and what the model is told when it stood in the way. What it keeps out is
// decided elsewhere (config/command_wall.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/process.h"
#include "platform/sandbox.h"

namespace yume::tools {

struct CommandWall {
  platform::Sandbox sandbox = {};
  std::vector<std::string> environment = {};  // "NAME=value", instead of the session's own
  std::string advice = {};  // for the model, when a command seems to have been refused something
};

// What became of the wish for a wall.
struct WallOutcome {
  std::optional<CommandWall> wall = std::nullopt;  // absent: this system has none
  std::vector<std::string> notices = {};           // of what cannot be kept, for the user
};

// For everything that a session starts: commands of the model, and whatever a project brings.
void put_behind(const CommandWall& wall, platform::ProcessSpec& spec);

// `environment` with these "NAME=value" instead of, or besides, its own.
std::vector<std::string> with_variables(std::vector<std::string> environment,
                                        const std::vector<std::string>& variables);

// Whether the output of a command tells that the system refused it something.
bool tells_of_refusal(std::string_view output);

// What the model is told below the output of a command behind a wall; empty: nothing. Null: it had
// none.
std::string wall_note(const CommandWall* wall, std::string_view output);

}  // namespace yume::tools
