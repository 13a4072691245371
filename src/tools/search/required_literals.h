// SPDX-License-Identifier: MIT
// Reads off a regular expression which strings a match cannot do without: `\w+Exception\b` needs
// "Exception", `(foo|bar)\(` needs "foo" or "bar". When in doubt it knows nothing, which costs time
// only. It does not check the expression.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/search/literal_scan.h"

namespace yume::tools::search {

struct RequiredLiterals {
  std::vector<std::string> any_of;  // every match contains one of these; empty: nothing is known
  bool is_whole = false;            // the expression is just this one string
};

// With ascii_folded the strings are in lower case and hold no letter that has a relative outside
// ASCII (k and s, by Unicode's simple folding).
RequiredLiterals required_literals(std::string_view pattern, LetterCase letter_case);

}  // namespace yume::tools::search
