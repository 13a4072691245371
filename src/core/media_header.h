// SPDX-License-Identifier: MIT
// What kind of picture or document some bytes are, told by the bytes themselves and not by a file's
// name. Pure, and total: any bytes are fine.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace yume::core {

// "image/png", "image/jpeg", "image/gif", "image/webp", "image/heic", "image/heif",
// "application/pdf"; empty for anything else. The first 32 bytes are enough.
std::string_view media_type_of(std::string_view beginning);

struct ImageSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  friend bool operator==(const ImageSize&, const ImageSize&) = default;
};

// Why a server would refuse it, judged by its header: "its header is cut off or damaged"; nullopt
// when the header is fine. `bytes` is the whole file, or its beginning as far as the header goes.
std::optional<std::string_view> media_problem(std::string_view bytes);

// From the header of a PNG, JPEG, GIF or WebP; nullopt for others and for broken ones.
std::optional<ImageSize> image_size(std::string_view bytes);

}  // namespace yume::core
