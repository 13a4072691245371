// SPDX-License-Identifier: MIT
// Which wall a session wants around its commands: what flags and settings come to. What this system
// can do of it is found out when the first command starts.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lazy_closed_set.h"
#include "app/options.h"
#include "app/session_setup.h"
#include "config/sandbox_settings.h"
#include "tools/wall.h"
#include "util/result.h"

namespace yume::app {

struct SandboxChoice {
  config::SandboxMode mode = config::SandboxMode::off;
  config::SandboxSettings settings = {};
  std::vector<std::string> notices = {};
};

// Yume passes no flag and expects tools to run: they do, behind a wall. Error when the settings
// want a wall or nothing, and this system has none.
Result<SandboxChoice> choose_sandbox(const Options& options, config::SandboxSettings settings);

struct WallPlaces {
  std::vector<std::filesystem::path> roots;  // real; the first is the working directory
  std::shared_ptr<LazyClosedSet> closed;     // shared with the policy
};

// Makes it, or says that there is none. Empty when none is wanted. `deps` outlive it.
std::function<tools::WallOutcome()> wall_maker(SandboxChoice choice, WallPlaces places,
                                               const SpecDeps& deps);

}  // namespace yume::app
