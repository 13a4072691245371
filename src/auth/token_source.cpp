// SPDX-License-Identifier: MIT
#include "auth/token_source.h"

#include <algorithm>
#include <cstdint>

namespace yume::auth {
namespace {

// Google's are some 200 bytes long; federated ones are documented up to 12 KB.
constexpr std::size_t k_shortest_token = 8;
constexpr std::size_t k_longest_token = 16 * 1024;

bool is_token_character(char c) {
  constexpr std::string_view k_signs = "-._~+/=";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         k_signs.find(c) != std::string_view::npos;
}

}  // namespace

bool is_access_token(std::string_view text) {
  return text.size() >= k_shortest_token && text.size() <= k_longest_token &&
         std::all_of(text.begin(), text.end(), is_token_character);
}

std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a: the same in every build and process
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  constexpr std::string_view k_digits = "0123456789abcdef";
  std::string digits(16, '0');
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash >>= 4U) {
    *digit = k_digits[hash & 15U];
  }
  return digits;
}

}  // namespace yume::auth
