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

struct ProxyPlace {
  std::string place;  // host:port
  bool has_user = false;
};

// Fails with invalid_argument for an address libcurl would refuse. The message names the variable,
// never the address: it may hold a password, and libcurl's own message would show it.
Result<ProxyPlace> parse_proxy(const Proxy& proxy);

}  // namespace yume::net
