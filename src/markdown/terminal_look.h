// SPDX-License-Identifier: MIT
// What a terminal can show.
#pragma once

#include <cstddef>

namespace yume::markdown {

struct TerminalLook {
  std::size_t columns = 80;
  bool colours = true;  // and other styles
  bool utf8 = true;     // else marks and lines are drawn in ASCII
};

}  // namespace yume::markdown
