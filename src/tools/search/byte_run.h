// SPDX-License-Identifier: MIT
// A run of bytes, each from a set: "_[0-9][0-9]" is three sets. The word that the fast half of Grep
// is written in: what an expression requires (required_runs) and what is scanned for (run_scan).
#pragma once

#include <bitset>
#include <cstddef>
#include <vector>

namespace yume::tools::search {

using ByteSet = std::bitset<256>;
using ByteRun = std::vector<ByteSet>;

// About how often a byte of the set occurs in source text, 0 to 1. Only good for choosing.
double frequency(const ByteSet& bytes);

// The same for all of them in a row.
double frequency(const ByteRun& run);

}  // namespace yume::tools::search
