// SPDX-License-Identifier: MIT
// From the bytes of a page to UTF-8, as far as its encoding is one of those that the web is written
// in nearly always. Pure.
#pragma once

#include <string>
#include <string_view>

#include "util/result.h"

namespace yume::tools::web {

// A Content-Type header, taken apart; both in lower case, both perhaps empty.
struct ContentType {
  std::string mime;
  std::string charset;

  friend bool operator==(const ContentType&, const ContentType&) = default;
};

ContentType read_content_type(std::string_view header);

// The encoding of a page: its byte order mark, else the header, else a <meta> near its beginning,
// else what the bytes look like. In lower case.
std::string detect_charset(std::string_view bytes, std::string_view header_charset);

// Bytes that do not fit become U+FFFD. invalid_argument for an encoding that is not known here.
Result<std::string> to_utf8(std::string_view bytes, std::string_view charset);

}  // namespace yume::tools::web
