// SPDX-License-Identifier: MIT
#include "net/curl_failure.h"

#include <string_view>
#include <system_error>
#include <utility>

namespace yume::net {
namespace {

// X509_V_ERR_*: part of OpenSSL's stable interface.
constexpr long k_not_yet_valid = 9;
constexpr long k_expired = 10;
constexpr long k_self_signed = 18;
constexpr long k_first_without_verdict = 22;

std::string_view certificate_advice(long verify_result) {
  if (verify_result == k_not_yet_valid || verify_result == k_expired) {
    return "; check the clock of this machine";
  }
  if (verify_result >= k_self_signed && verify_result < k_first_without_verdict) {
    return "; if your network has a certificate authority of its own, name its PEM file in "
           "NODE_EXTRA_CA_CERTS";
  }
  return "";
}

Error bad_certificate(const CurlFailure& failure, const UrlParts& url, const std::string& why,
                      const std::optional<UsedProxy>& proxy) {
  const bool of_proxy = proxy && failure.proxy_verify_result != 0;
  const std::string whose = of_proxy ? "the proxy " + proxy->place.place : url.place();
  const long verdict = of_proxy ? failure.proxy_verify_result : failure.verify_result;
  std::string message = "certificate of " + whose + " cannot be trusted: " + why;
  message += certificate_advice(verdict);
  return {.code = ErrorCode::tls, .message = std::move(message)};
}

Error proxy_unreachable(const UrlParts& url, const std::string& why, const UsedProxy& proxy) {
  return {.code = ErrorCode::network,
          .message = "cannot reach the proxy " + proxy.place.place + " (from " +
                     proxy.proxy.variable + "): " + why + "; correct or unset " +
                     proxy.proxy.variable + ", or add " + url.host + " to NO_PROXY"};
}

Error proxy_refused(long status, const UrlParts& url, const UsedProxy& proxy) {
  const std::string who = "the proxy " + proxy.place.place + " (from " + proxy.proxy.variable + ")";
  if (status == 407 || status == 401) {  // tinyproxy says 401 to a wrong password
    const std::string advice =
        proxy.place.has_user
            ? " refuses the user name or password given there (" + std::to_string(status) +
                  ", proxy authentication)"
            : " wants proxy authentication (407); write user and password into the variable: "
              "http://user:password@host:port";
    return {.code = ErrorCode::auth, .message = who + advice};
  }
  // A proxy that is overloaded or cannot reach the host now may do so later.
  return {.code = status >= 500 ? ErrorCode::network : ErrorCode::permission_denied,
          .message = who + " does not connect to " + url.place() + ": it answered " +
                     std::to_string(status)};
}

Error without_proxy(const CurlFailure& failure, const UrlParts& url, const std::string& why) {
  const std::string where = url.place();
  switch (failure.code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {.code = ErrorCode::not_found, .message = "cannot resolve host " + url.host};
    case CURLE_COULDNT_CONNECT:
      return {.code = ErrorCode::network, .message = "cannot connect to " + where + ": " + why};
    case CURLE_OPERATION_TIMEDOUT:
      return {.code = ErrorCode::network, .message = "no connection to " + where + " in time"};
    case CURLE_SSL_CONNECT_ERROR:
      return {.code = ErrorCode::network,
              .message = "no secure connection to " + where + ": " + why};
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return {.code = ErrorCode::network, .message = "connection to " + where + " broke: " + why};
    case CURLE_BAD_CONTENT_ENCODING:
      return {.code = ErrorCode::protocol,
              .message = "the compressed answer of " + where + " cannot be unpacked: " + why};
    case CURLE_OUT_OF_MEMORY:
      return {.code = ErrorCode::internal, .message = "out of memory in the HTTP client"};
    default:
      return {.code = ErrorCode::network, .message = "request to " + where + " failed: " + why};
  }
}

// libcurl's words, but for a connection that was not made the system's: "Connection refused" says
// more than "Couldn't connect to server".
std::string reason_of(const CurlFailure& failure) {
  if (failure.code == CURLE_COULDNT_CONNECT && failure.os_error != 0) {
    return std::generic_category().message(static_cast<int>(failure.os_error));
  }
  return failure.detail.empty() ? curl_easy_strerror(failure.code) : failure.detail;
}

}  // namespace

CurlFailure read_failure(CURL* easy, CURLcode code, std::string detail) {
  CurlFailure failure{.code = code, .detail = std::move(detail)};
  curl_easy_getinfo(easy, CURLINFO_OS_ERRNO, &failure.os_error);
  curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &failure.connect_status);
  curl_easy_getinfo(easy, CURLINFO_SSL_VERIFYRESULT, &failure.verify_result);
  curl_easy_getinfo(easy, CURLINFO_PROXY_SSL_VERIFYRESULT, &failure.proxy_verify_result);
  return failure;
}

Error describe(const CurlFailure& failure, const UrlParts& url,
               const std::optional<UsedProxy>& proxy) {
  const std::string why = reason_of(failure);
  switch (failure.code) {
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return bad_certificate(failure, url, why, proxy);
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
      return {.code = ErrorCode::tls, .message = "cannot load the trusted certificates: " + why};
    default:
      break;
  }
  if (!proxy) return without_proxy(failure, url, why);
  if (failure.code == CURLE_COULDNT_CONNECT || failure.code == CURLE_COULDNT_RESOLVE_PROXY) {
    return proxy_unreachable(url, why, *proxy);
  }
  if (failure.connect_status >= 300) return proxy_refused(failure.connect_status, url, *proxy);
  Error error = without_proxy(failure, url, why);
  error.message += " (through the proxy " + proxy->place.place + ")";
  return error;
}

}  // namespace yume::net
