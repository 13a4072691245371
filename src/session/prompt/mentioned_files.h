// SPDX-License-Identifier: MIT
// The files and folders that a prompt mentions by `@path`, read for the model as if it had called
// Read or LS, with the same permissions and limits. What does not exist, or may not be read
// unasked, is left alone: the text stays as it is, and the model can still ask for it.
#pragma once

#include <string>
#include <vector>

#include "core/media.h"
#include "core/message.h"
#include "session/prompt/prompt_calls.h"
#include "tools/tool.h"

namespace yume::session {

struct MentionedFiles {
  std::vector<std::string> texts = {};  // for the model, one for each file
  std::vector<core::Media> media = {};  // of pictures and documents
};

// Whether anything in the message looks like a mention.
bool mentions_files(const core::UserMessage& message);

MentionedFiles read_mentioned(const core::UserMessage& message, PromptCalls& calls,
                              const tools::ToolContext& context, core::EventSink& sink);

}  // namespace yume::session
