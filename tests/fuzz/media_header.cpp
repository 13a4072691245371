// SPDX-License-Identifier: MIT
// Any bytes have a type or none, and a size only with a type; what has neither is not sent.
#include "core/media_header.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace yume::core;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto found = image_size(bytes);
  if (found && (media_type_of(bytes).empty() || found->width == 0 || found->height == 0)) {
    std::abort();
  }
  if (media_type_of(bytes) != media_type_of(bytes.substr(0, 32))) std::abort();
  if (!media_problem(bytes) && media_type_of(bytes).empty()) std::abort();
  return 0;
}
