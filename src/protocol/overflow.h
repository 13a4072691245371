// SPDX-License-Identifier: MIT
// Text too long for a line: where it is kept whole, and how it is cut.
#pragma once

#include <string>
#include <string_view>

#include "util/json_io.h"

namespace yume::protocol {

// Keeps what a line cannot carry. Returns where, or nothing when it could not be kept.
class OverflowStore {
 public:
  virtual ~OverflowStore() = default;
  virtual std::string keep(std::string_view name, std::string_view content) = 0;
};

// `content` itself when its quoted form fits into `max_bytes`, else its beginning and a note that
// says how much is missing and where all of it is.
std::string fit(std::string_view content, std::size_t max_bytes, std::string_view name,
                OverflowStore& store);

struct FittedInput {
  RawJson shown;
  bool is_whole = true;
};
// A tool's input in ASCII and at most `max_bytes`: with its long strings cut, shorter and shorter
// until it fits. An input that no cut makes small enough becomes a note of its size.
FittedInput fit_input(const RawJson& input, std::size_t max_bytes);

}  // namespace yume::protocol
