// SPDX-License-Identifier: MIT
#include "mcp/tool_names.h"

#include <array>
#include <charconv>
#include <cstdint>

namespace yume::mcp {
namespace {

constexpr std::size_t k_longest_name = 64;
constexpr std::size_t k_hash_digits = 8;

// FNV-1a: names have to differ, nothing has to be kept secret.
std::string hash_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619U;
  }
  std::array<char, k_hash_digits> digits{};
  const auto [end, failure] = std::to_chars(digits.begin(), digits.end(), hash, 16);
  std::string out(digits.begin(), end);
  out.insert(0, k_hash_digits - out.size(), '0');
  return out;
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-';
    if (!good) c = '_';
  }
  return out;
}

std::string tool_name(std::string_view server, std::string_view tool) {
  std::string name = "mcp__" + plain_name(server) + "__" + plain_name(tool);
  if (name.size() <= k_longest_name) return name;
  const std::string hash = hash_of(name);
  name.resize(k_longest_name - 1 - k_hash_digits);
  return name + "_" + hash;
}

}  // namespace yume::mcp
