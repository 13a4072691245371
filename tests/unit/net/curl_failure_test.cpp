// SPDX-License-Identifier: MIT
#include "net/curl_failure.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace yume::net {
namespace {

const UrlParts k_url{.scheme = "https", .host = "api.example", .port = "443"};

Proxy proxy_at(const std::string& address) {
  return {.variable = "HTTPS_PROXY", .address = Secret(address)};
}

TEST(CurlFailure, NamesTheVariableAndNotTheAddressOfABadProxy) {
  for (const char* address :
       {"ftp://u:secret@h:1", "http://u:secret@[", "http://u:secret@h:99999"}) {
    const auto place = parse_proxy(proxy_at(address));
    ASSERT_FALSE(place.ok()) << address;
    EXPECT_EQ(place.error().message,
              "the proxy address in HTTPS_PROXY cannot be used; write it as http://host:port");
  }
}

TEST(CurlFailure, ReadsAProxysPlaceAsLibcurlDoes) {
  EXPECT_EQ(parse_proxy(proxy_at("host"))->place, "host:1080");
  EXPECT_EQ(parse_proxy(proxy_at("host:3128"))->place, "host:3128");
  EXPECT_EQ(parse_proxy(proxy_at("https://host"))->place, "host:443");
  EXPECT_FALSE(parse_proxy(proxy_at("socks5h://host:1"))->has_user);
  EXPECT_TRUE(parse_proxy(proxy_at("http://u:p@host:1"))->has_user);
}

ErrorCode code_of(CURLcode code) {
  return describe({.code = code, .detail = {}}, k_url, std::nullopt).code;
}

TEST(CurlFailure, TellsTheNetworkFromWhatAnotherTryCannotHelp) {
  EXPECT_EQ(code_of(CURLE_SSL_CONNECT_ERROR), ErrorCode::network);
  EXPECT_EQ(code_of(CURLE_COULDNT_CONNECT), ErrorCode::network);
  EXPECT_EQ(code_of(CURLE_HTTP2_STREAM), ErrorCode::network);
  EXPECT_EQ(code_of(CURLE_OPERATION_TIMEDOUT), ErrorCode::network);
  EXPECT_EQ(code_of(CURLE_COULDNT_RESOLVE_HOST), ErrorCode::not_found);
  EXPECT_EQ(code_of(CURLE_PEER_FAILED_VERIFICATION), ErrorCode::tls);
  EXPECT_EQ(code_of(CURLE_SSL_CACERT_BADFILE), ErrorCode::tls);
  EXPECT_EQ(code_of(CURLE_OUT_OF_MEMORY), ErrorCode::internal);
}

TEST(CurlFailure, GivesLibcurlsReasonAndItsPlace) {
  const Error error = describe({.code = CURLE_RECV_ERROR, .detail = "reset"}, k_url, std::nullopt);
  EXPECT_EQ(error.message, "connection to api.example:443 broke: reset");
}

TEST(CurlFailure, SaysWhyAConnectionWasNotMade) {
  const Error error = describe({.code = CURLE_COULDNT_CONNECT,
                                .detail = "Couldn't connect to server",
                                .os_error = ECONNREFUSED},
                               k_url, std::nullopt);
  EXPECT_EQ(error.message, "cannot connect to api.example:443: Connection refused");
}

Error answered_by_proxy(long status, const std::string& address) {
  const Proxy proxy = proxy_at(address);
  return describe({.code = CURLE_RECV_ERROR, .detail = {}, .connect_status = status}, k_url,
                  UsedProxy{.proxy = proxy, .place = *parse_proxy(proxy)});
}

TEST(CurlFailure, TriesAgainOnlyWhenTheProxyMayRecover) {
  EXPECT_EQ(answered_by_proxy(407, "http://h:1").code, ErrorCode::auth);
  EXPECT_EQ(answered_by_proxy(403, "http://h:1").code, ErrorCode::permission_denied);
  EXPECT_EQ(answered_by_proxy(503, "http://h:1").code, ErrorCode::network);
}

TEST(CurlFailure, TellsAMissingFromAWrongProxyPassword) {
  EXPECT_EQ(answered_by_proxy(407, "http://u:secret@h:1").message,
            "the proxy h:1 (from HTTPS_PROXY) refuses the user name or password given there (407, "
            "proxy authentication)");
  EXPECT_EQ(answered_by_proxy(407, "http://h:1").message,
            "the proxy h:1 (from HTTPS_PROXY) wants proxy authentication (407); write user and "
            "password into the variable: http://user:password@host:port");
}

}  // namespace
}  // namespace yume::net
