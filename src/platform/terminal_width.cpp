// SPDX-License-Identifier: MIT
#include "platform/stdio.h"

#include <charconv>

namespace yume::platform {

std::optional<int> terminal_width(const Environment& environment) {
  if (!is_terminal(StandardStream::output)) return std::nullopt;
  if (const auto named = environment.get("COLUMNS")) {
    int columns = 0;
    const char* end = named->data() + named->size();
    const auto [stop, failure] = std::from_chars(named->data(), end, columns);
    if (failure == std::errc() && stop == end && columns > 0) return columns;
  }
  const auto screen = screen_size();
  return screen ? std::optional<int>(static_cast<int>(screen->columns)) : std::nullopt;
}

}  // namespace yume::platform
