// SPDX-License-Identifier: MIT
#include "app/hosts/quoting.h"

#include "util/json_tree.h"

#include <algorithm>

namespace yume::app {
namespace {

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  constexpr std::string_view k_others = "/._-+:@%,=";
  return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || k_others.find(c) != std::string_view::npos;
}

// In single quotes, a quote of its own spelled `quote`.
std::string in_single_quotes(std::string_view text, std::string_view quote) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += quote;
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

std::string for_posix_shell(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  return in_single_quotes(text, R"('\'')");
}

std::string for_powershell(std::string_view text) {
  return in_single_quotes(text, "''");
}

std::string for_lua(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out + "\"";
}

std::string for_javascript(std::string_view text) {
  return write_json(nlohmann::json(std::string(text)));
}

}  // namespace yume::app
