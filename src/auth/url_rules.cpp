// SPDX-License-Identifier: MIT
#include "auth/url_rules.h"

#include <string_view>

#include "net/curl_url.h"
#include "net/proxy.h"

namespace yume::auth {
namespace {

constexpr std::string_view k_google = ".googleapis.com";
constexpr std::string_view k_link_local = "169.254.169.254";

Error refuse(const std::string& field, const char* why) {
  return {.code = ErrorCode::auth, .message = field + " " + why};
}

bool is_google(std::string host) {
  for (char& c : host) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return host.size() > k_google.size() && host.ends_with(k_google);
}

bool is_web(const std::string& scheme) {
  return scheme == "https" || scheme == "http";
}

}  // namespace

Result<void> check_google_url(const std::string& url, const std::string& field) {
  const auto parts = net::parse_url(url);
  if (!parts.ok() || !is_web(parts->scheme)) return refuse(field, "is not a web address");
  if (net::is_loopback(parts->host)) return {};
  if (parts->scheme != "https") return refuse(field, "is not an https address");
  if (!is_google(parts->host)) return refuse(field, "is not an address of Google's");
  return {};
}

Result<void> check_subject_url(const std::string& url) {
  const auto parts = net::parse_url(url);
  if (!parts.ok() || !is_web(parts->scheme)) {
    return refuse("credential_source.url", "is not a web address");
  }
  const bool fine =
      parts->scheme == "https" || net::is_loopback(parts->host) || parts->host == k_link_local;
  if (!fine) return refuse("credential_source.url", "is not an https address");
  return {};
}

bool is_https_or_loopback(const std::string& url) {
  const auto parts = net::parse_url(url);
  return parts.ok() && (parts->scheme == "https" || net::is_loopback(parts->host));
}

}  // namespace yume::auth
