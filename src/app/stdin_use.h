// SPDX-License-Identifier: MIT
// What stdin is read for, and for how long an open pipe is waited for.
#pragma once

#include <chrono>
#include <optional>

#include "app/options.h"

namespace yume::app {

enum class StdinText { not_read, is_the_prompt, adds_to_the_prompt };

// Of text; lines of stream-json are read in any case.
StdinText stdin_text(const Options& options);

// How long to wait for the first byte; nullopt: for ever.
std::optional<std::chrono::milliseconds> stdin_patience(const Options& options, StdinText text);

// Before a program ends that could not begin: takes what its host has to say first, and forgets it.
// Hosts write as soon as they have started a program, and some die of a pipe without a reader.
// Blocks until stdin ends, one second at most.
void take_first_lines();

}  // namespace yume::app
