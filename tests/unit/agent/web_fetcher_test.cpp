// SPDX-License-Identifier: MIT
// Over real connections to servers on loopback.
#include "agent/web_fetcher.h"

#include "demo/scripted_server.h"
#include "net/curl_transport.h"
#include "platform/clock.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::agent {
namespace {

using tools::web::WebPage;

std::unique_ptr<demo::ScriptedServer> serve(const std::vector<std::string>& answers) {
  std::vector<demo::Script> scripts;
  for (const std::string& answer : answers) {
    auto script = demo::parse_script(answer);
    EXPECT_TRUE(script.ok());
    scripts.push_back(std::move(script).value());
  }
  auto server =
      demo::ScriptedServer::start({.responder = demo::answer_in_order(std::move(scripts))});
  EXPECT_TRUE(server.ok());
  return std::move(server).value();
}

std::string redirect(const std::string& to) {
  return "HTTP/1.1 302 Found\nLocation: " + to + "\nContent-Length: 2\n\n!\n";
}

std::string page(const std::string& body) {
  return "HTTP/1.1 200 OK\nContent-Type: text/plain\n\n" + body;
}

class Fetching : public testing::Test {
 protected:
  Result<WebPage> fetch(const std::string& url, bool private_addresses = true,
                        FetchLimits limits = {}) {
    WebFetcher fetcher([this] { return std::make_unique<net::CurlTransport>(clock_, options_); },
                       clock_, limits);
    auto read = fetcher.read(url);
    if (!read.ok()) return read.error();
    return fetcher.fetch({.url = std::move(read).value(),
                          .private_addresses = private_addresses,
                          .takes = [](std::string_view type) { return type != "video/mp4"; }},
                         source_.get_token());
  }

  platform::SystemClock clock_;
  net::CurlOptions options_;
  CancelSource source_;
};

std::string port_of(const demo::ScriptedServer& server) {
  return server.base_url().substr(server.base_url().rfind(':'));
}

TEST_F(Fetching, SendsNoCredentialOfAnyKind) {
  const auto server = serve({page("hello\n")});
  const auto got = fetch(server->base_url() + "/a?b=c#d");
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_EQ(got->body, "hello\n");
  EXPECT_EQ(got->url, server->base_url() + "/a?b=c");
  ASSERT_EQ(server->requests().size(), 1U);
  const auto request = server->requests().front();
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.target, "/a?b=c");
  std::vector<std::string> names;
  for (const auto& header : request.headers) names.push_back(header.name);
  EXPECT_EQ(names, (std::vector<std::string>{"Host", "Accept", "Accept-Language", "User-Agent"}));
}

TEST_F(Fetching, FollowsRedirectsOnTheSameServer) {
  const auto server = serve({redirect("/b"), redirect("c?d"), page("there")});
  const auto got = fetch(server->base_url() + "/x/a");
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_EQ(got->body, "there");
  EXPECT_EQ(got->url, server->base_url() + "/c?d");
}

TEST_F(Fetching, SendsNothingToAnotherServer) {
  const auto other = serve({page("stolen")});
  const std::vector<std::string> places = {
      other->base_url() + "/x",                     // another port
      "http://localhost" + port_of(*other) + "/x",  // another name
      "//127.0.0.2" + port_of(*other) + "/x",       // another address
  };
  for (const std::string& place : places) {
    const auto server = serve({redirect(place)});
    const auto got = fetch(server->base_url());
    ASSERT_TRUE(got.ok()) << got.error().message;
    EXPECT_EQ(got->redirect_to, place.starts_with("//") ? "http:" + place : place);
    EXPECT_EQ(got->body, "");
  }
  EXPECT_TRUE(other->requests().empty());
}

TEST_F(Fetching, RefusesRedirectsThatCannotBeFetched) {
  for (const char* place : {"file:///etc/passwd", "http://me:pw@127.0.0.1/"}) {
    const auto server = serve({redirect(place)});
    EXPECT_FALSE(fetch(server->base_url()).ok()) << place;
  }
}

TEST_F(Fetching, StopsAfterFiveRedirects) {
  const auto server = serve(std::vector<std::string>(8, redirect("/again")));
  const auto got = fetch(server->base_url());
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().message, "it redirects more than 5 times");
  EXPECT_EQ(server->requests().size(), 6U);
}

TEST_F(Fetching, RefusesThisMachineUnlessItWasNamed) {
  const auto server = serve({page("inside")});
  for (const std::string host : {"127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"}) {
    const auto got = fetch("http://" + host + port_of(*server) + "/", /*private_addresses=*/false);
    ASSERT_FALSE(got.ok()) << host;
    EXPECT_EQ(got.error().code, ErrorCode::permission_denied) << host;
  }
  EXPECT_TRUE(server->requests().empty());
}

// The proxy itself may be anywhere; what it is asked for is judged as far as it is written out.
TEST_F(Fetching, AsksAProxyForNoPrivateAddress) {
  const auto proxy = serve({page("by proxy")});
  options_.proxies.for_http = {.variable = "http_proxy", .address = Secret(proxy->base_url())};
  for (const char* url : {"http://10.0.0.1:81/", "http://app.localhost:81/"}) {
    const auto got = fetch(url, /*private_addresses=*/false);
    ASSERT_FALSE(got.ok()) << url;
    EXPECT_EQ(got.error().code, ErrorCode::permission_denied) << url;
  }
  EXPECT_TRUE(proxy->requests().empty());
  const auto got = fetch("http://page.test:81/x", /*private_addresses=*/false);
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_EQ(got->body, "by proxy");
  ASSERT_EQ(proxy->requests().size(), 1U);
  EXPECT_EQ(proxy->requests().front().target, "http://page.test:81/x");
}

TEST_F(Fetching, KeepsTheBeginningOfALongBody) {
  const auto server = serve({page(std::string(5'000, 'x'))});
  const auto got = fetch(server->base_url(), true, {.body = 1'000});
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_TRUE(got->cut);
  EXPECT_EQ(got->body, std::string(1'000, 'x'));
}

TEST_F(Fetching, KeepsABodyThatJustFits) {
  const auto server = serve({page(std::string(1'000, 'x'))});
  const auto got = fetch(server->base_url(), true, {.body = 1'000});
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_FALSE(got->cut);
}

TEST_F(Fetching, ReadsNoBodyThatNobodyWants) {
  const auto server = serve({"HTTP/1.1 200 OK\nContent-Type: video/mp4\n\nx\n#stall\n"});
  const auto got = fetch(server->base_url());
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_TRUE(got->unwanted);
  EXPECT_EQ(got->body, "");
}

TEST_F(Fetching, EndsWhenItsTimeIsOver) {
  const auto server = serve({"HTTP/1.1 200 OK\nContent-Type: text/plain\n\nx\n#stall\n"});
  const auto got = fetch(server->base_url(), true, {.total = std::chrono::milliseconds(50)});
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code, ErrorCode::timeout);
}

TEST_F(Fetching, EndsWhenTheTurnIsCancelled) {
  const auto server = serve({page("x")});
  source_.request_stop();
  const auto got = fetch(server->base_url());
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace yume::agent
