// SPDX-License-Identifier: MIT
// Where code for another program, mostly another shell, may stand in a command: a quoted word, the
// value behind a flag (`env '-Srm x'`, `su -c'rm x'`, `git -c alias.x='!rm x'`), an assignment
// (`GIT_PAGER='rm x'`), the `e` of sed. For denials and questions, so rather one piece too many.
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "permissions/shell_text.h"

namespace yume::permissions {

// Blanks or quotes: it may be a command in the shell's own language.
bool could_be_code(std::string_view text);

// All of them that a command has.
std::vector<std::string> code_in(const SimpleCommand& command);

// Those that a shell is certain to read: `bash -c`, `watch`, `git -c alias.x='!...'`.
std::vector<std::string> shell_code_in(const SimpleCommand& command);

// Runs what it reads from its input: `... | sh`, `... | python3 -`, `at now`.
bool reads_code_from_input(const SimpleCommand& command);

// Runs what it finds: `find -exec {}`.
bool runs_what_it_finds(const SimpleCommand& command);

// The names and flags inside a script for python, node, perl and their like as words of a command:
// `run(['rm','-rf','/x'])` is `run rm -rf /x`. Empty for other commands.
std::vector<std::vector<ShellWord>> script_words(const SimpleCommand& command);

}  // namespace yume::permissions
