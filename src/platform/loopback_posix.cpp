// SPDX-License-Identifier: MIT
#include "platform/loopback.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "platform/descriptor_posix.h"

namespace yume::platform {

namespace {

#if defined(MSG_NOSIGNAL)
constexpr int k_send_flags = MSG_NOSIGNAL;
#else
constexpr int k_send_flags = 0;  // macOS: SO_NOSIGPIPE on the socket
#endif

Error network_error(std::string_view what, int error_number) {
  return Error{.code = ErrorCode::network,
               .message = std::string(what) + ": " + describe_errno(error_number)};
}

Error closed_error(std::string_view what) {
  return Error{.code = ErrorCode::cancelled, .message = std::string(what) + ": closed"};
}

// True when `fd` is ready, false when the waker was raised.
bool wait_ready(int fd, short what, const Waker& waker) {
  for (;;) {
    std::array<pollfd, 2> events{{{fd, what, 0}, {waker.fd(), POLLIN, 0}}};
    if (::poll(events.data(), events.size(), -1) < 0) continue;
    if (events[1].revents != 0) return false;
    if (events[0].revents != 0) return true;
  }
}

bool prepare_socket(int fd) {
  return ::fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && set_nonblocking(fd).ok();
}

class PosixLoopbackConnection final : public LoopbackConnection {
 public:
  explicit PosixLoopbackConnection(Descriptor socket) : socket_(std::move(socket)) {
    const int on = 1;
    // A scripted server sends small chunks and wants each to arrive at once.
    ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#if defined(SO_NOSIGPIPE)
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  }

  bool usable() const {
    return waker_.usable();
  }

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::shared_lock lock(in_use_);
    for (;;) {
      if (!socket_.is_open() || !wait_ready(socket_.get(), POLLIN, waker_)) return 0;
      const ssize_t got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EAGAIN && errno != EINTR) return network_error("cannot receive", errno);
    }
  }

  Result<void> write(std::string_view bytes) override {
    const std::shared_lock lock(in_use_);
    while (!bytes.empty()) {
      if (!socket_.is_open() || !wait_ready(socket_.get(), POLLOUT, waker_)) {
        return closed_error("cannot send");
      }
      const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), k_send_flags);
      if (sent >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
      } else if (errno != EAGAIN && errno != EINTR) {
        return network_error("cannot send", errno);
      }
    }
    return {};
  }

  void reset() override {
    const auto lock = take_over();
    if (!socket_.is_open()) return;
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    socket_.close();
  }

  void close() override {
    const auto lock = take_over();
    socket_.close();
  }

 private:
  // The descriptor may be closed only when no other thread is about to use its number.
  std::unique_lock<std::shared_mutex> take_over() {
    waker_.raise();
    return std::unique_lock(in_use_);
  }

  std::shared_mutex in_use_;  // shared by read and write, exclusive to close
  Descriptor socket_;
  Waker waker_;
};

}  // namespace

Result<std::unique_ptr<LoopbackConnection>> adopt_connection(int socket) {
  Descriptor owned(socket);
  const std::string_view what = "cannot accept a connection";
  if (!prepare_socket(owned.get())) return network_error(what, errno);
  auto connection = std::make_unique<PosixLoopbackConnection>(std::move(owned));
  if (!connection->usable()) return network_error(what, EMFILE);
  return std::unique_ptr<LoopbackConnection>(std::move(connection));
}

void stop_listening(int socket) {
  ::shutdown(socket, SHUT_RDWR);
}

}  // namespace yume::platform
