// SPDX-License-Identifier: MIT
// A server that is a child process: one message on each line of its stdin and stdout. What it
// writes to stderr goes to the debug log.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/mcp.h"
#include "mcp/connection.h"
#include "platform/file_system.h"
#include "util/log.h"
#include "util/result.h"

namespace yume::mcp {

struct ProgramWorld {
  std::filesystem::path cwd;
  std::vector<std::string> environment;          // "NAME=value", cleaned of secrets
  std::vector<std::filesystem::path> workspace;  // real; a bare name is not looked for in it
  platform::FileSystem& files;
  Log& log;
};

// Blocks until the program runs.
Result<std::unique_ptr<Connection>> connect_program(const std::string& name,
                                                    const core::McpProgram& program,
                                                    const ProgramWorld& world, Listener& listener);

}  // namespace yume::mcp
