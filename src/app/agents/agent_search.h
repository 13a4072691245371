// SPDX-License-Identifier: MIT
// Where an agent's program is and of which version, without starting it: by its variable, PATH, and
// the places that package managers use; the version by the package it lies in.
#pragma once

#include <filesystem>
#include <string>

#include "app/agents/agent_table.h"
#include "platform/environment.h"
#include "platform/file_system.h"

namespace yume::app {

struct FoundAgent {
  std::filesystem::path path;  // empty: it is not installed
  std::string version;         // empty: its package does not say
};

// A link to this program itself is passed over: it only stands in for the other.
FoundAgent find_program_of(const Agent& agent, const platform::Environment& environment,
                           const platform::FileSystem& files);

}  // namespace yume::app
