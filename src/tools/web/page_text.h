// SPDX-License-Identifier: MIT
// What a fetched page is to a model: its text in full, and one window of it. Pure but for the clock
// that bounds the HTML parser.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "platform/clock.h"
#include "tools/web/web_client.h"
#include "util/result.h"

namespace yume::tools::web {

enum class PageKind { html, text, media, unreadable };

// By the Content-Type header. Without one it is decided by the body.
PageKind kind_of(std::string_view content_type);

struct PageText {
  std::string title;
  std::string text;
  bool cut = false;
};

// Not for media. invalid_argument when the page is not text, or not in a known encoding.
Result<PageText> read_page(const WebPage& page, const WebClient& client,
                           const platform::Clock& clock);

struct TextWindow {
  std::string_view text;
  std::size_t first = 0;  // characters before it
  std::size_t end = 0;    // characters up to its end
  std::size_t total = 0;
};

// At most `length` characters from `offset` on, ending with a line where one ends near.
TextWindow window_of(std::string_view text, std::size_t offset, std::size_t length);

}  // namespace yume::tools::web
