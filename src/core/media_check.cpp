// SPDX-License-Identifier: MIT
#include "core/media_check.h"

#include "core/media_header.h"
#include "util/base64.h"

#include <cstddef>

namespace yume::core {
namespace {

// Nearly always enough to see that nothing is wrong.
constexpr std::size_t k_beginning = 64U << 10U;

// Some programs write a line before the header of a PDF, and readers pass over it.
std::string_view from_header(std::string_view bytes, std::string_view mime_type) {
  constexpr std::size_t k_within = 1024;
  if (mime_type != "application/pdf") return bytes;
  const std::size_t header = bytes.substr(0, k_within).find("%PDF-");
  return header == std::string_view::npos ? bytes : bytes.substr(header);
}

std::size_t decoded_size(std::string_view base64) {
  while (base64.ends_with('=')) base64.remove_suffix(1);
  return base64.size() / 4 * 3 + base64.size() % 4 * 3 / 4;
}

}  // namespace

std::optional<std::string> media_fault(Media& media) {
  const bool looked_at =
      media.mime_type.starts_with("image/") || media.mime_type == "application/pdf";
  if (!looked_at) return std::nullopt;
  if (!is_base64(media.base64)) return "its data is not base64";
  std::string bytes = from_base64(media.base64, k_beginning).value_or("");
  auto problem = media_problem(from_header(bytes, media.mime_type));
  if (problem && bytes.size() == k_beginning) {
    bytes = from_base64(media.base64).value_or("");
    problem = media_problem(from_header(bytes, media.mime_type));
  }
  if (problem) return std::string(*problem);
  media.mime_type = media_type_of(from_header(bytes, media.mime_type));
  return std::nullopt;
}

std::string withheld_text(const Media& media, std::string_view why) {
  return "[" + media.mime_type + " of " + std::to_string(decoded_size(media.base64)) +
         " bytes withheld: " + std::string(why) + "]";
}

}  // namespace yume::core
