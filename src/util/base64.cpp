// SPDX-License-Identifier: MIT
#include "util/base64.h"

#include <algorithm>
#include <array>
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

constexpr std::uint8_t k_no_digit = 64;

constexpr std::array<std::uint8_t, 256> digit_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(k_no_digit);
  for (std::size_t i = 0; i < k_standard.size(); ++i) {
    values[static_cast<unsigned char>(k_standard[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}
constexpr std::array<std::uint8_t, 256> k_values = digit_values();

std::uint8_t value_of(char c) {
  return k_values[static_cast<unsigned char>(c)];
}

// Without its padding; nullopt when no bytes have this many digits.
std::optional<std::string_view> digits_of(std::string_view text) {
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  return text.size() % 4 == 1 ? std::nullopt : std::optional(text);
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

std::optional<std::string> from_base64(std::string_view text, std::size_t most) {
  const auto digits = digits_of(text);
  if (!digits) return std::nullopt;
  std::string bytes;
  bytes.reserve(std::min(most, digits->size() / 4 * 3 + 3));
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : *digits) {
    if (bytes.size() >= most) break;
    const std::uint8_t value = value_of(c);
    if (value == k_no_digit) return std::nullopt;
    bits = (bits << 6U) | value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>((bits >> count) & 0xFFU));
  }
  return bytes;
}

bool is_base64(std::string_view text) {
  const auto digits = digits_of(text);
  return digits && !digits->empty() && std::all_of(digits->begin(), digits->end(), [](char c) {
           return value_of(c) != k_no_digit;
         });
}

}  // namespace yume
