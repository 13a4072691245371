// SPDX-License-Identifier: MIT
// What programs are known to do with their words: which run another command, which flags write or
// run something behind a rule's back, which read or list whole directories, which change files.
// Pure.
#pragma once

#include <string>
#include <vector>

#include "permissions/shell_text.h"

namespace yume::permissions {

// The last name of a path: `/usr/bin/env` is `env`.
std::string program_name(const ShellWord& word);

// Without `timeout 5`, `time`, `nice -n 5`, `nohup`, `stdbuf -oL`, `command`, `builtin` in front:
// they change nothing about what runs.
std::vector<ShellWord> without_wrappers(const std::vector<ShellWord>& words);

// `git -C x --no-pager push` as `git push`; everything else as it is.
std::vector<ShellWord> without_git_options(const std::vector<ShellWord>& words);

// Assignments that change how something is shown, not what runs.
bool has_only_harmless_assignments(const SimpleCommand& command);

// Runs what its words say: `env`, `xargs`, `sudo`, `sh`, `docker exec`. A rule for its beginning
// would be a rule for everything.
bool runs_other_commands(const std::vector<ShellWord>& words);

// Has a flag that writes a file or runs a program although its command is known as harmless:
// `find -delete`, `git diff --output`, `sort -o`, `rg --pre`. Abbreviations count.
bool has_hidden_effect(const std::vector<ShellWord>& words);

// Reads what lies in its directories: `grep -r`, `cp -r`, `tar`, `find -exec`.
bool reads_whole_directories(const std::vector<ShellWord>& words);

// Names everything that lies in its directories, however deep: `find`, `ls -R`, `tree`.
bool lists_whole_directories(const std::vector<ShellWord>& words);

// Writes, moves or removes the files it names: `tee`, `cp`, `touch`, `sed -i`, `dd`.
bool changes_named_files(const std::vector<ShellWord>& words);

// Its words come from its input: `xargs`, `parallel`.
bool takes_words_from_input(const std::vector<ShellWord>& words);

}  // namespace yume::permissions
