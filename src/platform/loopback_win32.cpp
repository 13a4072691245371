// SPDX-License-Identifier: MIT
#include "platform/loopback.h"

#include <winsock2.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "platform/handle_win32.h"

namespace yume::platform {

namespace {

// Both directions may be waited for at once, but the system notifies of a readiness only one of
// them.
constexpr DWORD k_look_again_ms = 20;

Error network_error(std::string_view what, int code) {
  return Error{
      .code = ErrorCode::network,
      .message = std::string(what) + ": " + describe_windows_error(static_cast<DWORD>(code))};
}

Error closed_error(std::string_view what) {
  return Error{.code = ErrorCode::cancelled, .message = std::string(what) + ": closed"};
}

class WindowsLoopbackConnection final : public LoopbackConnection {
 public:
  explicit WindowsLoopbackConnection(SOCKET socket)
      : socket_(socket), ready_(make_event()), closing_(make_event()) {
    const BOOL on = TRUE;
    // A scripted server sends small chunks and wants each to arrive at once.
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, reinterpret_cast<const char*>(&on), sizeof on);
  }
  ~WindowsLoopbackConnection() override { close(); }
  WindowsLoopbackConnection(const WindowsLoopbackConnection&) = delete;
  WindowsLoopbackConnection& operator=(const WindowsLoopbackConnection&) = delete;

  // Makes the socket non-blocking, too.
  bool prepare() {
    return ready_.is_open() && closing_.is_open() &&
           ::WSAEventSelect(socket_, ready_.get(), FD_READ | FD_WRITE | FD_CLOSE) == 0;
  }

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::shared_lock lock(in_use_);
    for (;;) {
      if (is_raised(closing_) || socket_ == INVALID_SOCKET) return 0;
      ::ResetEvent(ready_.get());
      const int room = static_cast<int>(std::min<std::size_t>(buffer.size(), 1U << 20U));
      const int got = ::recv(socket_, buffer.data(), room, 0);
      if (got >= 0) return static_cast<std::size_t>(got);
      const int code = ::WSAGetLastError();
      if (code != WSAEWOULDBLOCK) return network_error("cannot receive", code);
      wait();
    }
  }

  Result<void> write(std::string_view bytes) override {
    const std::shared_lock lock(in_use_);
    while (!bytes.empty()) {
      if (is_raised(closing_) || socket_ == INVALID_SOCKET) return closed_error("cannot send");
      ::ResetEvent(ready_.get());
      const int piece = static_cast<int>(std::min<std::size_t>(bytes.size(), 1U << 20U));
      const int sent = ::send(socket_, bytes.data(), piece, 0);
      if (sent >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
        continue;
      }
      const int code = ::WSAGetLastError();
      if (code != WSAEWOULDBLOCK) return network_error("cannot send", code);
      wait();
    }
    return {};
  }

  void reset() override {
    const auto lock = take_over();
    if (socket_ == INVALID_SOCKET) return;
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, reinterpret_cast<const char*>(&at_once),
                 sizeof at_once);
    ::closesocket(std::exchange(socket_, INVALID_SOCKET));
  }

  void close() override {
    const auto lock = take_over();
    if (socket_ != INVALID_SOCKET) ::closesocket(std::exchange(socket_, INVALID_SOCKET));
  }

 private:
  void wait() const {
    const std::array<HANDLE, 2> either{closing_.get(), ready_.get()};
    ::WaitForMultipleObjects(either.size(), either.data(), FALSE, k_look_again_ms);
  }

  // The socket may be closed only when no other thread is about to use its number.
  std::unique_lock<std::shared_mutex> take_over() {
    ::SetEvent(closing_.get());
    return std::unique_lock(in_use_);
  }

  std::shared_mutex in_use_;  // shared by read and write, exclusive to close
  SOCKET socket_;
  Handle ready_;
  Handle closing_;
};

}  // namespace

Result<std::unique_ptr<LoopbackConnection>> adopt_connection(int socket) {
  auto connection = std::make_unique<WindowsLoopbackConnection>(static_cast<SOCKET>(socket));
  if (!connection->prepare())
    return network_error("cannot accept a connection", ::WSAGetLastError());
  return std::unique_ptr<LoopbackConnection>(std::move(connection));
}

void stop_listening(int socket) {
  ::closesocket(static_cast<SOCKET>(socket));
}

}  // namespace yume::platform
