// SPDX-License-Identifier: MIT
// The parts of an address as libcurl will understand them, so that what is checked and what is
// connected to cannot differ.
#pragma once

#include <string>

#include "net/proxy.h"
#include "util/result.h"

namespace yume::net {

struct UrlParts {
  std::string scheme;
  std::string host;  // IPv6 in brackets
  std::string port;  // the scheme's own when none is given

  [[nodiscard]] std::string place() const { return host + ":" + port; }
};

Result<UrlParts> parse_url(const std::string& text);

// An address that a page may be fetched from.
struct WebAddress {
  std::string url;     // in libcurl's own spelling, without a fragment
  std::string scheme;  // "http" or "https"
  std::string host;    // in lower case, without a final dot, IPv6 without brackets
  std::string port;
};

// Plain http becomes https, unless a port or the host says that it is somebody's own server.
// Fails with invalid_argument for other schemes, a user in the address, and whatever two readers
// could understand differently: control characters, backslashes, names that are not ASCII.
Result<WebAddress> read_web_address(std::string text);

// `link` as it stands in a page at `base`, in full; empty when it does not lead to a web page.
std::string resolve_link(const std::string& base, const std::string& link);

struct ProxyPlace {
  std::string place;  // host:port
  bool has_user = false;
};

// Fails with invalid_argument for an address libcurl would refuse. The message names the variable,
// never the address: it may hold a password, and libcurl's own message would show it.
Result<ProxyPlace> parse_proxy(const Proxy& proxy);

}  // namespace yume::net
