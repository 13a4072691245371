// SPDX-License-Identifier: MIT
// What the model is told although no host and no tool says it: that a turn was cut short, that a
// command in the background has ended. Within a turn such a text goes beside a tool's result, at
// the start of one behind the user's message; both are in the journal, so that a resumed session
// sends the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/conversation.h"
#include "gemini/history.h"

namespace yume::agent {

// What the model does not know yet.
struct Unreported {
  bool interrupted = false;            // the turn before, by the user
  std::vector<std::string> news = {};  // sentences
};

// What a session that is resumed has to tell.
Unreported unreported_of(const core::Conversation& past);

// The text for it, empty when there is nothing; `past` is the conversation without the new message.
std::string note_for_model(const Unreported& unreported, const gemini::History& past);

// In the form in which models know such texts to come from a program, not from the user.
std::string as_reminder(std::string_view text);

}  // namespace yume::agent
