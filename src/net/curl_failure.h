// SPDX-License-Identifier: MIT
// What went wrong below HTTP, in words for a person: which machine, why, and what to do about it.
// The error code decides whether asking again can help (agent/retry_policy).
#pragma once

#include <curl/curl.h>

#include <optional>
#include <string>

#include "net/curl_url.h"
#include "net/proxy.h"
#include "util/result.h"

namespace yume::net {

struct UsedProxy {
  const Proxy& proxy;
  ProxyPlace place;
};

struct CurlFailure {
  CURLcode code = CURLE_OK;
  std::string detail;            // libcurl's own words; empty: none
  long os_error = 0;             // errno of a connection that was not made; 0: unknown
  long connect_status = 0;       // the proxy's answer to CONNECT; 0: none
  long verify_result = 0;        // OpenSSL's verdict on the server's certificate
  long proxy_verify_result = 0;  // and on an https proxy's
};

// Reads what the handle knows about its last transfer.
CurlFailure read_failure(CURL* easy, CURLcode code, std::string detail);

Error describe(const CurlFailure& failure, const UrlParts& url,
               const std::optional<UsedProxy>& proxy);

}  // namespace yume::net
