// SPDX-License-Identifier: MIT
#include "net/curl_url.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <memory>

namespace yume::net {
namespace {

struct UrlDeleter {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, UrlDeleter>;

std::string url_part(const Url& url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, flags) != CURLUE_OK) return {};
  std::string copy = text;
  curl_free(text);
  return copy;
}

// libcurl's rules: a bare host is an http proxy, and without a port it listens on 1080.
std::string proxy_port(const Url& url, const std::string& scheme) {
  std::string port = url_part(url, CURLUPART_PORT);
  if (port.empty()) port = scheme == "https" ? "443" : "1080";
  return port;
}

}  // namespace

Result<UrlParts> parse_url(const std::string& text) {
  const Url url(curl_url());
  if (!url || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) {
    return Error{.code = ErrorCode::invalid_argument, .message = "not a valid URL: " + text};
  }
  return UrlParts{.scheme = url_part(url, CURLUPART_SCHEME),
                  .host = url_part(url, CURLUPART_HOST),
                  .port = url_part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT)};
}

Result<ProxyPlace> parse_proxy(const Proxy& proxy) {
  constexpr std::array k_schemes = {"http", "https", "socks4", "socks4a", "socks5", "socks5h"};
  const Url url(curl_url());
  const std::string address(proxy.address.reveal());
  const bool readable =
      url && curl_url_set(url.get(), CURLUPART_URL, address.c_str(),
                          CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME) == CURLUE_OK;
  const std::string scheme = readable ? url_part(url, CURLUPART_SCHEME) : std::string();
  if (std::find(k_schemes.begin(), k_schemes.end(), scheme) == k_schemes.end()) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "the proxy address in " + proxy.variable +
                            " cannot be used; write it as http://host:port"};
  }
  return ProxyPlace{.place = url_part(url, CURLUPART_HOST) + ":" + proxy_port(url, scheme),
                    .has_user = !url_part(url, CURLUPART_USER).empty()};
}

}  // namespace yume::net
