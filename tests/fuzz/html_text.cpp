// SPDX-License-Identifier: MIT
// A page of any bytes: reading it ends, in valid UTF-8 and in lines that end in no blank. gumbo is
// fuzzed along.
#include "tools/web/html_text.h"
#include "platform/clock.h"
#include "tools/web/charset.h"
#include "util/utf8.h"

#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace yume;
  using namespace yume::tools::web;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const platform::SystemClock clock;
  const auto resolve = [](std::string_view base, std::string_view link) {
    return std::string(base) + std::string(link);
  };
  for (const char* charset : {"utf-8", "windows-1252", "utf-16le", "gbk", "big5", "iso-2022-jp"}) {
    const auto text = to_utf8(bytes, charset);
    if (!text.ok() || !is_valid_utf8(*text)) std::abort();
    const auto page = html_to_text(*text, resolve, clock);
    if (!page.ok()) continue;
    if (!is_valid_utf8(page->text) || page->text.find(" \n") != std::string::npos) std::abort();
  }
  [[maybe_unused]] const std::string charset = detect_charset(bytes, "");
  return 0;
}
