// SPDX-License-Identifier: MIT
#include "mcp/variables.h"

#include <algorithm>

namespace yume::mcp {
namespace {

bool is_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

}  // namespace

Result<std::string> expand(std::string_view text, const Lookup& lookup) {
  std::string out;
  while (!text.empty()) {
    const std::size_t begin = text.find("${");
    out += text.substr(0, begin);
    if (begin == std::string_view::npos) break;
    const std::size_t end = text.find('}', begin);
    const std::string_view inside = end == std::string_view::npos
                                        ? std::string_view()
                                        : text.substr(begin + 2, end - begin - 2);
    const std::size_t separator = inside.find(":-");
    const std::string_view name = inside.substr(0, separator);
    if (!is_name(name)) {
      out += "${";
      text.remove_prefix(begin + 2);
      continue;
    }
    if (auto value = lookup(name)) {
      out += *value;
    } else if (separator != std::string_view::npos) {
      out += inside.substr(separator + 2);
    } else {
      return Error{.code = ErrorCode::not_found,
                   .message = "the environment variable " + std::string(name) +
                              " is not set; set it, or write ${" + std::string(name) +
                              ":-something} to have a default"};
    }
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace yume::mcp
