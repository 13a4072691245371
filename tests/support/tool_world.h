// SPDX-License-Identifier: MIT
// Everything a tool can reach, in memory: a file system with the working directory /w and the home
// /home/u, a process runner that answers from a script, a fake clock.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "platform/process.h"
#include "support/fake_clock.h"
#include "support/memory_file_system.h"
#include "tools/tool.h"

namespace yume::test {

struct ScriptedRun {
  std::vector<std::string> output = {};
  Result<platform::ProcessEnd> end = platform::ProcessEnd{};
  std::function<void()> during = {};
  std::string error_output = {};
};

class ScriptedRunner final : public platform::ProcessRunner {
 public:
  Result<platform::ProcessEnd> run(const platform::ProcessSpec& spec,
                                   platform::ProcessOutput& output,
                                   const CancelToken& cancel) override {
    specs.push_back(spec);
    if (script.empty()) {
      return Error{.code = ErrorCode::internal, .message = "the script has no further run"};
    }
    const ScriptedRun next = std::move(script.front());
    script.pop_front();
    for (const std::string& piece : next.output) output.on_output(piece);
    if (!next.error_output.empty()) output.on_error_output(next.error_output);
    if (next.during) next.during();
    if (cancel.stop_requested()) {
      return platform::ProcessEnd{.kind = platform::ProcessEndKind::cancelled};
    }
    return next.end;
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
            .cancel = cancel.get_token()};
  }

  MemoryFileSystem files{"/w"};
  ScriptedRunner processes;
  FakeClock clock;
  tools::FileMemory memory;
  CancelSource cancel;
};

}  // namespace yume::test
