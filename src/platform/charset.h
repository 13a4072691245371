// SPDX-License-Identifier: MIT
// Text in the encodings that were used before Unicode, as the system knows them: iconv has tables
// for all of them, and is kept with the system. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "util/result.h"

namespace yume::platform {

// Each in the form that browsers mean by the name, which often is a later, larger one.
enum class Charset {
  big5,     // with the characters of Hong Kong
  euc_jp,   // with those of NEC and IBM
  euc_kr,   // windows-949
  gb18030,  // holds GB2312 and GBK
  ibm866,
  iso_2022_jp,
  iso_8859_2,
  iso_8859_3,
  iso_8859_4,
  iso_8859_5,
  iso_8859_6,
  iso_8859_7,
  iso_8859_8,
  iso_8859_10,
  iso_8859_13,
  iso_8859_14,
  iso_8859_15,
  iso_8859_16,
  koi8_r,
  koi8_u,
  macintosh,
  shift_jis,  // windows-31j
  windows_874,
  windows_1250,
  windows_1251,
  windows_1253,
  windows_1254,
  windows_1255,
  windows_1256,
  windows_1257,
  windows_1258,
  x_mac_cyrillic,
};

// `bytes` as UTF-8; U+FFFD for what is none of the encoding's characters. not_found when the system
// does not know the encoding.
Result<std::string> decode_text(std::string_view bytes, Charset charset);

}  // namespace yume::platform
