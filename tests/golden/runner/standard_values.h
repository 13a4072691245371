// SPDX-License-Identifier: MIT
// Values that most cases repeat and few are about: the lists of built-in tools and subagents, the
// tools' declarations,
// our system prompt, our slash commands, the models that a host is offered. One case shows them in
// full and so defines them (`defines` in its case.json); everywhere else a macro stands for the
// whole value. A value that differs in one byte stays as it is. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "golden/runner/file_tree.h"
#include "golden/runner/normalise.h"

namespace yume::golden {

enum class StandardValue { tools, agents, declarations, system_prompt, slash_commands, models };

// `name` as case.json spells it; throws std::runtime_error when there is no such value.
StandardValue standard_value(std::string_view name);

// The forms in which the value appears in what a run left (the tree of expect/, before any of these
// macros), and its macro. Throws std::runtime_error when the run does not show the value.
std::vector<Literal> literals_of(StandardValue value, const FileTree& tree);

// The text with each of these values replaced by its macro.
std::string with_macros(std::string text, const std::vector<Literal>& values);

}  // namespace yume::golden
