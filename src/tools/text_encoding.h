// SPDX-License-Identifier: MIT
// How a file's bytes are to be read as text. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace yume::tools {

inline constexpr std::string_view k_utf8_mark = "\xEF\xBB\xBF";  // byte order mark

enum class Encoding {
  utf8,      // or ASCII, or a legacy encoding of which only ASCII is understood
  utf16_le,  // only with a byte order mark
  utf16_be,
  binary,  // a NUL byte near the beginning
};

// From the first bytes of a file; 8 KB are looked at.
Encoding encoding_of(std::string_view beginning);

// UTF-16 to UTF-8, in pieces of any size. What is not UTF-16 becomes U+FFFD.
class Utf16Decoder {
 public:
  explicit Utf16Decoder(Encoding encoding) : big_endian_(encoding == Encoding::utf16_be) {}
  void feed(std::string_view bytes, std::string& out);
  void finish(std::string& out);

 private:
  void unit(char16_t unit, std::string& out);

  bool big_endian_;
  int half_ = -1;       // the first byte of a unit
  char16_t lead_ = 0;   // a high surrogate that waits for its other half
  bool begun_ = false;  // the byte order mark is behind us
};

bool is_ascii(std::string_view text);

}  // namespace yume::tools
