// SPDX-License-Identifier: MIT
#include "transcript/convert/derived_uuid.h"

#include <array>
#include <cstdint>
#include <cstdio>

namespace yume::transcript {
namespace {

// FNV-1a: the same on every system and in every version, unlike std::hash.
std::uint64_t hash_of(std::string_view text, std::uint64_t basis) {
  for (const char c : text) {
    basis = (basis ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  return basis;
}

}  // namespace

std::string derived_uuid(std::string_view name) {
  const std::uint64_t first = hash_of(name, 0xCBF29CE484222325U);
  const std::uint64_t second = hash_of(name, first ^ 0x9E3779B97F4A7C15U);
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%08x-%04x-8%03x-%04x-%012llx",
                static_cast<unsigned>(first >> 32U), static_cast<unsigned>(first >> 16U) & 0xFFFFU,
                static_cast<unsigned>(first) & 0xFFFU,
                (static_cast<unsigned>(second >> 48U) & 0x3FFFU) | 0x8000U,
                static_cast<unsigned long long>(second & 0xFFFFFFFFFFFFU));
  return text.data();
}

}  // namespace yume::transcript
