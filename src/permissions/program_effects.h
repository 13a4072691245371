// SPDX-License-Identifier: MIT
// Programs whose words are a language of their own: whether the script of a `sed` or `awk` writes
// a file or runs something, and whether git is told to run another program. An allow rule for the
// program's name covers none of that. Errs on the side of yes. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "permissions/shell_text.h"

namespace yume::permissions {

// `sed 's/a/b/e'`, `sed 'w x'`, `awk '{ print > "x" }'`, `awk 'BEGIN { system("x") }'`.
bool script_does_more(const std::vector<ShellWord>& words);

// `git bisect run x`, `git rebase -x y`, `git clone 'ext::x'`, `git config alias.x '!y'`.
bool git_runs_programs(const std::vector<ShellWord>& words);

}  // namespace yume::permissions
