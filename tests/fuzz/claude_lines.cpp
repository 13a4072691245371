// SPDX-License-Identifier: MIT
// The lines of Claude Code, of whatever kind: the events of the session keep the rules of a turn,
// and the stream has an end.
#include "foreign/claude_lines_decoder.h"

#include "fuzz/turn_shape.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  yume::foreign::ClaudeLinesDecoder decoder;
  yume::fuzz::TurnShape shape;
  // A subagent's turn has no end of its own.
  const yume::foreign::Emit emit = [&](const yume::core::Event& event) {
    if (decoder.parent_call_id().empty()) shape.check(event);
  };
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    decoder.feed(rest.substr(0, end), emit);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  decoder.finish({}, emit);
  if (shape.turns() == 0) std::abort();
  return 0;
}
