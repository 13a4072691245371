// SPDX-License-Identifier: MIT
#include "net/curl_url.h"

#include "net/public_address.h"
#include "platform/ip_address.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

namespace yume::net {
namespace {

struct UrlDeleter {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, UrlDeleter>;

Url new_url() {
  Url url(curl_url());
  if (!url) throw std::bad_alloc();
  return url;
}

// Without memory an address must not become another one.
CURLUcode with_memory(CURLUcode code) {
  if (code == CURLUE_OUT_OF_MEMORY) throw std::bad_alloc();
  return code;
}

CURLUcode set(const Url& url, CURLUPart part, const char* text, unsigned flags = 0) {
  return with_memory(curl_url_set(url.get(), part, text, flags));
}

std::string url_part(const Url& url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (with_memory(curl_url_get(url.get(), part, &text, flags)) != CURLUE_OK) return {};
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

Error bad_address(const std::string& why) {
  return Error{.code = ErrorCode::invalid_argument, .message = why};
}

std::string plain_host(const Url& url) {
  std::string host = url_part(url, CURLUPART_HOST);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host.ends_with('.')) host.pop_back();
  std::transform(host.begin(), host.end(), host.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return host;
}

bool is_plain_name(std::string_view host) {
  const bool fine = std::all_of(host.begin(), host.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
  return fine && !host.empty() && !host.starts_with('.') && !host.ends_with('.') &&
         host.find("..") == std::string_view::npos;
}

// A server on this machine, its network or a port of its own has no https beside it.
bool stays_plain(const Url& url, const std::string& host) {
  const std::string port = url_part(url, CURLUPART_PORT);
  if ((!port.empty() && port != "80") || is_local_name(host)) return true;
  const auto address = platform::parse_ip_address(host);
  return address && !is_public(*address);
}

}  // namespace

Result<WebAddress> read_web_address(std::string text) {
  const bool odd = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\';
  });
  if (odd) return bad_address("the URL contains a control character or a backslash");
  const Url url = new_url();
  const CURLUcode read =
      set(url, CURLUPART_URL, text.c_str(),
          CURLU_DISALLOW_USER | CURLU_URLENCODE | CURLU_DEFAULT_SCHEME | CURLU_NON_SUPPORT_SCHEME);
  if (read == CURLUE_USER_NOT_ALLOWED) return bad_address("the URL contains a user or password");
  if (read != CURLUE_OK) return bad_address("not a valid URL: " + text);
  std::string scheme = url_part(url, CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") {
    return bad_address("only http and https can be fetched, not " + scheme);
  }
  const std::string host = plain_host(url);
  const bool is_v6 = url_part(url, CURLUPART_HOST).starts_with('[');
  if (!is_v6 && !is_plain_name(host)) {
    return bad_address("the host " + host +
                       " is not a plain name; write it with ASCII letters (xn--)");
  }
  set(url, CURLUPART_HOST, is_v6 ? ("[" + host + "]").c_str() : host.c_str());
  set(url, CURLUPART_FRAGMENT, nullptr);
  if (scheme == "http" && !stays_plain(url, host)) {
    scheme = "https";
    set(url, CURLUPART_SCHEME, "https");
    set(url, CURLUPART_PORT, nullptr);
  }
  return WebAddress{.url = url_part(url, CURLUPART_URL),
                    .scheme = scheme,
                    .host = host,
                    .port = url_part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT)};
}

std::string resolve_link(const std::string& base, const std::string& link) {
  const Url url = new_url();
  const bool fine = set(url, CURLUPART_URL, base.c_str()) == CURLUE_OK &&
                    set(url, CURLUPART_URL, link.c_str(),
                        CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK;
  const std::string scheme = fine ? url_part(url, CURLUPART_SCHEME) : std::string();
  return scheme == "http" || scheme == "https" ? url_part(url, CURLUPART_URL) : std::string();
}

Result<UrlParts> parse_url(const std::string& text) {
  const Url url = new_url();
  if (set(url, CURLUPART_URL, text.c_str()) != CURLUE_OK) {
    return Error{.code = ErrorCode::invalid_argument, .message = "not a valid URL: " + text};
  }
  return UrlParts{.scheme = url_part(url, CURLUPART_SCHEME),
                  .host = url_part(url, CURLUPART_HOST),
                  .port = url_part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT)};
}

Result<ProxyPlace> parse_proxy(const Proxy& proxy) {
  constexpr std::array k_schemes = {"http", "https", "socks4", "socks4a", "socks5", "socks5h"};
  const Url url = new_url();
  const std::string address(proxy.address.reveal());
  const bool readable = set(url, CURLUPART_URL, address.c_str(),
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
