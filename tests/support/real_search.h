// SPDX-License-Identifier: MIT
// Glob, Grep and LS on a real directory tree.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>

#include "platform/clock.h"
#include "platform/file_system.h"
#include "support/run_command.h"
#include "support/temporary_directory.h"
#include "support/tool_world.h"
#include "tools/file_tools.h"
#include "tools/search_tools.h"
#include "tools/shell.h"

namespace yume::test {

using Lines = std::multiset<std::string>;

inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

inline Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  return lines;
}

class RealSearch : public testing::Test {
 protected:
  tools::ToolContext context() {
    return {.cwd = root(),
            .home = scratch_.path() / "home",
            .child_environment = {},
            .files = *files_,
            .processes = processes_,
            .clock = clock_,
            .memory = memory_,
            .cancel = {},
            .shell = shell_};
  }
  core::ToolOutcome call(const std::unique_ptr<tools::Tool>& tool, const nlohmann::json& input) {
    const tools::ToolContext context = this->context();
    tools::Plan plan = tool->plan(input, context);
    if (auto* outcome = std::get_if<core::ToolOutcome>(&plan)) return *outcome;
    return std::get<tools::PlannedCall>(plan).run(context);
  }
  core::ToolOutcome glob(const nlohmann::json& input) {
    return call(tools::make_glob_tool(), input);
  }
  core::ToolOutcome ls(const nlohmann::json& input) { return call(tools::make_ls_tool(), input); }
  core::ToolOutcome read(const nlohmann::json& input) {
    return call(tools::make_read_tool(), input);
  }
  core::ToolOutcome grep(const nlohmann::json& input) {
    return call(tools::make_grep_tool(), input);
  }

  Lines found_files(const nlohmann::json& input) {
    nlohmann::json asked = input;
    asked["head_limit"] = 0;
    const auto outcome = grep(asked);
    const auto& paths = std::get<core::FilesMatched>(outcome.details).paths;
    return {paths.begin(), paths.end()};
  }

  std::filesystem::path root() const { return scratch_.path() / "tree"; }

  std::string in_tree(const std::string& command) {
    return run(bash("cd " + root().string() +
                    " && export HOME=" + (scratch_.path() / "home").string() + " && " + command))
        .output;
  }

  TemporaryDirectory scratch_;
  std::unique_ptr<platform::FileSystem> files_ = platform::make_system_file_system();
  platform::SystemClock clock_;
  ScriptedRunner processes_;
  tools::FileMemory memory_;
  tools::Shell shell_;
};

}  // namespace yume::test
