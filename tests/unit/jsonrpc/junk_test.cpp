// SPDX-License-Identifier: MIT
#include "jsonrpc/peer.h"

#include <gtest/gtest.h>

namespace yume::jsonrpc {
namespace {

class NoHandler final : public PeerHandler {
 public:
  void on_request(Request /*request*/, Responder responder) override {
    responder.reply(RawJson{"{}"});
  }
  void on_notification(Notification /*notification*/) override { ++notifications; }
  int notifications = 0;
};

struct Scene {
  NoHandler handler;
  std::vector<std::string> sent;
  Peer peer{{.name = "the server",
             .max_message_bytes = 1000,
             .most_junk_bytes = 100,
             .answers_malformed = false},
            [this](std::string_view line) {
              sent.emplace_back(line);
              return Result<void>();
            },
            handler};
};

TEST(JunkOfPeers, ALittleIsPassedOverWithoutAnAnswer) {
  Scene scene;
  scene.peer.receive("Ready to serve.\n{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\n");
  EXPECT_EQ(scene.handler.notifications, 1);
  EXPECT_TRUE(scene.sent.empty());
  EXPECT_FALSE(scene.peer.why_closed());
}

TEST(JunkOfPeers, MuchOfItEndsTheConnection) {
  Scene scene;
  for (int i = 0; i < 10; ++i) scene.peer.receive("junk junk junk\n");
  ASSERT_TRUE(scene.peer.why_closed());
  EXPECT_EQ(scene.peer.why_closed()->code, ErrorCode::protocol);
  EXPECT_NE(scene.peer.why_closed()->message.find("no message"), std::string::npos);
}

TEST(JunkOfPeers, SoDoesALineWithoutAnEnd) {
  Scene scene;
  for (int i = 0; i < 11; ++i) scene.peer.receive(std::string(100, 'x'));
  EXPECT_FALSE(scene.peer.why_closed());
  scene.peer.receive("x");
  EXPECT_TRUE(scene.peer.why_closed());
}

TEST(JunkOfPeers, MessagesAreNone) {
  Scene scene;
  const std::string message = R"({"jsonrpc":"2.0","method":"m"})"
                              "\n";
  for (int i = 0; i < 1000; ++i) scene.peer.receive(message);
  EXPECT_EQ(scene.handler.notifications, 1000);
  EXPECT_FALSE(scene.peer.why_closed());
}

}  // namespace
}  // namespace yume::jsonrpc
