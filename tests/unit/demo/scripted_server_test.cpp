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
  int last_errno() const { return last_errno_; }

 private:
  int fd_;
  int last_errno_ = 0;
};

constexpr std::string_view k_get = "GET /x HTTP/1.1\r\nHost: h\r\n\r\n";
constexpr std::string_view k_sse_head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

Script parsed(std::string_view text) {
  auto script = parse_script(text);
  EXPECT_TRUE(script.ok()) << (script.ok() ? "" : script.error().message);
  return script.ok() ? std::move(script).value() : Script{};
}

std::string parse_error(std::string_view text) {
  const auto script = parse_script(text);
  return script.ok() ? "" : script.error().message;
}

std::unique_ptr<ScriptedServer> serve(std::vector<Script> scripts) {
  auto server = ScriptedServer::start({.responder = answer_in_order(std::move(scripts))});
  EXPECT_TRUE(server.ok());
  return std::move(server).value();
}

// Everything the server says to one GET, until the connection ends.
std::string said(const std::string& script) {
  const auto server = serve({parsed(script)});
  RawClient client(*server);
  client.send(k_get);
  return client.take_all();
}

TEST(Script, FramesEachStretchAsOneChunkWithCrlfForEventStreams) {
  const Script script = parsed(
      "HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\n"
      "data: 1\n\n#gate one two\n## a comment\ndata: 2\n\n#chunk\ndata: 3\n\n");
  const Script expected{{SendBytes{std::string(k_sse_head)}, SendBytes{"b\r\ndata: 1\r\n\r\n\r\n"},
                         WaitForGate{"one two"}, SendBytes{"b\r\ndata: 2\r\n\r\n\r\n"},
                         SendBytes{"b\r\ndata: 3\r\n\r\n\r\n"}, SendBytes{"0\r\n\r\n"}}};
  EXPECT_EQ(script, expected);
}

TEST(Script, SendsOtherBodiesWithLfAndTheirLastLineAsWritten) {
  EXPECT_EQ(parsed("HTTP/1.1 429 Too Many\nContent-Length: 5\n\na\nb\nc"),
            (Script{{SendBytes{"HTTP/1.1 429 Too Many\r\nContent-Length: 5\r\n\r\n"},
                     SendBytes{"a\nb\nc"}}}));
}

TEST(Script, LineEndDirectivesOverrideFromTheirLineOn) {
  EXPECT_EQ(parsed("HTTP/1.1 200 OK\nContent-Length: 6\n\na\n#crlf\nb\n#lf\nc\n").steps.at(1),
            Step(SendBytes{"a\nb\r\nc\n"}));
}

TEST(Script, RawJoinsItsStretchWithoutALineEnd) {
  EXPECT_EQ(parsed("HTTP/1.1 200 OK\nContent-Length: 9\n\n#raw #\\x41\\n\\r\\t\\\\\\\"\\0\nz\n")
                .steps.at(1),
            Step(SendBytes{std::string("#A\n\r\t\\\"\0z\n", 10)}));
}

TEST(Script, LeavesFramingToAnExplicitTransferEncoding) {
  EXPECT_EQ(parsed("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n#raw ff\\r\\nhalf\n#close\n"),
            (Script{{SendBytes{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"},
                     SendBytes{"ff\r\nhalf"}, CloseConnection{}}}));
}

TEST(Script, WithoutAHeadIsBareBytes) {
  EXPECT_EQ(parsed("## nothing said\n#reset\n"), (Script{{ResetConnection{}}}));
  EXPECT_EQ(parsed("#raw SSH-2.0\\r\\n\n#stall\n"), (Script{{SendBytes{"SSH-2.0\r\n"}, Stall{}}}));
}

TEST(Script, ClosesAfterHttp10AndConnectionClose) {
  EXPECT_EQ(parsed("HTTP/1.0 200 OK\n\nx\n").steps.back(), Step(CloseConnection{}));
  EXPECT_EQ(parsed("HTTP/1.1 200 OK\nConnection: close\n\nx\n").steps.back(),
            Step(CloseConnection{}));
  EXPECT_EQ(parsed("HTTP/1.1 204 No Content\n").steps.size(), 1U);
}

TEST(Script, AcceptsFilesWithCrlfLines) {
  EXPECT_EQ(parsed("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na\r\n"),
            parsed("HTTP/1.1 200 OK\nContent-Length: 2\n\na\n"));
}

TEST(Script, NamesTheLineOfAMistake) {
  EXPECT_EQ(parse_error("hello\n"), "line 1: expected a status line or a directive");
  EXPECT_EQ(parse_error("HTTP/1.1 200 OK\nnonsense\n"),
            "line 2: expected a header or an empty line");
  EXPECT_EQ(parse_error("HTTP/1.1 200 OK\n\n#gate\n"), "line 3: #gate needs a name");
  EXPECT_EQ(parse_error("HTTP/1.1 200 OK\n\n#sleep 5\n"), "line 3: #sleep takes no argument");
  EXPECT_EQ(parse_error("HTTP/1.1 200 OK\n\n#sleep\n"), "line 3: unknown directive #sleep");
  EXPECT_EQ(parse_error("HTTP/1.1 200 OK\n\n#close\nmore\n"),
            "line 4: nothing can follow #close, #reset or #stall");
  EXPECT_NE(parse_error("HTTP/1.1 200 OK\n\n#raw \\q\n"), "");
  EXPECT_NE(parse_error("HTTP/1.1 200 OK\n\n#raw \\x4\n"), "");
  EXPECT_NE(parse_error(""), "");
}

TEST(Script, BuildersMakeCompleteAnswers) {
  EXPECT_EQ(plain_answer({.status = 404, .reason = "Not Found", .body = "{}"}),
            (Script{{SendBytes{"HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\n"
                               "Content-Length: 2\r\n\r\n{}"}}}));
  EXPECT_EQ(event_stream({"1"}),
            parsed("HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\ndata: 1\n\n"));
}

TEST(ScriptedServer, RecordsRequestsAndKeepsTheConnection) {
  const auto server = serve({plain_answer({.body = "1"}), plain_answer({.body = "2"})});
  RawClient client(*server);
  const std::size_t answer = std::get<SendBytes>(plain_answer({.body = "1"}).steps[0]).bytes.size();
  client.send("POST /a?b=c HTTP/1.1\r\nX-One: 1\r\nContent-Length: 3\r\nx-two:2\r\n\r\nabc");
  EXPECT_EQ(client.take(answer).back(), '1');
  client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x\r\nde\r\n");
  client.send("0\r\nTrailer: t\r\n\r\n");
  EXPECT_EQ(client.take(answer).back(), '2');
  RawClient second(*server);
  second.send(k_get);
  EXPECT_TRUE(server->wait_for_request(3));

  const auto requests = server->requests();
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[0].method, "POST");
  EXPECT_EQ(requests[0].target, "/a?b=c");
  EXPECT_EQ(requests[0].headers,
            (std::vector<Header>{{"X-One", "1"}, {"Content-Length", "3"}, {"x-two", "2"}}));
  EXPECT_EQ(requests[0].body, "abc");
  EXPECT_EQ(*requests[0].find_header("x-one"), "1");
  EXPECT_EQ(requests[0].find_header("x-three"), nullptr);
  EXPECT_EQ(requests[1].body, "abcde");
  EXPECT_EQ(requests[0].connection_number, requests[1].connection_number);
  EXPECT_NE(requests[0].connection_number, requests[2].connection_number);
}

TEST(ScriptedServer, SaysThatTheScriptIsExhausted) {
  const auto server = serve({});
  RawClient client(*server);
  client.send(k_get);
  const std::string head =
      "HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain\r\n"
      "Content-Length: 16\r\n\r\n";
  EXPECT_EQ(client.take(head.size() + 16), head + "script exhausted");
}

TEST(ScriptedServer, AnswersWhatIsNotHttpWith400) {
  const auto server = serve({});
  RawClient client(*server);
  client.send("hello\r\n\r\n");
  EXPECT_TRUE(client.take_all().starts_with("HTTP/1.1 400 "));
  EXPECT_TRUE(server->requests().empty());
}

TEST(ScriptedServer, CloseEndsTheStreamWithoutTheFinalChunk) {
  EXPECT_EQ(said("HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\ndata: 1\n\n#close\n"),
            std::string(k_sse_head) + "b\r\ndata: 1\r\n\r\n\r\n");
}

TEST(ScriptedServer, ResetReachesTheClientAsReset) {
  const auto server = serve({parsed("HTTP/1.1 200 OK\nContent-Length: 9\n\n#gate go\n#reset\n")});
  RawClient client(*server);
  client.send(k_get);
  EXPECT_EQ(client.take(15), "HTTP/1.1 200 OK");
  server->open_gate("go");
  client.take_all();
  EXPECT_EQ(client.last_errno(), ECONNRESET);
}

TEST(ScriptedServer, GatesHoldTheBytesBehindThemInOrder) {
  const auto server =
      serve({parsed("HTTP/1.1 200 OK\nConnection: close\nContent-Length: 3\n\n"
                    "#raw a\n#gate first\n#raw b\n#gate second\n#raw c\n")});
  RawClient client(*server);
  client.send(k_get);
  const std::string head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\n";
  EXPECT_EQ(client.take(head.size() + 1), head + "a");
  server->open_gate("second");  // before its time: no effect on the first
  server->open_gate("first");
  EXPECT_EQ(client.take_all(), "bc");
}

TEST(ScriptedServer, StallHoldsUntilThePeerCloses) {
  const auto server = serve({parsed("#stall\n"), plain_answer({.body = "next"})});
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
  const auto server = serve({parsed("#stall\n"), parsed("#gate never\n#raw x\n")});
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

TEST(ScriptedServer, CloseWakesAWriteThatThePeerDoesNotTake) {
  const auto block = std::make_shared<const std::string>(64U << 20U, 'x');
  const auto server = serve({Script{{SendBlock{block}}}});
  RawClient client(*server);
  client.send(k_get);
  EXPECT_EQ(client.take(1), "x");
  server->close();
}

TEST(ScriptedServer, SendsABigBlockWhole) {
  const auto block = std::make_shared<const std::string>(8U << 20U, 'y');
  const auto server = serve({Script{{SendBlock{block}, CloseConnection{}}}});
  RawClient client(*server);
  client.send(k_get);
  EXPECT_EQ(client.take_all().size(), block->size());
}

TEST(ScriptedServer, ServesManyConnectionsAtOnce) {
  std::atomic<std::size_t> asked = 0;
  auto server =
      ScriptedServer::start({.responder = [&](const RecordedRequest& request, std::size_t) {
        ++asked;
        return Script{{SendBytes{request.target}, CloseConnection{}}};
      }});
  ASSERT_TRUE(server.ok());
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 20; ++i) {
        const std::string target = "/" + std::to_string(thread) + "/" + std::to_string(i);
        RawClient client(**server);
        client.send("GET " + target + " HTTP/1.1\r\n\r\n");
        EXPECT_EQ(client.take_all(), target);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(asked, 160U);
  EXPECT_EQ((*server)->requests().size(), 160U);
}

}  // namespace
}  // namespace yume::demo
