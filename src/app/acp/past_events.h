// SPDX-License-Identifier: MIT
// A conversation on disk as the events that a host would have seen of it. Pure.
#pragma once

#include <vector>

#include "core/event.h"
#include "transcript/shown_session.h"

namespace yume::app {

// A call that was cut off has failed.
std::vector<core::Event> past_events(const transcript::ShownSession& shown);

}  // namespace yume::app
