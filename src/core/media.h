// SPDX-License-Identifier: MIT
// A picture or document that travels beside text, encoded as both wires want it.
#pragma once

#include <string>

namespace yume::core {

struct Media {
  std::string mime_type;  // "image/png", "application/pdf"
  std::string base64;

  friend bool operator==(const Media&, const Media&) = default;
};

}  // namespace yume::core
