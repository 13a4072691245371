// SPDX-License-Identifier: MIT
// A command that a prompt can begin with (`/name arguments`), as hosts list it.
#pragma once

#include <string>

namespace yume::core {

struct SlashCommandInfo {
  enum class Source { built_in, user, project, server };

  std::string name;                // without the slash
  std::string description = {};    // one line
  std::string argument_hint = {};  // "[focus]"
  Source source = Source::built_in;
  bool is_skill = false;

  friend bool operator==(const SlashCommandInfo&, const SlashCommandInfo&) = default;
};

}  // namespace yume::core
