// SPDX-License-Identifier: MIT
// What a person who waits wants to know: why, and for how long. Not yet safe for a terminal. Pure.
#pragma once

#include <string>

#include "core/event.h"

namespace yume::protocol {

std::string progress_words(const core::RetryScheduled& retry);
std::string progress_words(const core::Notice& notice);
std::string progress_words(const core::CompactionStarted& started);
std::string progress_words(const core::Compacted& compacted);
std::string progress_words(const core::CompactionFailed& failed);

// Of a turn that was ended by a limit.
std::string limit_words(const core::TurnDone& done);

}  // namespace yume::protocol
