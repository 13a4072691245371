// SPDX-License-Identifier: MIT
// What tests/tls cannot reach through the program: requests without a credential.
#include "net/curl_transport.h"

#include <gtest/gtest.h>

#include "demo/scripted_server.h"

namespace yume::net {
namespace {

class Ignore final : public BodySink {
 public:
  bool on_head(const HttpHead& /*head*/) override { return true; }
  bool on_body(std::string_view /*bytes*/) override { return true; }
};

TEST(CurlTransport, SendsPlainHttpThroughHttpProxy) {
  const auto proxy = demo::ScriptedServer::start(
      {.responder = demo::answer_in_order({demo::plain_answer({.status = 204, .reason = "No"})})});
  ASSERT_TRUE(proxy.ok());
  CurlOptions options;
  options.proxies.for_http = {.variable = "http_proxy", .address = Secret((*proxy)->base_url())};
  const platform::SystemClock clock;
  CurlTransport transport(clock, options);
  HttpRequest request;
  request.method = "GET";
  request.url = "http://gemini.test/page";
  Ignore sink;
  const CancelSource source;
  const auto head = transport.perform(request, sink, source.get_token());
  ASSERT_TRUE(head.ok()) << head.error().message;
  EXPECT_EQ(head->status, 204);
  ASSERT_EQ((*proxy)->requests().size(), 1U);
  EXPECT_EQ((*proxy)->requests().front().target, "http://gemini.test/page");
}

// The name is judged by the address it turns out to have, before anything is connected.
TEST(CurlTransport, ConnectsToNoPrivateAddressWhenToldSo) {
  const auto server = demo::ScriptedServer::start(
      {.responder = demo::answer_in_order({demo::plain_answer({}), demo::plain_answer({})})});
  ASSERT_TRUE(server.ok());
  const std::string port = (*server)->base_url().substr((*server)->base_url().rfind(':'));
  const platform::SystemClock clock;
  CurlTransport transport(clock, {});
  Ignore sink;
  const CancelSource source;
  for (const std::string host : {"localhost", "127.0.0.1", "[::ffff:127.0.0.1]"}) {
    HttpRequest request;
    request.method = "GET";
    request.url = "http://" + host + port + "/";
    request.reach = Reach::public_addresses;
    const auto head = transport.perform(request, sink, source.get_token());
    ASSERT_FALSE(head.ok()) << host;
    EXPECT_EQ(head.error().code, ErrorCode::permission_denied) << head.error().message;
  }
  EXPECT_TRUE((*server)->requests().empty());
  HttpRequest request;
  request.method = "GET";
  request.url = (*server)->base_url();
  EXPECT_TRUE(transport.perform(request, sink, source.get_token()).ok());
}

}  // namespace
}  // namespace yume::net
