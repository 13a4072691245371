// SPDX-License-Identifier: MIT
// From the bytes of a page to UTF-8, whatever encoding browsers know it is in.
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

// The encoding of a page: its byte order mark, else the header, else a <meta> or an XML declaration
// at its beginning, else what the bytes look like. In lower case. A name that is not known here is
// passed over when anything else says what the encoding is.
std::string detect_charset(std::string_view bytes, std::string_view header_charset);

// Bytes that do not fit become U+FFFD. invalid_argument for an encoding that is not known here, or
// not to the system.
Result<std::string> to_utf8(std::string_view bytes, std::string_view charset);

}  // namespace yume::tools::web
