// SPDX-License-Identifier: MIT
// Why the program, or a part of it, could not go on: a closed list, with words for people that need
// no memory.
#pragma once

#include <exception>

namespace yume {

enum class Breakdown { out_of_memory, no_thread, unknown };

Breakdown breakdown_of(const std::exception& failure);
// What happened, why, and what to do. Of the unknown that it should be reported.
const char* words_for(Breakdown why);
// The same, but of the unknown only what it says itself.
const char* breakdown_words(const std::exception& failure);

}  // namespace yume
