// SPDX-License-Identifier: MIT
#include "util/path_text.h"

#include "util/utf8.h"

namespace yume {
namespace {

using Native = std::filesystem::path::string_type;

// One of each pair is used, by what a path is made of.
[[maybe_unused]] std::string text_of(const std::string& native) {
  return native;
}
[[maybe_unused]] std::string text_of(const std::wstring& native) {
  return utf8_from_utf16(std::u16string(native.begin(), native.end()));
}

[[maybe_unused]] void assign(std::string& native, std::string_view text) {
  native = text;
}
[[maybe_unused]] void assign(std::wstring& native, std::string_view text) {
  const std::u16string units = utf16_from_utf8(text);
  native.assign(units.begin(), units.end());
}

}  // namespace

std::string to_utf8(const std::filesystem::path& path) {
  return text_of(path.native());
}

std::string to_generic_utf8(const std::filesystem::path& path) {
  return text_of(path.generic_string<Native::value_type>());
}

std::filesystem::path path_from_utf8(std::string_view text) {
  Native native;
  assign(native, text);
  return std::filesystem::path(std::move(native));
}

}  // namespace yume
