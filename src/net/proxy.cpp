// SPDX-License-Identifier: MIT
#include "net/proxy.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <optional>

namespace yume::net {
namespace {

constexpr std::string_view k_separators = ", \t";
// Where a cloud's metadata server answers with tokens; a proxy on the way would get them.
constexpr std::string_view k_link_local = "169.254.0.0/16";

Proxy first_set(const platform::Environment& environment,
                std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (auto value = environment.get(name)) {
      return {.variable = name, .address = Secret(*std::move(value))};
    }
  }
  return {};
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::optional<std::uint32_t> parse_ipv4(std::string_view text) {
  std::uint32_t address = 0;
  for (int octet = 0; octet < 4; ++octet) {
    if (octet > 0) {
      if (!text.starts_with('.')) return std::nullopt;
      text.remove_prefix(1);
    }
    std::uint8_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    address = address << 8U | value;
  }
  if (!text.empty()) return std::nullopt;
  return address;
}

bool in_network(std::string_view host, std::string_view network) {
  const std::size_t slash = network.find('/');
  if (slash == network.npos) return false;
  const auto address = parse_ipv4(host);
  const auto base = parse_ipv4(network.substr(0, slash));
  const std::string_view length = network.substr(slash + 1);
  unsigned bits = 0;
  const auto [end, failure] = std::from_chars(length.data(), length.data() + length.size(), bits);
  const bool whole = failure == std::errc() && end == length.data() + length.size();
  if (!address || !base || !whole || bits > 32) return false;
  return bits == 0 || (*address ^ *base) >> (32U - bits) == 0;
}

bool excepts(std::string_view entry, std::string_view host) {
  if (entry == "*" || in_network(host, entry)) return true;
  while (entry.starts_with('.')) entry.remove_prefix(1);
  if (entry.empty() || host.size() < entry.size()) return false;
  if (!same_name(host.substr(host.size() - entry.size()), entry)) return false;
  // "example.com" is not for notexample.com, and "0.0.1" not for 10.0.0.1.
  if (host.size() == entry.size()) return true;
  return host[host.size() - entry.size() - 1] == '.' && !parse_ipv4(host);
}

}  // namespace

ProxySettings read_proxy_settings(const platform::Environment& environment) {
  return {
      .for_http = first_set(environment, {"http_proxy", "all_proxy", "ALL_PROXY"}),
      .for_https = first_set(environment, {"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}),
      .exceptions = environment.get("no_proxy").value_or(environment.get("NO_PROXY").value_or("")),
  };
}

const Proxy* choose_proxy(const ProxySettings& settings, std::string_view scheme,
                          std::string_view host) {
  const Proxy& proxy = scheme == "https" ? settings.for_https : settings.for_http;
  if (proxy.address.empty() || is_loopback(host) || in_network(host, k_link_local)) return nullptr;
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.ends_with('.')) host.remove_suffix(1);
  for (std::string_view rest = settings.exceptions; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(k_separators), rest.size());
    if (end > 0 && excepts(rest.substr(0, end), host)) return nullptr;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return &proxy;
}

bool is_loopback(std::string_view host) {
  const auto address = parse_ipv4(host);
  return (address && *address >> 24U == 127) || host == "localhost" || host == "[::1]";
}

}  // namespace yume::net
