// SPDX-License-Identifier: MIT
// What WebFetch needs of the network: reading an address, and fetching it once within limits. The
// implementation lives above this folder. Thread-safe; fetch() blocks.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "util/cancel.h"
#include "util/result.h"

namespace yume::tools::web {

// Made by WebClient::read, and by nobody else.
struct WebUrl {
  std::string url;   // as it will be asked for: http or https, no user, no fragment
  std::string host;  // in lower case, without a final dot; an IPv6 address without brackets
};

struct WebRequest {
  WebUrl url;
  bool private_addresses = false;  // the user named the host: this machine and its network are fine
  // Whether a body of this Content-Type (as sent, perhaps empty) is wanted.
  std::function<bool(std::string_view content_type)> takes;
};

struct WebPage {
  int status = 0;
  std::string url;  // after redirects
  std::string content_type = {};
  std::string body = {};         // as it was before it was compressed
  bool cut = false;              // there is more than the limit
  bool unwanted = false;         // `takes` said no: the body was not read
  std::string redirect_to = {};  // another host, which was not asked
};

class WebClient {
 public:
  virtual ~WebClient() = default;

  // invalid_argument for what cannot be fetched; the message says why.
  [[nodiscard]] virtual Result<WebUrl> read(const std::string& text) const = 0;

  // `link` as it stands in a page at `base`, in full; empty when it leads to no web page.
  [[nodiscard]] virtual std::string resolve(const std::string& base,
                                            std::string_view link) const = 0;

  // permission_denied when the host is at a private address, however it was named; timeout,
  // network, tls, cancelled. Every HTTP status is a page, those of errors with their text.
  virtual Result<WebPage> fetch(const WebRequest& request, const CancelToken& cancel) = 0;
};

}  // namespace yume::tools::web
