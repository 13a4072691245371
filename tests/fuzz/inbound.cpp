// SPDX-License-Identifier: MIT
// Every line of a host becomes a value; none crashes or hangs the parser.
#include <cstdint>
#include <string_view>

#include "protocol/inbound.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  (void)yume::protocol::parse_inbound({reinterpret_cast<const char*>(data), size});
  return 0;
}
