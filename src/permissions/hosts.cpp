// SPDX-License-Identifier: MIT
#include "permissions/hosts.h"

#include "platform/ip_address.h"

#include <algorithm>

namespace yume::permissions {
namespace {

std::string plain(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.ends_with('.')) host.remove_suffix(1);
  std::string lower(host);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

}  // namespace

bool host_matches(std::string_view pattern, std::string_view host) {
  constexpr std::string_view k_below = "*.";
  const std::string actual = plain(host);
  if (actual.empty()) return false;
  if (pattern == "*") return true;
  if (!pattern.starts_with(k_below)) return plain(pattern) == actual;
  const std::string parent = plain(pattern.substr(k_below.size()));
  return !parent.empty() && actual.ends_with("." + parent) && actual.size() > parent.size() + 1;
}

bool is_own_name(std::string_view host) {
  const std::string name = plain(host);
  return name == "localhost" || platform::parse_ip_address(name).has_value();
}

}  // namespace yume::permissions
