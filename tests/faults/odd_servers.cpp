// SPDX-License-Identifier: MIT
#include "faults/odd_servers.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>
#include <utility>

namespace yume::faults {
namespace {

// A socket bound to a free port of 127.0.0.1, and its URL.
std::pair<int, std::string> bound_socket() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (fd < 0 || ::bind(fd, generic, length) != 0 || ::getsockname(fd, generic, &length) != 0) {
    throw std::runtime_error("no free port");
  }
  return {fd, "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port))};
}

void write_for_ever(int connection) {
  std::string text = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
  while (::send(connection, text.data(), text.size(), MSG_NOSIGNAL) > 0) {
    text = std::string(4096, ':') + "\n";
  }
  ::close(connection);
}

}  // namespace

std::string closed_port_url() {
  // Bound and not listening: refuses, and nobody else can take the port.
  return bound_socket().second;
}

std::string black_hole_url() {
  const auto [listener, url] = bound_socket();
  ::listen(listener, 0);
  sockaddr_in address{};
  socklen_t length = sizeof address;
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
  for (int i = 0; i < 4; ++i) {  // the queue takes one more than it says
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    (void)::connect(fd, reinterpret_cast<const sockaddr*>(&address), length);
  }
  return url;
}

std::string endless_stream_url() {
  const auto [listener, url] = bound_socket();
  ::listen(listener, 8);
  std::thread([fd = listener] {
    for (;;) {
      const int connection = ::accept4(fd, nullptr, nullptr, SOCK_CLOEXEC);
      if (connection < 0) return;
      std::thread(write_for_ever, connection).detach();
    }
  }).detach();
  return url;
}

}  // namespace yume::faults
