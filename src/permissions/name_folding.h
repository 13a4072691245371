// SPDX-License-Identifier: MIT
// Names as protections compare them: file systems ignore case, some ignore characters that cannot
// be seen, and `.ｇit` is `.git` to a few. Only names that are meant to be equal to a plain ASCII
// one are compared this way. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yume::permissions {

// Lower case; compatibility forms of ASCII characters replaced by them (NFKC); invisible characters
// left out, and so are dots and spaces at the end, which Windows ignores.
std::string fold_name(std::string_view name);

// Cannot be seen, or reorder what is seen: what a person reads is not what runs.
bool has_hidden_characters(std::string_view text);

}  // namespace yume::permissions
