// SPDX-License-Identifier: MIT
// The first line is a regular expression, the rest the text. What the bytes that the
// expression requires lead to must be what the engine finds without them.
#include "tools/search/matcher.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace yume::tools::search;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  if (end == std::string_view::npos) return 0;
  const std::string_view pattern = input.substr(0, end);
  const std::string_view text = input.substr(end + 1);
  for (const bool ignore_case : {false, true}) {
    const auto plain = Matcher::compile(pattern, {.ignore_case = ignore_case});
    // A group of flags makes the reader of required bytes give up, and changes nothing else.
    const auto without =
        Matcher::compile("(?U-U)(?:" + std::string(pattern) + ")", {.ignore_case = ignore_case});
    if (!plain.ok() || !without.ok()) continue;
    const auto found = plain->find(text, 0);
    const auto expected = without->find(text, 0);
    if (found.has_value() != expected.has_value()) std::abort();
    if (found && (found->begin != expected->begin || found->end != expected->end)) std::abort();
  }
  return 0;
}
