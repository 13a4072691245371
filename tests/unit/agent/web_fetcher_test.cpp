// SPDX-License-Identifier: MIT
// Over real connections to servers on loopback.
#include "agent/web_fetcher.h"

#include "demo/scripted_server.h"
#include "net/curl_transport.h"
#include "platform/clock.h"
#include "support/http_script.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::agent {
namespace {

using tools::web::WebPage;

std::unique_ptr<demo::ScriptedServer> serve(const std::vector<std::string>& answers) {
  std::vector<demo::Answer> scripts;
  for (const std::string& answer : answers) {
    auto script = test::parse_http_script(answer);
    EXPECT_TRUE(script.ok());
    scripts.push_back(test::to_answer(std::move(script).value()));
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
  EXPECT_EQ(names, (std::vector<std::string>{"Accept", "Accept-Encoding", "Accept-Language", "Host",
                                             "User-Agent"}));
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

std::string compressed(const std::string& how, const std::string& bytes) {
  return "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Encoding: " + how + "\n\n#raw " +
         bytes + "\n";
}

TEST_F(Fetching, UnpacksWhatServersCompress) {
  struct Row {
    const char* how;
    const char* bytes;
  };
  const std::vector<Row> table = {
      {"gzip",
       "\\x1f\\x8b\\x08\\x00\\x00\\x00\\x00\\x00\\x02\\x03\\xcb\\x48\\xcd\\xc9\\xc9\\xd7"
       "\\x51\\x48\\xce\\xcf\\x2d\\x28\\x4a\\x2d\\x2e\\x4e\\x4d\\x51\\x28\\x48\\x4c\\x4f"
       "\\xe5\\x02\\x00\\xa6\\xa3\\xee\\x06\\x17\\x00\\x00\\x00"},
      {"x-gzip",
       "\\x1f\\x8b\\x08\\x00\\x00\\x00\\x00\\x00\\x02\\x03\\xcb\\x48\\xcd\\xc9\\xc9\\xd7"
       "\\x51\\x48\\xce\\xcf\\x2d\\x28\\x4a\\x2d\\x2e\\x4e\\x4d\\x51\\x28\\x48\\x4c\\x4f"
       "\\xe5\\x02\\x00\\xa6\\xa3\\xee\\x06\\x17\\x00\\x00\\x00"},
      {"deflate",
       "\\x78\\x9c\\xcb\\x48\\xcd\\xc9\\xc9\\xd7\\x51\\x48\\xce\\xcf\\x2d\\x28\\x4a\\x2d"
       "\\x2e\\x4e\\x4d\\x51\\x28\\x48\\x4c\\x4f\\xe5\\x02\\x00\\x67\\xce\\x08\\x5d"},
      {"deflate",  // without the header it should have
       "\\xcb\\x48\\xcd\\xc9\\xc9\\xd7\\x51\\x48\\xce\\xcf\\x2d\\x28\\x4a\\x2d\\x2e\\x4e"
       "\\x4d\\x51\\x28\\x48\\x4c\\x4f\\xe5\\x02\\x00"},
      {"gzip, gzip",
       "\\x1f\\x8b\\x08\\x00\\x00\\x00\\x00\\x00\\x02\\x03\\x93\\xef\\xe6\\x60\\x00\\x01"
       "\\x26\\xe6\\xd3\\x1e\\x67\\x4f\\x9e\\xbc\\x1e\\xe8\\x71\\xee\\xbc\\xae\\x86\\x97"
       "\\xae\\x9e\\x9f\\x6f\\xa0\\x86\\x87\\x8f\\xff\\x53\\x26\\x86\\x65\\x8b\\xdf\\xb1"
       "\\x89\\x03\\x95\\x00\\x00\\x8f\\x8d\\x62\\x88\\x2b\\x00\\x00\\x00"},
      {"br",
       "\\x1b\\x16\\x00\\xf8\\xa5\\x15\\x40\\xc8\\xca\\xf4\\x20\\x8a\\x68\\x02\\x8c\\x2c"
       "\\xe2\\xa2\\x8e\\xc8\\xe9\\x07\\xbd\\x93\\x00"}};
  for (const Row& row : table) {
    const auto server = serve({compressed(row.how, row.bytes)});
    const auto got = fetch(server->base_url());
    ASSERT_TRUE(got.ok()) << row.how << ": " << got.error().message;
    EXPECT_EQ(got->body, "hello, compressed page\n") << row.how;
    EXPECT_FALSE(got->cut);
  }
}

// 64 MB in 106 bytes.
TEST_F(Fetching, UnpacksNoMoreThanTheLimit) {
  const auto server = serve(
      {compressed("br",
                  "\\xcb\\xff\\xff\\x3f\\xf8\\x25\\xf0\\xe2\\xb1\\x40\\x20\\xf7\\xfe\\x8f\\xff\\xff"
                  "\\x7f\\xf0\\x4b\\x00\\xc4\\x61\\x11\\x80\\xee\\xfd\\x1f\\xff\\xff\\xff\\xe0\\x97"
                  "\\x00\\x88\\xc3\\x02\\x00\\xdd\\xfb\\x3f\\xfe\\xff\\xff\\xc1\\x2f\\x01\\x10\\x87"
                  "\\x05\\x00\\xba\\xf7\\x7f\\xfc\\xff\\xff\\x83\\x5f\\x02\\x20\\x0e\\x0b\\x00\\x74"
                  "\\xef\\xff\\xf8\\xff\\xff\\x07\\xbf\\x04\\x40\\x1c\\x16\\x00\\xe8\\xde\\xff\\xf1"
                  "\\xff\\xff\\x0f\\x7e\\x09\\x80\\x38\\x2c\\x00\\xd0\\xbd\\xff\\xcb\\xff\\xff\\x3f"
                  "\\xfc\\x12\\x00\\x71\\x58\\x00\\xa0\\x7b\\xff\\x07")});
  const auto got = fetch(server->base_url(), true, {.body = 100'000});
  ASSERT_TRUE(got.ok()) << got.error().message;
  EXPECT_TRUE(got->cut);
  EXPECT_EQ(got->body, std::string(100'000, 'x'));
}

TEST_F(Fetching, SaysWhatCannotBeUnpacked) {
  for (const char* how : {"gzip", "br", "snappy"}) {
    const auto server = serve({compressed(how, "\\xffno")});
    const auto got = fetch(server->base_url());
    ASSERT_FALSE(got.ok()) << how;
    EXPECT_EQ(got.error().code, ErrorCode::protocol) << got.error().message;
    EXPECT_NE(got.error().message.find("cannot be unpacked"), std::string::npos);
  }
}

TEST_F(Fetching, BringsTheTextOfAnError) {
  const auto server = serve({"HTTP/1.1 404 Not Found\nContent-Type: text/plain\n\nuse /v2\n",
                             "HTTP/1.1 500 No\nContent-Type: video/mp4\n\nx\n#stall\n"});
  const auto missing = fetch(server->base_url());
  ASSERT_TRUE(missing.ok()) << missing.error().message;
  EXPECT_EQ(missing->status, 404);
  EXPECT_EQ(missing->body, "use /v2\n");
  const auto broken = fetch(server->base_url());
  ASSERT_TRUE(broken.ok()) << broken.error().message;
  EXPECT_EQ(broken->status, 500);
  EXPECT_TRUE(broken->unwanted);
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
