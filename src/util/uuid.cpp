// SPDX-License-Identifier: MIT
#include "util/uuid.h"

#include <cstdint>
#include <cstdio>
#include <random>

namespace yume {
namespace {

// By default libstdc++ asks the processor what it is and takes each number from it; a virtual
// machine intercepts the former and slows the latter down. The system's numbers are as good.
#if defined(__linux__) && defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE >= 12
constexpr const char* k_source = "getentropy";
#else
constexpr const char* k_source = "default";
#endif

}  // namespace

std::string random_hex(std::size_t digits) {
  thread_local std::random_device source(k_source);
  std::string hex;
  while (hex.size() < digits) {
    char block[9];
    std::snprintf(block, sizeof block, "%08x", static_cast<unsigned>(source()));
    hex += block;
  }
  hex.resize(digits);
  return hex;
}

std::string make_uuid() {
  std::string hex = random_hex(32);
  hex[12] = '4';                                              // version
  hex[16] = "89ab"[static_cast<unsigned char>(hex[16]) % 4];  // variant
  hex.insert(20, 1, '-').insert(16, 1, '-').insert(12, 1, '-').insert(8, 1, '-');
  return hex;
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool hex = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f') ||
                     (text[i] >= 'A' && text[i] <= 'F');
    if (dash ? text[i] != '-' : !hex) return false;
  }
  return true;
}

}  // namespace yume
