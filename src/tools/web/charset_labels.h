// SPDX-License-Identifier: MIT
// The names of encodings as pages and servers write them, and what browsers mean by them. Pure.
#pragma once

#include <string_view>
#include <variant>

#include "platform/charset.h"

namespace yume::tools::web {

struct UnknownEncoding {
  friend bool operator==(const UnknownEncoding&, const UnknownEncoding&) = default;
};
enum class Unicode { utf8, utf16le, utf16be };
enum class Western { windows_1252 };  // and all that is taken for it: Latin-1, ASCII

using Encoding = std::variant<UnknownEncoding, Unicode, Western, platform::Charset>;

// Case and punctuation do not count.
Encoding encoding_of(std::string_view label);

}  // namespace yume::tools::web
