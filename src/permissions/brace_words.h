// SPDX-License-Identifier: MIT
// `{rm,-rf,/x}` is three words to bash. For questions. Pure.
#pragma once

#include "permissions/shell_text.h"

namespace yume::permissions {

// With each alternative of its words as a word of its own.
SimpleCommand with_brace_words(const SimpleCommand& command);

}  // namespace yume::permissions
