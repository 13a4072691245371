// SPDX-License-Identifier: MIT
// Any command line (arguments separated by NUL) parses or is refused; a value never becomes a flag.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/argv.h"
#include "app/options.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> tokens(1);
  for (const char c : std::string_view(reinterpret_cast<const char*>(data), size)) {
    if (c == '\0') {
      tokens.emplace_back();
    } else {
      tokens.back().push_back(c);
    }
  }
  const auto arguments = yume::app::parse_arguments(tokens);
  if (arguments.ok()) (void)yume::app::read_options(*arguments, {});
  return 0;
}
