// SPDX-License-Identifier: MIT
#include "support/loopback_listener.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace yume::test {
namespace {

#if defined(__linux__)
int accept_on(int socket) {
  return ::accept4(socket, nullptr, nullptr, SOCK_CLOEXEC);
}
int make_socket() {
  return ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
}
#else
int keep_from_children(int fd) {
  if (fd >= 0) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return fd;
}
int accept_on(int socket) {
  return keep_from_children(::accept(socket, nullptr, nullptr));
}
int make_socket() {
  return keep_from_children(::socket(AF_INET, SOCK_STREAM, 0));
}
#endif

}  // namespace

LoopbackListener::~LoopbackListener() {
  ::close(socket_);
}

Result<std::unique_ptr<platform::LoopbackConnection>> LoopbackListener::accept() const {
  for (;;) {
    const int accepted = accept_on(socket_);
    if (accepted >= 0) return platform::adopt_connection(accepted);
    if (errno == EINTR || errno == ECONNABORTED) continue;
    return Error{.code = ErrorCode::cancelled, .message = "cannot accept a connection: closed"};
  }
}

void LoopbackListener::close() const {
  ::shutdown(socket_, SHUT_RDWR);
}

Result<std::unique_ptr<LoopbackListener>> listen_on_loopback() {
  constexpr int k_backlog = 128;
  const int fd = make_socket();
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (fd < 0 || ::bind(fd, generic, length) != 0 || ::listen(fd, k_backlog) != 0 ||
      ::getsockname(fd, generic, &length) != 0) {
    if (fd >= 0) ::close(fd);
    return Error{.code = ErrorCode::network, .message = "cannot listen on 127.0.0.1"};
  }
  return std::make_unique<LoopbackListener>(fd, ntohs(address.sin_port));
}

}  // namespace yume::test
