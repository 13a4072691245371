// SPDX-License-Identifier: MIT
// Which proxy a request goes through, by the variables every Unix tool reads. Decided here and not
// inside libcurl, because an error has to name the proxy and libcurl does not say which it took.
// Values only, no I/O.
#pragma once

#include <string>
#include <string_view>

#include "platform/environment.h"
#include "util/secret.h"

namespace yume::net {

struct Proxy {
  std::string variable;  // where it was named, for messages
  Secret address;        // may hold a password
};

struct ProxySettings {
  Proxy for_http;   // http_proxy; not HTTP_PROXY, which a web server sets from a request's header
  Proxy for_https;  // https_proxy or HTTPS_PROXY
  std::string exceptions;  // no_proxy or NO_PROXY
};

// all_proxy or ALL_PROXY stands in for either; lower case wins.
ProxySettings read_proxy_settings(const platform::Environment& environment);

// Null: straight to the host. `host` as in a URL, so IPv6 in brackets. What stays on this machine
// or on its link needs no proxy. Exceptions are names with their subdomains, addresses, IPv4
// networks ("10.0.0.0/8") or "*", separated by commas or blanks.
const Proxy* choose_proxy(const ProxySettings& settings, std::string_view scheme,
                          std::string_view host);

// By address, not by name: 127.example.com may be anywhere.
bool is_loopback(std::string_view host);

}  // namespace yume::net
