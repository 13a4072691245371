// SPDX-License-Identifier: MIT
// A call and what came of it, as a person wants to read it while the work goes on. Pure; texts are
// safe to show.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/todo.h"
#include "core/tool_call.h"
#include "markdown/terminal_look.h"

namespace yume::protocol {

struct ToolWords {
  std::string name;                // "Edit"
  std::string subject;             // "src/app.py"
  std::string note;                // "+3 −1"; empty: nothing is to be said
  std::vector<std::string> below;  // lines, styled
  bool failed = false;
};

// Paths inside of `cwd` are shown from there.
ToolWords words_of(const core::ToolCall& call, const std::string& cwd);
ToolWords words_of(const core::ToolCall& call, const core::ToolOutcome& outcome,
                   const std::string& cwd, const markdown::TerminalLook& look);

// One line for each task, with its box.
std::vector<std::string> checklist(const std::vector<core::Todo>& todos,
                                   const markdown::TerminalLook& look);

// "0.5 s", "12 s", "3 min 5 s"
std::string duration_text(std::chrono::milliseconds time);

}  // namespace yume::protocol
