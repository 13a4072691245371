// SPDX-License-Identifier: MIT
#include "net/http.h"

#include <algorithm>

namespace yume::net {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::string_view HttpHead::header(std::string_view name) const {
  const auto found = std::find_if(headers.rbegin(), headers.rend(),
                                  [name](const Header& h) { return same_name(h.name, name); });
  return found == headers.rend() ? std::string_view{} : std::string_view(found->value);
}

}  // namespace yume::net
