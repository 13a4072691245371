// SPDX-License-Identifier: MIT
// Everything a tool can reach, in memory: a file system with the working directory /w and the home
// /home/u, a process runner that answers from a script, a fake clock.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/process.h"
#include "support/fake_clock.h"
#include "support/memory_file_system.h"
#include "support/recording_sink.h"
#include "tools/tool.h"

namespace yume::test {

struct ScriptedRun {
  std::vector<std::string> output = {};
  Result<platform::ProcessEnd> end = platform::ProcessEnd{};
  std::function<void()> during = {};
  std::string error_output = {};
  std::filesystem::path final_cwd = {};
  int pauses = 0;  // how often the end is not there yet when somebody waits until a time
  std::function<void(platform::SteadyTime until)> on_pause = {};
};

class ScriptedProcess final : public platform::RunningProcess {
 public:
  explicit ScriptedProcess(ScriptedRun run) : run_(std::move(run)) {}

  std::optional<Result<platform::ProcessEnd>> wait(
      platform::ProcessOutput& output, std::optional<platform::SteadyTime> until) override {
    if (until && run_.pauses > 0) {
      --run_.pauses;
      if (run_.on_pause) run_.on_pause(*until);
      return std::nullopt;
    }
    for (const std::string& piece : run_.output) output.on_output(piece);
    if (!run_.error_output.empty()) output.on_error_output(run_.error_output);
    if (run_.during) run_.during();
    if (stopped_) return platform::ProcessEnd{.kind = platform::ProcessEndKind::cancelled};
    return run_.end;
  }
  void stop() override { stopped_ = true; }
  std::filesystem::path final_cwd() const override { return run_.final_cwd; }

 private:
  ScriptedRun run_;
  bool stopped_ = false;
};

class ScriptedRunner final : public platform::ProcessRunner {
 public:
  Result<std::unique_ptr<platform::RunningProcess>> start(
      const platform::ProcessSpec& spec) override {
    specs.push_back(spec);
    if (script.empty()) {
      return Error{.code = ErrorCode::internal, .message = "the script has no further run"};
    }
    auto process = std::make_unique<ScriptedProcess>(std::move(script.front()));
    script.pop_front();
    return std::unique_ptr<platform::RunningProcess>(std::move(process));
  }

  std::deque<ScriptedRun> script;
  std::vector<platform::ProcessSpec> specs;
};

struct ToolWorld {
  ToolWorld() { [[maybe_unused]] const auto made = files.create_directories("/home/u"); }

  tools::ToolContext context() {
    return {.cwd = "/w",
            .home = "/home/u",
            .child_environment = {"PATH=/usr/bin"},
            .files = files,
            .processes = processes,
            .clock = clock,
            .memory = memory,
            .cancel = cancel.get_token(),
            .shell = shell,
            .output_directory = output_directory,
            .call_id = "call_1",
            .events = &events};
  }

  MemoryFileSystem files{"/w"};
  ScriptedRunner processes;
  FakeClock clock;
  tools::FileMemory memory;
  CancelSource cancel;
  RecordingSink events;
  std::filesystem::path output_directory = {};
  tools::Shell shell{tools::ShellSettings{.roots = {"/w"}}};
};

}  // namespace yume::test
