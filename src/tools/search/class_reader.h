// SPDX-License-Identifier: MIT
// The atoms of a regular expression as sets of bytes: a character, `\w`, `[^a-f\d]`. One half of
// required_runs, which puts them in a row.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "tools/search/byte_run.h"

namespace yume::tools::search {

// One character of a match. When it may have more than one byte, only the first is told.
struct Atom {
  ByteRun bytes;         // in a row; at least one
  bool is_whole = true;  // nothing of the character is left out
};

// What `\d`, `\w`, `\s` and their opposites stand for; nothing for any other letter.
std::optional<Atom> perl_class(char letter);

// A class that begins behind its `[`. Moves `at` behind its `]`, or to the end when there is none.
// Nothing when it has parts that are not understood here.
std::optional<Atom> read_class(std::string_view pattern, std::size_t& at);

// The same atom when case is ignored. K and s have relatives beyond ASCII, by Unicode's simple
// folding; of letters that are themselves beyond ASCII nothing is known.
std::optional<Atom> with_case_ignored(Atom atom);

}  // namespace yume::tools::search
