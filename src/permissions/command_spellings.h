// SPDX-License-Identifier: MIT
// Other ways to write a command, of which a person who denies it will have written only one: `git
// -C x push` is `git push`, `rm -r -f x` is `rm -rf x`, `git-push` is `git push`. For denials.
// Pure.
#pragma once

#include <vector>

#include "permissions/shell_text.h"

namespace yume::permissions {

// Without the one that is given.
std::vector<std::vector<ShellWord>> other_spellings(const std::vector<ShellWord>& words);

}  // namespace yume::permissions
