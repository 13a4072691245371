// SPDX-License-Identifier: MIT
#include "core/media_header.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace yume::core {
namespace {

using namespace std::string_view_literals;

// Bytes as numbers; what lies outside is 0.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  std::uint32_t at(std::size_t index) const {
    return index < bytes_.size() ? static_cast<unsigned char>(bytes_[index]) : 0U;
  }
  std::uint32_t big16(std::size_t at_) const { return (at(at_) << 8U) | at(at_ + 1); }
  std::uint32_t big32(std::size_t at_) const { return (big16(at_) << 16U) | big16(at_ + 2); }
  std::uint32_t little16(std::size_t at_) const { return (at(at_ + 1) << 8U) | at(at_); }
  std::uint32_t little24(std::size_t at_) const { return (at(at_ + 2) << 16U) | little16(at_); }
  bool has(std::size_t index, std::string_view text) const {
    return index <= bytes_.size() && bytes_.substr(index).starts_with(text);
  }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

ImageSize png_size(const Bytes& bytes) {
  constexpr std::size_t k_header = 12;  // signature and length of the first chunk
  if (!bytes.has(k_header, "IHDR")) return {};
  return {bytes.big32(16), bytes.big32(20)};
}

ImageSize gif_size(const Bytes& bytes) {
  return {bytes.little16(6), bytes.little16(8)};
}

// Start-of-frame markers carry the size; C4, C8 and CC in their range are something else.
bool is_frame(std::uint32_t marker) {
  return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

bool stands_alone(std::uint32_t marker) {
  return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
}

ImageSize jpeg_size(const Bytes& bytes) {
  std::size_t at = 2;
  while (at + 4 <= bytes.size()) {
    if (bytes.at(at) != 0xFF) {  // decoders pass over what stands between two segments
      ++at;
      continue;
    }
    const std::uint32_t marker = bytes.at(at + 1);
    if (marker == 0xFF || stands_alone(marker)) {  // fill byte, or no content
      at += marker == 0xFF ? 1 : 2;
    } else if (is_frame(marker)) {
      return {bytes.big16(at + 7), bytes.big16(at + 5)};
    } else if (marker == 0xDA || marker == 0xD9) {
      return {};  // the picture itself, or its end
    } else {
      at += 2 + std::max<std::size_t>(bytes.big16(at + 2), 2);
    }
  }
  return {};
}

ImageSize webp_size(const Bytes& bytes) {
  constexpr std::uint32_t k_14_bits = 0x3FFF;
  if (bytes.has(12, "VP8X")) return {bytes.little24(24) + 1, bytes.little24(27) + 1};
  if (bytes.has(12, "VP8L") && bytes.at(20) == 0x2F) {
    const std::uint32_t bits = bytes.little24(21) | (bytes.at(24) << 24U);
    return {(bits & k_14_bits) + 1, ((bits >> 14U) & k_14_bits) + 1};
  }
  if (bytes.has(12, "VP8 ") && bytes.has(23, "\x9D\x01\x2A")) {
    return {bytes.little16(26) & k_14_bits, bytes.little16(28) & k_14_bits};
  }
  return {};
}

}  // namespace

std::string_view media_type_of(std::string_view beginning) {
  const Bytes bytes(beginning);
  if (bytes.has(0, "\x89PNG\r\n\x1A\n")) return "image/png";
  if (bytes.has(0, "\xFF\xD8\xFF")) return "image/jpeg";
  if (bytes.has(0, "GIF87a") || bytes.has(0, "GIF89a")) return "image/gif";
  if (bytes.has(0, "RIFF") && bytes.has(8, "WEBP")) return "image/webp";
  if (bytes.has(0, "%PDF-")) return "application/pdf";
  constexpr std::array k_heic = {"heic"sv, "heix"sv, "heim"sv, "heis"sv, "hevc"sv, "hevx"sv};
  constexpr std::array k_heif = {"mif1"sv, "msf1"sv, "heif"sv};
  const auto is_brand = [&bytes](std::string_view brand) { return bytes.has(8, brand); };
  if (bytes.has(4, "ftyp")) {
    if (std::any_of(k_heic.begin(), k_heic.end(), is_brand)) return "image/heic";
    if (std::any_of(k_heif.begin(), k_heif.end(), is_brand)) return "image/heif";
  }
  return {};
}

std::optional<ImageSize> image_size(std::string_view bytes) {
  const std::string_view type = media_type_of(bytes);
  const Bytes header(bytes);
  ImageSize size;
  if (type == "image/png") size = png_size(header);
  if (type == "image/jpeg") size = jpeg_size(header);
  if (type == "image/gif") size = gif_size(header);
  if (type == "image/webp") size = webp_size(header);
  if (size.width == 0 || size.height == 0) return std::nullopt;
  return size;
}

std::optional<std::string_view> media_problem(std::string_view bytes) {
  constexpr std::size_t k_smallest_png = 57;  // signature, IHDR, and two empty chunks
  constexpr std::size_t k_smallest_gif = 14;  // signature, screen, and one byte more
  constexpr std::size_t k_smallest_heic = 32;
  constexpr std::string_view k_no_header = "its header is cut off or damaged";
  const std::string_view type = media_type_of(bytes);
  if (type.empty()) return "its bytes are no PNG, JPEG, GIF, WebP, HEIC or PDF";
  if (type == "application/pdf") {
    // Every page is an object, or in one; not even a compressed PDF has none in plain sight.
    const bool has_objects = bytes.find(" obj") != std::string_view::npos;
    return has_objects ? std::nullopt : std::optional<std::string_view>("it has no pages");
  }
  const bool sized = type == "image/png" || type == "image/jpeg" || type == "image/webp";
  const bool too_short = (type == "image/png" && bytes.size() < k_smallest_png) ||
                         (type == "image/gif" && bytes.size() < k_smallest_gif) ||
                         (type.starts_with("image/hei") && bytes.size() < k_smallest_heic);
  if (too_short || (sized && !image_size(bytes))) return k_no_header;
  return std::nullopt;
}

}  // namespace yume::core
