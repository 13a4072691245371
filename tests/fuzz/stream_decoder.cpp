// SPDX-License-Identifier: MIT
// Whatever an event holds, decoding ends in a value or an error, and every part that would be sent
// back to the server is valid JSON in ASCII.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gemini/stream_decoder.h"
#include "util/json_io.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static yume::gemini::StreamDecoder decoder;
  const auto chunk = decoder.decode({reinterpret_cast<const char*>(data), size});
  if (!chunk.ok()) return 0;
  for (const yume::gemini::Part& part : chunk->parts) {
    if (part.raw.empty()) continue;
    const bool ascii = std::all_of(part.raw.begin(), part.raw.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (!ascii || !yume::check_json(part.raw).ok()) std::abort();
  }
  return 0;
}
