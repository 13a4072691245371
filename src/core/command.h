// SPDX-License-Identifier: MIT
// What a host can want of a session: a closed variant. Parsing is total, so a line that cannot be
// read is a command too.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/hooks.h"
#include "core/message.h"
#include "core/permission.h"

namespace yume::core {

struct Prompt {
  UserMessage message;
  friend bool operator==(const Prompt&, const Prompt&) = default;
};

// Ends the running turn and keeps the session.
struct Interrupt {
  friend bool operator==(const Interrupt&, const Interrupt&) = default;
};

// What a host sets before it begins; takes effect with the next turn.
struct Initialize {
  std::optional<std::string> system_prompt;  // empty text means "no prompt", absent "the default"
  std::string append_system_prompt;
  std::vector<HostHookGroup> hooks = {};
  friend bool operator==(const Initialize&, const Initialize&) = default;
};

// Holds from the next decision on, also in the turn that runs.
struct SetMode {
  PermissionMode mode = PermissionMode::default_mode;
  friend bool operator==(const SetMode&, const SetMode&) = default;
};

// A request that this program does not serve.
struct Unsupported {
  std::string what;
  friend bool operator==(const Unsupported&, const Unsupported&) = default;
};

// Not taken, and why: the host is told, and the session goes on.
struct Refused {
  std::string why;
  std::string code = "request_too_large";  // for programs
  friend bool operator==(const Refused&, const Refused&) = default;
};

// Blank lines, keep-alives, kinds of the future.
struct Ignored {
  friend bool operator==(const Ignored&, const Ignored&) = default;
};

// A line that cannot be meant for this program: it ends, and reports why.
struct Malformed {
  std::string reason;  // for stderr
  friend bool operator==(const Malformed&, const Malformed&) = default;
};

using Command =
    std::variant<Prompt, Interrupt, Initialize, SetMode, Unsupported, Refused, Ignored, Malformed>;

}  // namespace yume::core
