// SPDX-License-Identifier: MIT
// Hooks with real commands in a directory of their own, and a host that answers by a script.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "hooks/hook_runner.h"
#include "support/recording_sink.h"
#include "support/temporary_directory.h"

namespace yume::hooks {

using Strings = std::vector<std::string>;

class FakeHookHost final : public core::Questions {
 public:
  Result<core::HostAnswer> ask(core::HostQuestion question,
                               std::optional<std::chrono::milliseconds> timeout,
                               const CancelToken&) override {
    const auto& call = std::get<core::CallHook>(question);
    calls.push_back(call.callback_id + " " + std::to_string(timeout.value().count()));
    inputs.push_back(call.input.text);
    Result<RawJson> answer = std::move(answers.front());
    answers.pop_front();
    if (!answer.ok()) return answer.error();
    return core::HostAnswer(core::HookReturned{*answer});
  }

  std::deque<Result<RawJson>> answers;
  Strings calls;
  Strings inputs;
};

class HookScene : public testing::Test {
 protected:
  HookRunner runner(HookSettings settings, bool reports_events = false) {
    return HookRunner(std::move(settings),
                      {.session_id = "s-1",
                       .transcript = "/t/s-1.jsonl",
                       .cwd = directory_.path(),
                       .mode = [] { return core::PermissionMode::plan; },
                       .tool_response =
                           [](const core::ToolOutcome& outcome) {
                             return RawJson{"{\"said\":\"" + outcome.content + "\"}"};
                           }},
                      {.processes = *processes_,
                       .host = host_,
                       .redactor = redactor_,
                       .cwd = directory_.path(),
                       .environment = {"PATH=/usr/bin:/bin", "COLOUR=red"},
                       .reports_events = reports_events});
  }

  static HookSettings commands(const Strings& texts,
                               core::HookEvent event = core::HookEvent::pre_compact) {
    HookSettings settings;
    for (const std::string& text : texts) {
      settings.commands[event].push_back({.matcher = {}, .command = text});
    }
    return settings;
  }

  std::string file(const char* name) const {
    std::ifstream in(directory_.path() / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  test::TemporaryDirectory directory_;
  std::unique_ptr<platform::ProcessRunner> processes_ = platform::make_process_runner();
  FakeHookHost host_;
  Redactor redactor_;
  test::RecordingSink sink_;
  CancelSource cancel_;
};

}  // namespace yume::hooks
