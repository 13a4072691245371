// SPDX-License-Identifier: MIT
// Two ends that call each other at the same time, over pipes in memory that cut lines anywhere.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "jsonrpc/codec.h"
#include "jsonrpc/peer.h"
#include "support/memory_wire.h"
#include "util/thread.h"

namespace yume::jsonrpc {
namespace {

using namespace std::chrono_literals;

// Answers `echo` at once, `later` from another thread, `never` never, and calls back for `nested`.
class Side final : public PeerHandler {
 public:
  Side(std::string name, test::MemoryWire& out)
      : peer_(
            {.name = std::move(name),
             .cancel_notice =
                 [](const AbandonedCall& call) {
                   return std::optional(
                       Notification{.method = "cancel", .params = {"[" + call.id.json + "]"}});
                 }},
            [&out](std::string_view line) {
              out.send(line);
              return Result<void>();
            },
            *this) {}
  ~Side() override { join(); }

  void on_request(Request request, Responder responder) override {
    if (request.method == "echo") {
      responder.reply(std::move(request.params));
    } else if (request.method == "later") {
      start([params = std::move(request.params), answer = std::move(responder)]() mutable {
        answer.reply(std::move(params));
      });
    } else if (request.method == "nested") {
      start([this, params = std::move(request.params), answer = std::move(responder)]() mutable {
        auto inner = peer_.call("echo", std::move(params), std::nullopt, {});
        if (inner.ok()) answer.reply(*std::move(inner));
      });
    } else if (request.method == "never") {
      kept_.push_back(std::move(responder));
    } else {
      responder.reply(method_not_found(request.method));
    }
  }
  void on_notification(Notification notification) override {
    if (notification.method == "cancel") ++cancelled_;
  }

  Peer& peer() { return peer_; }
  int cancelled() const { return cancelled_; }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  template <class Work>
  void start(Work work) {
    threads_.emplace_back(std::move(work));
  }

  Peer peer_;
  std::vector<Responder> kept_;
  std::vector<std::thread> threads_;  // the receiving thread's, then the test's
  std::atomic<int> cancelled_ = 0;
};

class TwoPeers : public ::testing::Test {
 protected:
  TwoPeers() {
    to_left_.deliver_to([this](std::string_view bytes) { left_.peer().receive(bytes); });
    to_right_.deliver_to([this](std::string_view bytes) { right_.peer().receive(bytes); });
  }
  ~TwoPeers() override {
    for (Side* side : {&left_, &right_}) {
      side->peer().close({.code = ErrorCode::io, .message = "over"});
    }
    to_left_.close();
    to_right_.close();
  }

  test::MemoryWire to_left_;
  test::MemoryWire to_right_;
  Side left_{"left", to_right_};
  Side right_{"right", to_left_};
};

std::string text_of(const Result<Reply>& reply) {
  if (!reply.ok()) return reply.error().message;
  if (const auto* error = std::get_if<ErrorObject>(&*reply)) return error->message;
  return std::get<RawJson>(*reply).text;
}

TEST_F(TwoPeers, CallEachOther) {
  EXPECT_EQ(text_of(left_.peer().call("echo", {R"(["é"])"}, std::nullopt, {})), R"(["\u00e9"])");
  EXPECT_EQ(text_of(right_.peer().call("later", {"[2]"}, std::nullopt, {})), "[2]");
  EXPECT_EQ(text_of(left_.peer().call("nested", {"[3]"}, std::nullopt, {})), "[3]");
  EXPECT_EQ(text_of(left_.peer().call("other", {}, std::nullopt, {})),
            "\"Method not found\": other");
  EXPECT_EQ(left_.peer().call("never", {}, 1ms, {}).error().code, ErrorCode::timeout);
  // The notice of it came before this answer.
  EXPECT_EQ(text_of(left_.peer().call("echo", {"[4]"}, std::nullopt, {})), "[4]");
  EXPECT_EQ(right_.cancelled(), 1);
}

TEST_F(TwoPeers, ManyThreadsAtOnceLoseNoAnswerAndMixNone) {
  constexpr int k_threads = 8;
  constexpr int k_calls = 40;
  std::atomic<int> answered = 0;
  std::atomic<int> abandoned = 0;
  const auto work = [&](Side& side, int thread) {
    for (int i = 0; i < k_calls; ++i) {
      const std::string params = "[" + std::to_string(thread) + "," + std::to_string(i) + ",\"" +
                                 std::string(static_cast<std::size_t>(i) * 50, 'x') + "\"]";
      static constexpr std::array<const char*, 3> k_methods{"echo", "later", "nested"};
      EXPECT_EQ(text_of(side.peer().call(k_methods[static_cast<std::size_t>(i) % 3], {params},
                                         std::nullopt, {})),
                params);
      ++answered;
      if (i % 10 != 0) continue;
      CancelSource source;
      Thread canceller([&source] { source.request_stop(); });
      const auto reply = side.peer().call("never", {}, std::nullopt, source.get_token());
      EXPECT_EQ(reply.error().code, ErrorCode::cancelled);
      ++abandoned;
    }
  };
  {
    std::vector<Thread> threads;
    for (int thread = 0; thread < k_threads; ++thread) {
      threads.emplace_back([&, thread] { work(thread % 2 == 0 ? left_ : right_, thread); });
    }
  }
  EXPECT_EQ(answered, k_threads * k_calls);
  EXPECT_EQ(abandoned, k_threads * k_calls / 10);
}

TEST_F(TwoPeers, CloseWhileMostAreWaiting) {
  std::vector<Thread> threads;
  std::atomic<int> failed = 0;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&] {
      const auto reply = left_.peer().call("never", {}, std::nullopt, {});
      if (!reply.ok() && reply.error().message == "gone") ++failed;
    });
  }
  left_.peer().close({.code = ErrorCode::io, .message = "gone"});
  threads.clear();
  EXPECT_EQ(failed, 16);
}

}  // namespace
}  // namespace yume::jsonrpc
