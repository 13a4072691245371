// SPDX-License-Identifier: MIT
// Any bytes, cut anywhere, give the same events as in one piece. The first byte chooses the cut.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "net/sse_parser.h"

namespace {

std::vector<std::string> events_of(std::string_view first, std::string_view second) {
  std::vector<std::string> events;
  yume::net::SseParser parser([&events](std::string_view data) {
    events.emplace_back(data);
    return true;
  });
  for (const std::string_view piece : {first, second}) {
    if (!parser.feed(piece).ok()) std::abort();
  }
  if (!parser.finish().ok()) std::abort();
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1 || size > 65536) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t cut = text.empty() ? 0 : data[0] % (text.size() + 1);
  if (events_of(text, "") != events_of(text.substr(0, cut), text.substr(cut))) std::abort();
  return 0;
}
