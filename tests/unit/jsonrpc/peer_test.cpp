// SPDX-License-Identifier: MIT
#include "jsonrpc/peer.h"

#include <gtest/gtest.h>

#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "jsonrpc/codec.h"

namespace yume::jsonrpc {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

class RecordingLog final : public Log {
 public:
  void write(std::string_view /*area*/, std::string_view message) override {
    const std::lock_guard lock(mutex_);
    lines_.emplace_back(message);
  }
  Lines lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  std::mutex mutex_;
  Lines lines_;
};

// Keeps what comes; a request stays open until the test answers it.
class RecordingHandler final : public PeerHandler {
 public:
  void on_request(Request request, Responder responder) override {
    requests.push_back(std::move(request));
    responders.push_back(std::move(responder));
  }
  void on_notification(Notification notification) override {
    notifications.push_back(std::move(notification));
  }

  std::vector<Request> requests;
  std::vector<Responder> responders;
  std::vector<Notification> notifications;
};

// A peer whose lines the test sees, and to which the test plays the other side.
class PeerTest : public ::testing::Test {
 protected:
  PeerOptions options() {
    return {.name = "the server s",
            .max_message_bytes = 1000,
            .most_open_calls = 3,
            .cancel_notice = [](const AbandonedCall& call) -> std::optional<Notification> {
              if (call.method == "initialize") return std::nullopt;
              return Notification{.method = call.timed_out ? "timed_out" : "cancelled",
                                  .params = {R"({"id":)" + call.id.json + "}"}};
            },
            .log = &log_};
  }

  Result<void> sent(std::string_view line) {
    const std::lock_guard lock(mutex_);
    if (broken_) return *broken_;
    lines_.emplace_back(line);
    changed_.notify_all();
    return {};
  }

  void break_wire(Error why) {
    const std::lock_guard lock(mutex_);
    broken_ = std::move(why);
  }

  // What was sent, once there are so many lines.
  Lines sent_lines(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return lines_.size() >= count; });
    return lines_;
  }

  std::future<Result<Reply>> call(std::string method, CancelToken cancel = {},
                                  std::optional<std::chrono::milliseconds> timeout = {}) {
    return std::async(std::launch::async, [this, method = std::move(method), cancel, timeout] {
      return peer_.call(method, RawJson{}, timeout, cancel);
    });
  }

  RecordingLog log_;
  RecordingHandler handler_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Lines lines_;
  std::optional<Error> broken_;
  Peer peer_{options(), [this](std::string_view line) { return sent(line); }, handler_};
};

std::string result_of(Result<Reply> reply) {
  if (!reply.ok()) return "error: " + reply.error().message;
  if (const auto* error = std::get_if<ErrorObject>(&*reply)) {
    return std::to_string(error->code) + " " + error->message;
  }
  return std::get<RawJson>(*reply).text;
}

TEST_F(PeerTest, GivesEachCallItsOwnAnswer) {
  auto first = call("a");
  EXPECT_EQ(sent_lines(1)[0], "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n");
  auto second = call("b");
  EXPECT_EQ(sent_lines(2)[1], "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"b\"}\n");
  peer_.receive("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":5,\"message\":\"no\"}}\n");
  EXPECT_EQ(result_of(second.get()), "5 no");
  peer_.receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":1}}\n");
  EXPECT_EQ(result_of(first.get()), R"({"x":1})");
  EXPECT_EQ(log_.lines(), Lines{});
}

TEST_F(PeerTest, PassesOverUnknownSecondAndLateAnswersWithOneLineEach) {
  auto waiting = call("a");
  sent_lines(1);
  peer_.receive("{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":0}\n");
  peer_.receive("{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":0}\n");
  peer_.receive(
      "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"?\"}}\n");
  peer_.receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n");
  EXPECT_EQ(result_of(waiting.get()), "1");
  peer_.receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":2}\n");
  EXPECT_EQ(log_.lines(), (Lines{"the server s: passed over the answer to 9",
                                 "the server s: passed over the answer to \"1\"",
                                 "the server s: passed over the answer to null",
                                 "the server s: passed over the answer to 1"}));
  EXPECT_EQ(sent_lines(1).size(), 1U) << "no answer to an answer";
}

TEST_F(PeerTest, TellsTheOtherSideWhatIsNotWaitedForAnyMore) {
  CancelSource source;
  auto cancelled = call("a", source.get_token());
  sent_lines(1);
  source.request_stop();
  EXPECT_EQ(result_of(cancelled.get()), "error: cancelled before the server s answered a");
  EXPECT_EQ(sent_lines(2)[1],
            "{\"jsonrpc\":\"2.0\",\"method\":\"cancelled\",\"params\":{\"id\":1}}\n");

  auto late = call("b", {}, 0ms).get();
  EXPECT_EQ(late.error().code, ErrorCode::timeout);
  EXPECT_EQ(late.error().message, "the server s did not answer b within 0 ms");
  EXPECT_EQ(sent_lines(4)[3],
            "{\"jsonrpc\":\"2.0\",\"method\":\"timed_out\",\"params\":{\"id\":2}}\n");

  EXPECT_EQ(call("initialize", {}, 0ms).get().error().code, ErrorCode::timeout);
  EXPECT_EQ(sent_lines(5).size(), 5U) << "the protocol has nothing to say about this one";
}

TEST_F(PeerTest, ACallThatIsCancelledAlreadyIsNotSent) {
  CancelSource source;
  source.request_stop();
  EXPECT_EQ(call("a", source.get_token()).get().error().code, ErrorCode::cancelled);
  EXPECT_EQ(sent_lines(0), Lines{});
}

TEST_F(PeerTest, CloseFailsAllWhoWaitAndAllWhoCome) {
  auto first = call("a");
  auto second = call("b");
  sent_lines(2);
  peer_.close({.code = ErrorCode::io, .message = "the server s ended"});
  peer_.close({.code = ErrorCode::io, .message = "another reason"});
  EXPECT_EQ(result_of(first.get()), "error: the server s ended");
  EXPECT_EQ(result_of(second.get()), "error: the server s ended");
  EXPECT_EQ(result_of(call("c").get()), "error: the server s ended");
  EXPECT_EQ(peer_.notify({.method = "n"}).error().message, "the server s ended");
  EXPECT_EQ(sent_lines(2).size(), 2U);
}

TEST_F(PeerTest, ACallThatCannotBeSentSaysWhy) {
  break_wire({.code = ErrorCode::busy, .message = "it does not read"});
  const auto reply = call("a").get();
  EXPECT_EQ(reply.error().code, ErrorCode::busy);
  EXPECT_EQ(reply.error().message, "it does not read");
}

TEST_F(PeerTest, OpenCallsAreLimited) {
  std::vector<std::future<Result<Reply>>> open;
  for (int i = 0; i < 3; ++i) open.push_back(call("a"));
  sent_lines(3);
  const auto refused = call("b").get();
  EXPECT_EQ(refused.error().code, ErrorCode::busy);
  EXPECT_EQ(refused.error().message, "the server s has 3 calls to answer already");
  peer_.close({.code = ErrorCode::io, .message = "over"});
  for (auto& one : open) EXPECT_FALSE(one.get().ok());
}

TEST_F(PeerTest, EveryRequestGetsExactlyOneAnswer) {
  for (const char* id : {"1", "\"x\"", "1.0"}) {
    peer_.receive("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[],\"id\":" + std::string(id) +
                  "}\n");
  }
  ASSERT_EQ(handler_.responders.size(), 3U);
  EXPECT_EQ(handler_.requests[1], (Request{{"\"x\""}, "m", {"[]"}}));
  handler_.responders[2].reply(RawJson{"true"});
  handler_.responders[2].reply(RawJson{"false"});
  handler_.responders[1].reply(method_not_found("m"));
  handler_.responders.clear();
  EXPECT_EQ(sent_lines(3),
            (Lines{"{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":true}\n",
                   "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":-32601,\"message\":"
                   "\"\\\"Method not found\\\": m\",\"data\":{\"method\":\"m\"}}}\n",
                   "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32603,\"message\":"
                   "\"Internal error: nobody answered\"}}\n"}));
}

TEST_F(PeerTest, AnAnswerAfterThePeersEndGoesNowhere) {
  RecordingHandler handler;
  {
    Peer peer(
        options(), [this](std::string_view line) { return sent(line); }, handler);
    peer.receive("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"}\n");
  }
  handler.responders[0].reply(RawJson{"1"});
  EXPECT_EQ(sent_lines(0), Lines{});
}

TEST_F(PeerTest, NotificationsGoToTheHandlerAndGetNoAnswer) {
  peer_.receive("\n \t\r\n{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{\"a\":1}}\r\n");
  peer_.receive("{\"jsonrpc\":\"2.0\",\"method\":\"last\"}");
  EXPECT_EQ(handler_.notifications.size(), 1U) << "the second has no end yet";
  peer_.finish();
  EXPECT_EQ(handler_.notifications,
            (std::vector<Notification>{{"n", {R"({"a":1})"}}, {"last", {}}}));
  EXPECT_EQ(sent_lines(0), Lines{});
}

TEST_F(PeerTest, AMalformedLineIsAnsweredAndTheConnectionSurvives) {
  peer_.receive("{\"jsonrpc\":\n[]\n{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n");
  const Lines lines = sent_lines(2);
  EXPECT_TRUE(lines[0].starts_with("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,"));
  EXPECT_TRUE(lines[1].starts_with("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,"));
  EXPECT_EQ(handler_.notifications.size(), 1U);
}

TEST_F(PeerTest, AMessageOverTheLimitLeavesNobodyWaiting) {
  const std::string filler(2000, 'x');
  auto waiting = call("a");
  sent_lines(1);
  peer_.receive("{\"result\":\"" + filler + "\",\"jsonrpc\":\"2.0\",\"id\":1}\n");
  const auto reply = waiting.get();
  EXPECT_EQ(reply.error().code, ErrorCode::too_large);
  EXPECT_EQ(reply.error().message,
            "the answer of the server s to a has 2036 bytes, and at most 1000 bytes are read");
  // A request gets an answer, a notification none, and what is neither the one for the unreadable.
  peer_.receive("{\"jsonrpc\":\"2.0\",\"params\":{\"id\":1,\"x\":\"" + filler +
                "\"},\"method\":\"m\",\"id\":\"r\"}\n");
  peer_.receive("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[\"" + filler + "\"]}\n");
  peer_.receive(filler + "\n{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n");
  const Lines lines = sent_lines(3);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[1].starts_with("{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"error\":{\"code\":-32600,"))
      << lines[1];
  EXPECT_TRUE(lines[2].starts_with("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,"))
      << lines[2];
  EXPECT_EQ(handler_.requests.size(), 0U);
  EXPECT_EQ(handler_.notifications, (std::vector<Notification>{{"n", {}}}));
}

}  // namespace
}  // namespace yume::jsonrpc
