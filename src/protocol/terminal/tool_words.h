// SPDX-License-Identifier: MIT
// A call and what came of it, as a person wants to read it while the work goes on. Pure; texts are
// safe to show.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "core/todo.h"
#include "core/tool_call.h"
#include "markdown/styled_lines.h"
#include "markdown/terminal_look.h"

namespace yume::protocol {

struct ToolLine {
  std::string text;
  unsigned style = markdown::plain;
};

struct ToolWords {
  std::string name;     // "Edit"
  std::string subject;  // "src/app.py"
  std::string note;     // "+3 −1"; empty: nothing is to be said
  std::vector<ToolLine> below;
  bool failed = false;
};

// Paths inside of `cwd` are shown from there.
ToolWords words_of(const core::ToolCall& call, const std::string& cwd);
ToolWords words_of(const core::ToolCall& call, const core::ToolOutcome& outcome,
                   const std::string& cwd, const markdown::TerminalLook& look);

// Of what a command has written: the last `most` lines that are not blank.
std::vector<std::string> last_lines(std::string_view output, std::size_t most);

// A long line goes on below itself, where the terminal would begin at its edge. At least one part;
// of very many the last ones are left out.
std::vector<std::string_view> broken_line(std::string_view line, std::size_t columns);

// Why a turn failed; what to do about it stands on a line of its own.
std::vector<std::string> failure_lines(std::string_view text);

// One line for each task, with its box.
std::vector<std::string> checklist(const std::vector<core::Todo>& todos,
                                   const markdown::TerminalLook& look);

// "0.5 s", "12 s", "3 min 5 s"
std::string duration_text(std::chrono::milliseconds time);

}  // namespace yume::protocol
