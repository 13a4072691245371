// SPDX-License-Identifier: MIT
// A JSON-RPC peer that is a real child process: answers, ends and all that comes between.
#include "jsonrpc/child_peer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "jsonrpc/codec.h"
#include "support/duplex_children.h"

namespace yume::jsonrpc {
namespace {

using namespace std::chrono_literals;

class Handler final : public PeerHandler {
 public:
  void on_request(Request request, Responder responder) override {
    responder.reply(RawJson{request.params.text});
  }
  void on_notification(Notification notification) override {
    const std::lock_guard lock(mutex_);
    methods_.push_back(std::move(notification.method));
    came_.notify_all();
  }
  void wait_for_notification() {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [this] { return !methods_.empty(); });
  }
  std::vector<std::string> methods() {
    const std::lock_guard lock(mutex_);
    return methods_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<std::string> methods_;
};

// So that a test fails instead of waiting for ever.
constexpr auto k_patience = 20s;

// For scripts: `take` reads a request, `give RESULT` answers it, `answer RESULT` does both.
constexpr const char* k_answer = R"(
take() { read -r line || return 1; id=${line#*\"id\":}; id=${id%%,*}; }
give() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
answer() { take; give "$1"; }
)";

class ChildPeerTest : public ::testing::Test {
 protected:
  std::unique_ptr<ChildPeer> start(const std::string& script) {
    auto started =
        ChildPeer::start(test::duplex::does(k_answer + script), {.name = "the server s"}, handler_);
    EXPECT_TRUE(started.ok()) << started.error().message;
    return started.ok() ? std::move(started).value() : nullptr;
  }

  Handler handler_;
};

std::string text_of(const Result<Reply>& reply) {
  if (!reply.ok()) return reply.error().message;
  if (const auto* error = std::get_if<ErrorObject>(&*reply)) return error->message;
  return std::get<RawJson>(*reply).text;
}

TEST_F(ChildPeerTest, AnswersAndAsks) {
  const auto child = start(R"(
take
printf '{"jsonrpc":"2.0","method":"note"}\n{"jsonrpc":"2.0","id":"x","method":"echo","params":[7]}\n'
read -r reply
give "$reply"
answer 3)");
  EXPECT_EQ(text_of(child->peer().call("b", {}, k_patience, {})),
            R"({"jsonrpc":"2.0","id":"x","result":[7]})");
  EXPECT_EQ(handler_.methods(), std::vector<std::string>{"note"});
  EXPECT_EQ(text_of(child->peer().call("c", {}, k_patience, {})), "3");
  EXPECT_EQ(child->stop(10s), platform::ProcessEnd{});
}

TEST_F(ChildPeerTest, WhoeverWaitsLearnsHowTheChildEnded) {
  const auto failed = start("read -r line; echo 'first' >&2; echo 'no key: set S_KEY' >&2; exit 3");
  EXPECT_EQ(text_of(failed->peer().call("a", {}, k_patience, {})),
            "the server s ended with exit code 3: no key: set S_KEY");
  EXPECT_EQ(text_of(failed->peer().call("b", {}, k_patience, {})),
            "the server s ended with exit code 3: no key: set S_KEY")
      << "and whoever comes later";
  EXPECT_EQ(failed->error_tail(), "first\nno key: set S_KEY\n");

  const auto killed = start("read -r line; kill -KILL $$");
  EXPECT_EQ(text_of(killed->peer().call("a", {}, k_patience, {})),
            "the server s was killed by SIGKILL");
}

TEST_F(ChildPeerTest, AnAnswerJustBeforeTheEndCounts) {
  const auto child = start("answer '\"bye\"'; exit 0");
  EXPECT_EQ(text_of(child->peer().call("a", {}, k_patience, {})), R"("bye")");
}

TEST_F(ChildPeerTest, AChildThatClosesItsOutputIsOfNoUseAndStopped) {
  const auto child = start("exec >&-; cat > /dev/null; exit 5");
  EXPECT_EQ(text_of(child->peer().call("a", {}, k_patience, {})),
            "the server s ended with exit code 5");
}

TEST_F(ChildPeerTest, AProgramThatIsMissingIsAnError) {
  const auto started = ChildPeer::start(test::duplex::missing(), {.name = "s"}, handler_);
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().message, test::duplex::k_missing_message);
}

TEST_F(ChildPeerTest, AChildThatNeverReadsHoldsNobodyUp) {
  const auto child = start("exec sleep 30");
  const std::string large = "[\"" + std::string(1 << 20, 'x') + "\"]";
  EXPECT_EQ(child->peer().call("a", {large}, 1ms, {}).error().code, ErrorCode::timeout);
  EXPECT_EQ(child->peer().call("a", {large}, 1ms, {}).error().code, ErrorCode::timeout);
}

TEST_F(ChildPeerTest, StopEndsACallOfAnotherThread) {
  const auto child = start(
      "read -r line; printf '{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\\n'; "
      "trap '' TERM; sleep 30; sleep 30");
  std::string reply;
  std::thread caller(
      [&] { reply = text_of(child->peer().call("a", {}, k_patience, CancelToken())); });
  handler_.wait_for_notification();  // the child has the request
  child->stop(0ms);
  caller.join();
  EXPECT_EQ(reply, "the server s was stopped");
}

}  // namespace
}  // namespace yume::jsonrpc
