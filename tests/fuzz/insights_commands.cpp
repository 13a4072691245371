// SPDX-License-Identifier: MIT
// Every line of a host of InsightsEvents becomes a value; none crashes or hangs the parser.
#include "protocol/insights/insights_commands.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    (void)yume::protocol::parse_insights_line(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return 0;
}
