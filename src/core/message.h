// SPDX-License-Identifier: MIT
// What a host asks: one user message. Media blocks join with their issue; text is enough to start.
#pragma once

#include <string>

namespace yume::core {

struct UserMessage {
  std::string text;
};

}  // namespace yume::core
