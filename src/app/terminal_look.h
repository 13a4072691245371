// SPDX-License-Identifier: MIT
// What may be shown on the terminal behind stdout, decided in one place for all output.
#pragma once

#include <optional>

#include "platform/environment.h"

namespace yume::app {

struct TerminalLook {
  bool colours = false;           // and other escape sequences, so that rows may change in place
  bool utf8 = false;              // else ASCII only, where there is a choice
  std::optional<int> width = {};  // columns; absent: nothing needs to be cut
};

// Colours need a terminal that understands them (TERM is not "dumb"), and nobody who has set
// NO_COLOR or CI.
TerminalLook terminal_look(const platform::Environment& environment);

}  // namespace yume::app
