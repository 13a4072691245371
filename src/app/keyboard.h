// SPDX-License-Identifier: MIT
// What a person types in a conversation: a line editor with the history of the folder, and Tab for
// commands and files.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "platform/environment.h"
#include "platform/file_system.h"
#include "runtime/typed_conversation.h"

namespace yume::app {

// Names without the slash; filled in when there is a session.
using CommandNames = std::shared_ptr<std::vector<std::string>>;

struct KeyboardSpec {
  std::filesystem::path cwd;
  CommandNames commands;
  bool edits = true;  // the terminal understands what an editor sends it
};

runtime::TypedConversationParts make_keyboard(const KeyboardSpec& spec,
                                              const platform::Environment& environment,
                                              const platform::FileSystem& files);

// What the last word of `before` may become: a command at the beginning of a line, a file behind @.
std::vector<std::string> completions(std::string_view before,
                                     const std::vector<std::string>& commands,
                                     const std::filesystem::path& cwd,
                                     const platform::FileSystem& files);

}  // namespace yume::app
