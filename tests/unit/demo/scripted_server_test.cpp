// SPDX-License-Identifier: MIT
#include "demo/scripted_server.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "demo/script.h"
#include "support/raw_script.h"

namespace yume::demo {
namespace {

// A blocking TCP client without any idea of HTTP.
class RawClient {
 public:
  explicit RawClient(const ScriptedServer& server) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    const std::string url = server.base_url();
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
    EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { ::close(fd_); }

  void send(std::string_view bytes) {
    EXPECT_EQ(::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }

  // Exactly this many bytes, fewer only when the connection ended.
  std::string take(std::size_t count) {
    std::string out;
    while (out.size() < count) {
      std::array<char, 4096> block{};
      const ssize_t got = ::recv(fd_, block.data(), std::min(block.size(), count - out.size()), 0);
      last_errno_ = got < 0 ? errno : 0;
      if (got <= 0) break;
      out.append(block.data(), static_cast<std::size_t>(got));
    }
    return out;
  }

  std::string take_all() { return take(std::string::npos); }

  // Up to and including this text.
  std::string take_until(std::string_view end) {
    std::string out;
    while (!out.ends_with(end)) {
      const std::string byte = take(1);
      if (byte.empty()) return out + " and then the end";
      out += byte;
    }
    return out;
  }

  int last_errno() const { return last_errno_; }

 private:
  int fd_;
  int last_errno_ = 0;
};

constexpr std::string_view k_get = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n";

// Everything behind the head of an answer.
std::string body_of(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == std::string::npos ? "no head: " + answer : answer.substr(end + 4);
}

bool has_line(const std::string& answer, const std::string& header) {
  return answer.find("\r\n" + header + "\r\n") != std::string::npos;
}

std::unique_ptr<ScriptedServer> serve(std::vector<Answer> answers) {
  auto server = ScriptedServer::start({.responder = answer_in_order(std::move(answers))});
  EXPECT_TRUE(server.ok());
  return std::move(server).value();
}

// Everything the server says to one GET, until the connection ends.
std::string said(const Answer& answer) {
  const auto server = serve({answer});
  RawClient client(*server);
  client.send(k_get);
  return client.take_all();
}

TEST(ScriptedServer, RecordsRequestsAndKeepsTheConnection) {
  const auto server = serve({plain_answer({.body = "=1"}), plain_answer({.body = "=2"})});
  RawClient client(*server);
  client.send("POST /a?b=c HTTP/1.1\r\nX-One: 1\r\nContent-Length: 3\r\nx-two:2\r\n\r\nabc");
  EXPECT_EQ(body_of(client.take_until("=1")), "=1");
  client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n");
  client.send("0\r\n\r\n");
  EXPECT_EQ(body_of(client.take_until("=2")), "=2");
  RawClient second(*server);
  second.send(k_get);
  EXPECT_TRUE(server->wait_for_request(3));

  const auto requests = server->requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].method, "POST");
  EXPECT_EQ(requests[0].target, "/a?b=c");
  EXPECT_EQ(requests[0].headers,
            (std::vector<Header>{{"Content-Length", "3"}, {"X-One", "1"}, {"x-two", "2"}}));
  EXPECT_EQ(requests[0].body, "abc");
  EXPECT_EQ(*requests[0].find_header("x-one"), "1");
  EXPECT_EQ(requests[0].find_header("x-three"), nullptr);
  EXPECT_EQ(requests[1].body, "abcde");
  EXPECT_EQ(requests[0].connection_number, 1U);
  EXPECT_EQ(requests[1].connection_number, 1U);
  EXPECT_EQ(requests[2].connection_number, 2U);
}

TEST(ScriptedServer, AnswersEveryMethodAndPath) {
  const auto server = serve(std::vector<Answer>(6, plain_answer({.body = "=it"})));
  RawClient client(*server);
  for (const std::string method : {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
    client.send(method + " /a%0Ab HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ(body_of(client.take_until("=it")), "=it") << method;
    EXPECT_EQ(server->requests().back().method, method);
    EXPECT_EQ(server->requests().back().target, "/a%0Ab");
  }
}

TEST(ScriptedServer, SaysThatTheScriptIsExhausted) {
  const auto server = serve({});
  RawClient client(*server);
  client.send(k_get);
  const std::string answer = client.take_until("exhausted");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 500 Internal Server Error\r\n"));
  EXPECT_TRUE(has_line(answer, "Content-Type: text/plain"));
  EXPECT_TRUE(has_line(answer, "Content-Length: 16"));
  EXPECT_EQ(body_of(answer), "script exhausted");
}

TEST(ScriptedServer, AnswersWhatIsNotHttpWith400) {
  const auto server = serve({});
  RawClient client(*server);
  client.send("hello\r\n\r\n");
  EXPECT_EQ(client.take(13), "HTTP/1.1 400 ");
  EXPECT_TRUE(server->requests().empty());
}

TEST(ScriptedServer, SendsEachPieceAsOneChunk) {
  const auto server = serve({event_stream({"1", "2"})});
  RawClient client(*server);
  client.send(k_get);
  const std::string answer = client.take_until("0\r\n\r\n");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(has_line(answer, "Content-Type: text/event-stream"));
  EXPECT_TRUE(has_line(answer, "Transfer-Encoding: chunked"));
  EXPECT_EQ(body_of(answer), "b\r\ndata: 1\r\n\r\n\r\nb\r\ndata: 2\r\n\r\n\r\n0\r\n\r\n");
}

TEST(ScriptedServer, CloseEndsTheStreamWithoutTheFinalChunk) {
  Script script = event_stream({"1"});
  script.steps.emplace_back(CloseConnection{});
  EXPECT_EQ(body_of(said(script)), "b\r\ndata: 1\r\n\r\n\r\n");
}

TEST(ScriptedServer, EndsTheConnectionWhenTheScriptSaysSo) {
  const std::string answer =
      said(Script{.headers = {{"Connection", "close"}}, .steps = {SendBytes{"a"}, SendBytes{"b"}}});
  EXPECT_EQ(body_of(answer), "ab");
  EXPECT_TRUE(has_line(answer, "Connection: close"));
  EXPECT_FALSE(has_line(answer, "Transfer-Encoding: chunked"));
}

TEST(ScriptedServer, EndsTheConnectionWhenABodyIsShorterThanPromised) {
  const std::string answer =
      said(Script{.headers = {{"Content-Length", "9"}}, .steps = {SendBytes{"abc"}}});
  EXPECT_TRUE(has_line(answer, "Content-Length: 9"));
  EXPECT_EQ(body_of(answer), "abc");
}

TEST(ScriptedServer, SendsNoBodyWhereThereIsNone) {
  const auto server = serve({Script{.status = 204}, plain_answer({.body = "=2"})});
  RawClient client(*server);
  client.send(k_get);
  EXPECT_TRUE(client.take_until("\r\n\r\n").starts_with("HTTP/1.1 204 No Content\r\n"));
  client.send(k_get);
  EXPECT_EQ(body_of(client.take_until("=2")), "=2");
}

TEST(ScriptedServer, ResetReachesTheClientAsReset) {
  const auto server = serve({Script{.headers = {{"Content-Length", "9"}},
                                    .steps = {WaitForGate{"go"}, ResetConnection{}}}});
  RawClient client(*server);
  client.send(k_get);
  EXPECT_EQ(client.take(15), "HTTP/1.1 200 OK");
  server->open_gate("go");
  client.take_all();
  EXPECT_EQ(client.last_errno(), ECONNRESET);
}

TEST(ScriptedServer, GatesHoldTheBytesBehindThemInOrder) {
  const auto server = serve({Script{.headers = {{"Connection", "close"}, {"Content-Length", "4"}},
                                    .steps = {SendBytes{"=a"}, WaitForGate{"first"}, SendBytes{"b"},
                                              WaitForGate{"second"}, SendBytes{"c"}}}});
  RawClient client(*server);
  client.send(k_get);
  EXPECT_EQ(body_of(client.take_until("=a")), "=a");
  server->open_gate("second");  // before its time: no effect on the first
  server->open_gate("first");
  EXPECT_EQ(client.take_all(), "bc");
}

TEST(ScriptedServer, SendsRawBytesAsTheyAreAndKeepsTheConnection) {
  const auto server = serve(
      {test::raw_answer({{SendBytes{"garb"}, SendBytes{"age"}}}), plain_answer({.body = "=2"})});
  RawClient client(*server);
  client.send(k_get);
  EXPECT_EQ(client.take(7), "garbage");
  client.send(k_get);
  const std::string answer = client.take_until("=2");
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  EXPECT_EQ(server->requests().back().connection_number, 1U);
}

TEST(ScriptedServer, StallHoldsUntilThePeerCloses) {
  const auto server = serve({test::raw_answer({{Stall{}}}), plain_answer({.body = "next"})});
  {
    RawClient client(*server);
    client.send(k_get);
    EXPECT_TRUE(server->wait_for_request(1));
  }
  RawClient second(*server);
  second.send(k_get);
  EXPECT_TRUE(server->wait_for_request(2));
}

TEST(ScriptedServer, CloseWakesStallsGatesReadersAndWaiters) {
  const auto server = serve(
      {test::raw_answer({{Stall{}}}), test::raw_answer({{WaitForGate{"never"}, SendBytes{"x"}}})});
  RawClient stalled(*server);
  stalled.send(k_get);
  EXPECT_TRUE(server->wait_for_request(1));
  RawClient gated(*server);
  gated.send(k_get);
  EXPECT_TRUE(server->wait_for_request(2));
  RawClient silent(*server);
  std::thread waiter([&] { EXPECT_FALSE(server->wait_for_request(3)); });
  server->close();
  waiter.join();
  server->close();
  EXPECT_EQ(stalled.take_all(), "");
  EXPECT_EQ(gated.take_all(), "");
  EXPECT_EQ(silent.take_all(), "");
}

TEST(ScriptedServer, CloseWakesAStallInTheMiddleOfABody) {
  Script script = event_stream({"1"});
  script.steps.emplace_back(Stall{});
  const auto server = serve({script});
  RawClient client(*server);
  client.send(k_get);
  client.take_until("data: 1\r\n\r\n\r\n");
  server->close();
  EXPECT_EQ(client.take_all(), "");
}

TEST(ScriptedServer, CloseWakesAWriteThatThePeerDoesNotTake) {
  const auto server = serve({plain_answer({.body = std::string(64U << 20U, 'x')})});
  RawClient client(*server);
  client.send(k_get);
  EXPECT_EQ(client.take(1), "H");
  server->close();
}

TEST(ScriptedServer, SendsABigBodyWhole) {
  const std::string block(8U << 20U, 'y');
  EXPECT_EQ(
      body_of(said(Script{.headers = {{"Connection", "close"}}, .steps = {SendBytes{block}}})),
      block);
}

TEST(ScriptedServer, ServesManyConnectionsAtOnce) {
  std::atomic<std::size_t> asked = 0;
  auto server =
      ScriptedServer::start({.responder = [&](const RecordedRequest& request, std::size_t) {
        ++asked;
        return Script{.headers = {{"Connection", "close"}}, .steps = {SendBytes{request.target}}};
      }});
  ASSERT_TRUE(server.ok());
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 20; ++i) {
        const std::string target = "/" + std::to_string(thread) + "/" + std::to_string(i);
        RawClient client(**server);
        client.send("GET " + target + " HTTP/1.1\r\n\r\n");
        EXPECT_EQ(body_of(client.take_all()), target);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(asked, 160U);
  EXPECT_EQ((*server)->requests().size(), 160U);
}

}  // namespace
}  // namespace yume::demo
