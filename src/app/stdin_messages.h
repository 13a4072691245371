// SPDX-License-Identifier: MIT
// A whole conversation as the text on stdin: hosts that keep it themselves (Cline, Roo Code) write
// a JSON array of messages, the last of which is the prompt; or an object with `systemPrompt` and
// such `messages`. Pure.
#pragma once

#include <optional>
#include <string>

#include "core/conversation.h"
#include "core/message.h"

namespace yume::app {

struct StdinMessages {
  core::Conversation before;
  core::UserMessage last;
  std::optional<std::string> system_prompt = std::nullopt;
};

// nullopt: the text is just a text.
std::optional<StdinMessages> read_stdin_messages(const std::string& text);

}  // namespace yume::app
