// SPDX-License-Identifier: MIT
// Reads a file and makes one Edit in it, each as the tool does it, so that a test can kill it or
// spoil its system calls: edit_once DIRECTORY FILE OLD NEW. Prints what came of the edit; exits
// with 0 when it was made, 3 when the tool refused.
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "support/fake_clock.h"
#include "support/tool_world.h"
#include "tools/file_tools.h"

namespace {

using namespace yume;

core::ToolOutcome run(const tools::Tool& tool, const nlohmann::json& input,
                      const tools::ToolContext& context) {
  tools::Plan plan = tool.plan(input, context);
  if (auto* outcome = std::get_if<core::ToolOutcome>(&plan)) return *outcome;
  return std::get<tools::PlannedCall>(plan).run(context);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const std::string directory = argv[1];
  const auto files = platform::make_system_file_system();
  test::ScriptedRunner processes;
  test::FakeClock clock;
  tools::FileMemory memory;
  tools::Shell shell;
  const tools::ToolContext context{.cwd = directory,
                                   .home = directory + "/home",
                                   .child_environment = {},
                                   .files = *files,
                                   .processes = processes,
                                   .clock = clock,
                                   .memory = memory,
                                   .cancel = {},
                                   .shell = shell};
  const core::ToolOutcome read = run(*tools::make_read_tool(), {{"file_path", argv[2]}}, context);
  const core::ToolOutcome edited =
      run(*tools::make_edit_tool(),
          {{"file_path", argv[2]}, {"old_string", argv[3]}, {"new_string", argv[4]}}, context);
  std::puts((read.is_error ? read : edited).content.c_str());
  return edited.is_error ? 3 : 0;
}
