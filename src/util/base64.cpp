// SPDX-License-Identifier: MIT
#include "util/base64.h"

#include <cstdint>

namespace yume {
namespace {

constexpr std::string_view k_standard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view k_url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encode(std::string_view bytes, std::string_view alphabet) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = (bits << 8U) | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i <= group.size(); ++i) {
      text.push_back(alphabet[(bits >> (18U - 6U * i)) & 63U]);
    }
  }
  return text;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text = encode(bytes, k_standard);
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::string base64_url(std::string_view bytes) {
  return encode(bytes, k_url);
}

}  // namespace yume
