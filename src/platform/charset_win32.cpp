// SPDX-License-Identifier: MIT
#include "platform/charset.h"

#include <optional>

#include "platform/handle_win32.h"

namespace yume::platform {
namespace {

constexpr std::string_view k_replacement = "\xEF\xBF\xBD";

// nullopt: this system has no table for it.
std::optional<UINT> code_page(Charset charset) {
  switch (charset) {
    case Charset::big5:
      return 950;
    case Charset::euc_jp:
      return 20932;
    case Charset::euc_kr:
      return 949;
    case Charset::gb18030:
      return 54936;
    case Charset::ibm866:
      return 866;
    case Charset::iso_2022_jp:
      return 50221;
    case Charset::iso_8859_2:
      return 28592;
    case Charset::iso_8859_3:
      return 28593;
    case Charset::iso_8859_4:
      return 28594;
    case Charset::iso_8859_5:
      return 28595;
    case Charset::iso_8859_6:
      return 28596;
    case Charset::iso_8859_7:
      return 28597;
    case Charset::iso_8859_8:
      return 28598;
    case Charset::iso_8859_13:
      return 28603;
    case Charset::iso_8859_15:
      return 28605;
    case Charset::koi8_r:
      return 20866;
    case Charset::koi8_u:
      return 21866;
    case Charset::macintosh:
      return 10000;
    case Charset::shift_jis:
      return 932;
    case Charset::windows_874:
      return 874;
    case Charset::windows_1250:
      return 1250;
    case Charset::windows_1251:
      return 1251;
    case Charset::windows_1253:
      return 1253;
    case Charset::windows_1254:
      return 1254;
    case Charset::windows_1255:
      return 1255;
    case Charset::windows_1256:
      return 1256;
    case Charset::windows_1257:
      return 1257;
    case Charset::windows_1258:
      return 1258;
    case Charset::x_mac_cyrillic:
      return 10007;
    case Charset::iso_8859_10:
    case Charset::iso_8859_14:
    case Charset::iso_8859_16:
      return std::nullopt;
  }
  return std::nullopt;
}

// Those that cannot be asked to refuse what is wrong: the system puts its own sign there.
bool refuses_nothing(UINT page) {
  return page == 50221;
}

std::optional<std::wstring> converted(std::string_view bytes, UINT page) {
  if (bytes.empty()) return std::wstring();
  const DWORD flags = refuses_nothing(page) ? 0 : MB_ERR_INVALID_CHARS;
  const int size = static_cast<int>(bytes.size());
  const int needed = ::MultiByteToWideChar(page, flags, bytes.data(), size, nullptr, 0);
  if (needed <= 0) return std::nullopt;
  std::wstring wide(static_cast<std::size_t>(needed), L'\0');
  ::MultiByteToWideChar(page, flags, bytes.data(), size, wide.data(), needed);
  return wide;
}

std::size_t character_length(std::string_view rest, UINT page) {
  const bool pair = ::IsDBCSLeadByteEx(page, static_cast<BYTE>(rest[0])) != 0;
  return pair && rest.size() > 1 ? 2 : 1;
}

// As browsers do: of a pair that means nothing the second byte goes too, unless it is ASCII.
std::size_t bad_length(std::string_view rest, std::size_t length) {
  return length == 2 && static_cast<unsigned char>(rest[1]) >= 0x80 ? 2 : 1;
}

std::string one_by_one(std::string_view bytes, UINT page) {
  std::string out;
  while (!bytes.empty()) {
    const std::size_t length = character_length(bytes, page);
    if (const auto wide = converted(bytes.substr(0, length), page)) {
      out += from_wide(*wide);
      bytes.remove_prefix(length);
    } else {
      out += k_replacement;
      bytes.remove_prefix(bad_length(bytes, length));
    }
  }
  return out;
}

}  // namespace

Result<std::string> decode_text(std::string_view bytes, Charset charset) {
  const auto page = code_page(charset);
  if (!page || ::IsValidCodePage(*page) == 0) {
    return Error{.code = ErrorCode::not_found,
                 .message = "this system has no table for the encoding"};
  }
  if (bytes.size() > (1U << 30U)) {
    return Error{.code = ErrorCode::too_large, .message = "the text is larger than a gigabyte"};
  }
  if (const auto wide = converted(bytes, *page)) return from_wide(*wide);
  return one_by_one(bytes, *page);
}

}  // namespace yume::platform
