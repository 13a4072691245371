// SPDX-License-Identifier: MIT
// An event, outcome or decision as one line of text with every field in it, so that tests compare
// whole objects and a failure shows the difference.
#pragma once

#include <string>

#include "core/event.h"

namespace yume::test {

std::string text_of(const core::Usage& usage);
std::string text_of(const core::ToolCall& call);
std::string text_of(const core::ToolOutcome& outcome);
// Claude's form of its details; empty: it has none.
std::string details_text(const core::ToolOutcome& outcome);
std::string text_of(const core::Decision& decision);
std::string text_of(const core::TurnDone& done);
// Message ids are random: they appear as `msg_` and nothing more.
std::string text_of(const core::Event& event);

}  // namespace yume::test
