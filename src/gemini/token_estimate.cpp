// SPDX-License-Identifier: MIT
#include "gemini/token_estimate.h"

namespace yume::gemini {
namespace {

// English text and code have about four bytes to a token; a character outside ASCII is written as
// six bytes here and costs about one and a half.
constexpr std::int64_t k_bytes_per_token = 4;
constexpr std::int64_t k_image_tokens = 3'000;
constexpr std::int64_t k_document_tokens = 25'800;  // a hundred pages

}  // namespace

std::int64_t estimate_tokens(std::string_view json) {
  // In texts the quotes are escaped, so this is only ever the field itself.
  constexpr std::string_view k_media = R"("inlineData":{"mimeType":")";
  constexpr std::string_view k_data = R"("data":")";
  auto bytes = static_cast<std::int64_t>(json.size());
  std::int64_t media = 0;
  for (std::size_t at = 0; (at = json.find(k_media, at)) != std::string_view::npos;) {
    at += k_media.size();
    const bool image = json.substr(at).starts_with("image/");
    const std::size_t data = json.find(k_data, at);
    if (data == std::string_view::npos) break;
    const std::size_t end = json.find('"', data + k_data.size());
    if (end == std::string_view::npos) break;
    bytes -= static_cast<std::int64_t>(end - data);
    media += image ? k_image_tokens : k_document_tokens;
    at = end;
  }
  return bytes / k_bytes_per_token + 1 + media;
}

}  // namespace yume::gemini
