// SPDX-License-Identifier: MIT
// While one lives, the terminal hands over each key at once and does not show it. Ctrl-C and Ctrl-Z
// still are signals.
#pragma once

#include <memory>

namespace yume::platform {

class RawTyping {
 public:
  virtual ~RawTyping() = default;  // the terminal is as it was before
};

// nullptr where stdin is no terminal.
std::unique_ptr<RawTyping> begin_raw_typing();

}  // namespace yume::platform
