// SPDX-License-Identifier: MIT
// The contract of platform::LoopbackConnection, with a plain socket as the client.
#include "support/loopback_listener.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string>
#include <thread>

namespace yume {
namespace {

using platform::LoopbackConnection;
using test::LoopbackListener;

class Client {
 public:
  explicit Client(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { close(); }

  void send(std::string_view bytes) const {
    EXPECT_EQ(::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  // Until the end; "reset" instead when the connection was reset.
  std::string receive_all() const {
    std::string all;
    std::array<char, 4096> buffer;
    for (;;) {
      const ssize_t got = ::recv(fd_, buffer.data(), buffer.size(), 0);
      if (got < 0) return errno == ECONNRESET ? "reset" : "error";
      if (got == 0) return all;
      all.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

class Loopback : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = test::listen_on_loopback();
    ASSERT_TRUE(made.ok()) << made.error().message;
    listener_ = std::move(*made);
  }
  std::unique_ptr<LoopbackConnection> accept() {
    auto accepted = listener_->accept();
    EXPECT_TRUE(accepted.ok());
    return std::move(*accepted);
  }

  std::unique_ptr<LoopbackListener> listener_;
};

TEST_F(Loopback, CarriesBytesBothWays) {
  const Client client(listener_->port());
  const auto connection = accept();
  client.send("hello");
  std::array<char, 64> buffer;
  const auto got = connection->read(buffer);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(std::string_view(buffer.data(), *got), "hello");
  EXPECT_TRUE(connection->write("answer").ok());
  connection->close();
  EXPECT_EQ(client.receive_all(), "answer");
}

TEST_F(Loopback, WritesMoreThanTheSocketHolds) {
  const Client client(listener_->port());
  const auto connection = accept();
  const std::string large(8 << 20, 'x');
  std::string received;
  std::thread reader([&] { received = client.receive_all(); });
  EXPECT_TRUE(connection->write(large).ok());
  connection->close();
  reader.join();
  EXPECT_EQ(received.size(), large.size());
}

TEST_F(Loopback, ReadIsZeroWhenTheClientHasClosed) {
  Client client(listener_->port());
  const auto connection = accept();
  client.close();
  std::array<char, 8> buffer;
  const auto got = connection->read(buffer);
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(*got, 0U);
}

TEST_F(Loopback, WritingToAGoneClientIsAnErrorNotASignal) {
  Client client(listener_->port());
  const auto connection = accept();
  client.close();
  // The first writes may still be taken by the system.
  Result<void> written;
  for (int i = 0; i < 1000 && written.ok(); ++i) written = connection->write("x");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::network);
}

TEST_F(Loopback, ResetIsSeenAsAReset) {
  const Client client(listener_->port());
  const auto connection = accept();
  connection->reset();
  EXPECT_EQ(client.receive_all(), "reset");
}

TEST_F(Loopback, CloseWakesABlockedReadAndWrite) {
  const Client client(listener_->port());
  const auto connection = accept();
  std::size_t got = 1;
  Result<void> written;
  std::thread reader([&] {
    std::array<char, 8> buffer;
    got = *connection->read(buffer);
  });
  std::thread writer([&] { written = connection->write(std::string(64 << 20, 'x')); });
  connection->close();
  reader.join();
  writer.join();
  EXPECT_EQ(got, 0U);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::cancelled);
}

TEST_F(Loopback, CloseWakesABlockedAccept) {
  ErrorCode code{};
  std::thread acceptor([&] { code = listener_->accept().error().code; });
  listener_->close();
  acceptor.join();
  EXPECT_EQ(code, ErrorCode::cancelled);
  EXPECT_EQ(listener_->accept().error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace yume
