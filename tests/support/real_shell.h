// SPDX-License-Identifier: MIT
// The shell tools with real processes and files, in a directory of their own.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/recording_sink.h"
#include "support/temporary_directory.h"
#include "tools/bash.h"
#include "tools/registry.h"

namespace yume::test {

class RealShell {
 public:
  explicit RealShell(tools::ShellSettings settings = {}) : shell_(with_root(std::move(settings))) {
    std::filesystem::create_directories(cwd());
  }

  core::ToolOutcome call(std::string_view tool, const nlohmann::json& input) {
    const tools::ToolContext now = context();
    tools::Plan plan = registry_.find(tool)->plan(input, now);
    if (auto* outcome = std::get_if<core::ToolOutcome>(&plan)) return *outcome;
    return std::get<tools::PlannedCall>(plan).run(now);
  }
  std::string bash(const std::string& command) {
    return call("Bash", {{"command", command}}).content;
  }
  // Its id.
  std::string bash_in_background(const std::string& command) {
    const auto outcome = call("Bash", {{"command", command}, {"run_in_background", true}});
    return std::get<core::CommandStarted>(outcome.details).task_id;
  }

  std::filesystem::path cwd() const { return scratch_.path() / "work"; }
  std::filesystem::path outputs() const { return scratch_.path() / "outputs"; }
  std::filesystem::path scratch() const { return scratch_.path(); }
  tools::Shell& shell() { return shell_; }
  Redactor& redactor() { return redactor_; }
  RecordingSink& events() { return events_; }
  CancelSource& cancel() { return cancel_; }

  tools::ToolContext context() {
    return {.cwd = cwd(),
            .home = scratch_.path(),
            .child_environment = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8"},
            .files = *files_,
            .processes = *processes_,
            .clock = clock_,
            .memory = memory_,
            .cancel = cancel_.get_token(),
            .shell = shell_,
            .output_directory = outputs(),
            .redactor = &redactor_,
            .call_id = "call_" + std::to_string(++calls_),
            .events = &events_};
  }

 private:
  tools::ShellSettings with_root(tools::ShellSettings settings) const {
    settings.roots = {cwd()};
    return settings;
  }

  TemporaryDirectory scratch_;
  std::unique_ptr<platform::FileSystem> files_ = platform::make_system_file_system();
  std::unique_ptr<platform::ProcessRunner> processes_ = platform::make_process_runner();
  platform::SystemClock clock_;
  tools::FileMemory memory_;
  Redactor redactor_;
  CancelSource cancel_;
  RecordingSink events_;
  tools::Registry registry_ = tools::make_builtin_tools();
  int calls_ = 0;
  tools::Shell shell_;  // last: its commands use the rest
};

inline std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace yume::test
