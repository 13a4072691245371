// SPDX-License-Identifier: MIT
// What tests/tls cannot reach through the program: requests without a credential.
#include "net/curl_transport.h"

#include <gtest/gtest.h>

#include "demo/scripted_server.h"
#include "support/fake_clock.h"

#include <chrono>
#include <vector>

namespace yume::net {
namespace {

class Ignore final : public BodySink {
 public:
  bool on_head(const HttpHead& /*head*/) override { return true; }
  bool on_body(std::string_view /*bytes*/) override { return true; }
};

TEST(CurlTransport, SendsPlainHttpThroughHttpProxy) {
  const auto proxy = demo::ScriptedServer::start(
      {.responder = demo::answer_in_order({demo::plain_answer({.status = 204})})});
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

// Moves the clock with every comment, and lets the server go on when a silence is noticed.
class Waiting final : public BodySink {
 public:
  Waiting(test::FakeClock& clock, demo::ScriptedServer& server) : clock_(clock), server_(server) {}

  bool on_head(const HttpHead& /*head*/) override { return true; }
  bool on_body(std::string_view bytes) override {
    said_something_ = !bytes.starts_with(':');
    if (!said_something_) clock_.advance(std::chrono::milliseconds(15'000));
    return true;
  }
  [[nodiscard]] bool said_something() const override { return said_something_; }
  void on_silence(std::chrono::milliseconds so_far) override {
    silences.push_back(so_far);
    server_.open_gate("noticed");
  }

  std::vector<std::chrono::milliseconds> silences;

 private:
  test::FakeClock& clock_;
  demo::ScriptedServer& server_;
  bool said_something_ = true;
};

TEST(CurlTransport, NoticesASilenceThroughKeepAlive) {
  demo::Script script{
      .headers = {{"Connection", "close"}},
      .steps = {demo::SendBytes{":1"}, demo::SendBytes{":2"}, demo::WaitForGate{"noticed"},
                demo::SendBytes{"x"}, demo::CloseConnection{}}};
  const auto server = demo::ScriptedServer::start({.responder = demo::answer_in_order({script})});
  ASSERT_TRUE(server.ok());
  test::FakeClock clock;
  CurlTransport transport(clock, {});
  HttpRequest request;
  request.method = "GET";
  request.url = (*server)->base_url();
  request.deadlines.notice = std::chrono::milliseconds(10'000);
  request.deadlines.idle = std::chrono::milliseconds(60'000);
  Waiting sink(clock, **server);
  const CancelSource source;
  const auto head = transport.perform(request, sink, source.get_token());
  ASSERT_TRUE(head.ok()) << head.error().message;
  ASSERT_EQ(sink.silences.size(), 1U) << "once per silence";
  EXPECT_GE(sink.silences.front(), std::chrono::milliseconds(15'000));
}

}  // namespace
}  // namespace yume::net
