// SPDX-License-Identifier: MIT
// Reads off a regular expression which bytes a match cannot do without: `\w+Exception\b` needs
// "Exception", `(foo|bar)\(` needs "foo" or "bar", `[a-z]+_\d` a letter, an underscore and a digit.
// When in doubt it knows nothing, which costs time only. It does not check the expression.
#pragma once

#include <string_view>
#include <vector>

#include "tools/search/byte_run.h"

namespace yume::tools::search {

enum class LetterCase { exact, ignored };

struct RequiredRuns {
  std::vector<ByteRun> any_of;  // every match contains one of these; empty: nothing is known
  bool is_whole = false;        // the expression is just this one string
};

// For matches within a line: no run holds a newline.
RequiredRuns required_runs(std::string_view pattern, LetterCase letter_case);

}  // namespace yume::tools::search
