// SPDX-License-Identifier: MIT
// Every line of a host becomes a value, also one that is too long; none crashes or hangs the
// parser.
#include <cstdint>
#include <string_view>

#include "protocol/claude/inbound.h"
#include "protocol/line_outline.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)yume::protocol::parse_claude_line(bytes);
  constexpr std::size_t k_short = 16;  // so that some lines are too long
  yume::LineFramer framer(
      {.max_line_bytes = k_short, .outline = yume::protocol::k_line_outline},
      [](std::string_view) {},
      [](const yume::LongLine& line) { (void)yume::protocol::refuse_claude_line(line, k_short); });
  framer.feed(bytes);
  framer.finish();
  return 0;
}
