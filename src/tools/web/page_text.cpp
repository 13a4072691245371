// SPDX-License-Identifier: MIT
#include "tools/web/page_text.h"

#include "tools/web/charset.h"
#include "tools/web/html_text.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>

namespace yume::tools::web {
namespace {

constexpr std::string_view k_replacement = "\xEF\xBF\xBD";  // for half a character

bool is_text_type(std::string_view mime) {
  constexpr std::array k_types = {
      "application/json",         "application/xml",        "application/javascript",
      "application/x-javascript", "application/ecmascript", "application/yaml",
      "application/x-yaml",       "application/toml",       "application/x-sh",
      "application/sql",          "application/x-ndjson",   "application/graphql"};
  return mime.starts_with("text/") || mime.ends_with("+json") || mime.ends_with("+xml") ||
         std::find(k_types.begin(), k_types.end(), mime) != k_types.end();
}

// What models take inline.
bool is_media_type(std::string_view mime) {
  constexpr std::array k_types = {"image/png", "image/jpeg", "image/webp", "application/pdf"};
  return std::find(k_types.begin(), k_types.end(), mime) != k_types.end();
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

// The byte at which the character with this number begins.
std::size_t byte_of(std::string_view text, std::size_t character) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
    if (begins && character-- == 0) break;
  }
  return at;
}

bool looks_like_html(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '<';
}

}  // namespace

PageKind kind_of(std::string_view content_type) {
  const std::string mime = read_content_type(content_type).mime;
  if (mime == "text/html" || mime == "application/xhtml+xml") return PageKind::html;
  if (mime.empty() || is_text_type(mime)) return PageKind::text;
  return is_media_type(mime) ? PageKind::media : PageKind::unreadable;
}

Result<PageText> read_page(const WebPage& page, const WebClient& client,
                           const platform::Clock& clock) {
  const std::string_view body = page.body;
  // The limit may be inside a character.
  const std::string_view sure = page.cut ? utf8_prefix(body, body.size() - 1) : body;
  const ContentType type = read_content_type(page.content_type);
  const std::string charset = detect_charset(sure, type.charset);
  if (!charset.starts_with("utf-16") && body.find('\0') != std::string_view::npos) {
    return Error{.code = ErrorCode::invalid_argument, .message = "its content is not text"};
  }
  YUME_TRY(std::string text, to_utf8(body, charset));
  if (page.cut && text.ends_with(k_replacement)) text.resize(text.size() - k_replacement.size());
  const bool html =
      kind_of(page.content_type) == PageKind::html || (type.mime.empty() && looks_like_html(text));
  if (!html) return PageText{.title = {}, .text = std::move(text), .cut = page.cut};
  const auto resolve = [&](std::string_view base, std::string_view link) {
    const std::string from = base.empty() ? page.url : client.resolve(page.url, base);
    return client.resolve(from.empty() ? page.url : from, link);
  };
  YUME_TRY(HtmlText read, html_to_text(text, resolve, clock));
  return PageText{
      .title = std::move(read.title), .text = std::move(read.text), .cut = page.cut || read.cut};
}

TextWindow window_of(std::string_view text, std::size_t offset, std::size_t length) {
  constexpr std::size_t k_near = 10;  // a tenth of the window may be given up for a whole line
  TextWindow window{.text = {}, .total = count_characters(text)};
  window.first = std::min(offset, window.total);
  const std::string_view rest = text.substr(byte_of(text, window.first));
  window.text = rest.substr(0, byte_of(rest, length));
  if (window.text.size() < rest.size()) {
    const std::size_t line = window.text.rfind('\n');
    const std::size_t least = window.text.size() - window.text.size() / k_near;
    if (line != std::string_view::npos && line >= least) {
      window.text = window.text.substr(0, line + 1);
    }
  }
  window.end = window.first + count_characters(window.text);
  return window;
}

}  // namespace yume::tools::web
