// SPDX-License-Identifier: MIT
// The messages of an ACP agent, of whatever kind: the events keep the rules of a turn, and the
// stream has an end.
#include "foreign/acp_decoder.h"

#include "fuzz/turn_shape.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  yume::foreign::AcpDecoder decoder;
  yume::fuzz::TurnShape shape;
  const yume::foreign::Emit emit = [&shape](const yume::core::Event& event) { shape.check(event); };
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    decoder.feed(rest.substr(0, end), emit);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  decoder.finish({}, emit);
  if (shape.turns() == 0) std::abort();
  return 0;
}
