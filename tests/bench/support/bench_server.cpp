// SPDX-License-Identifier: MIT
#include "bench_server.h"

#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

namespace yume::bench {
namespace {

constexpr std::string_view k_head_end = "\r\n\r\n";
constexpr std::string_view k_length_name = "\r\nContent-Length: ";  // as libcurl spells it

// Reads requests into one buffer that keeps its memory, so that a request of megabytes costs the
// server one copy and no page faults.
class RequestReader {
 public:
  explicit RequestReader(platform::LoopbackConnection& socket) : socket_(socket) {}

  // The body of the next request; nullopt when the connection is over. Valid until the next call.
  std::optional<std::string_view> next() {
    buffer_.clear();
    std::size_t head = std::string::npos;
    while ((head = buffer_.find(k_head_end)) == std::string::npos) {
      if (!fill()) return std::nullopt;
    }
    head_ = now();
    head += k_head_end.size();
    const std::size_t length = content_length(std::string_view(buffer_).substr(0, head));
    while (buffer_.size() < head + length) {
      if (!fill()) return std::nullopt;
    }
    return std::string_view(buffer_).substr(head, length);
  }

  // When the head of the last request was there.
  [[nodiscard]] Time head() const { return head_; }

 private:
  bool fill() {
    const auto count = socket_.read(std::span(block_));
    if (!count.ok() || *count == 0) return false;
    buffer_.append(block_.data(), *count);
    return true;
  }

  static std::size_t content_length(std::string_view head) {
    const std::size_t at = head.find(k_length_name);
    if (at == std::string_view::npos) return 0;
    std::size_t length = 0;
    const std::string_view digits = head.substr(at + k_length_name.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), length);
    return length;
  }

  platform::LoopbackConnection& socket_;
  Time head_;
  std::string buffer_;
  std::array<char, 256 * 1024> block_{};
};

}  // namespace

void Exchange::send(std::string_view bytes) {
  (void)socket_.write(bytes);
}

void Exchange::hold() {
  std::array<char, 1024> ignored{};
  for (;;) {
    const auto count = socket_.read(std::span(ignored));
    if (!count.ok() || *count == 0) return;
  }
}

Result<std::unique_ptr<BenchServer>> BenchServer::start(Handler handler) {
  YUME_TRY(auto listener, test::listen_on_loopback());
  return std::unique_ptr<BenchServer>(new BenchServer(std::move(handler), std::move(listener)));
}

BenchServer::BenchServer(Handler handler, std::unique_ptr<test::LoopbackListener> listener)
    : handler_(std::move(handler)), listener_(std::move(listener)) {
  accept_thread_ = std::thread([this] { accept_loop(); });
}

BenchServer::~BenchServer() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    for (Connection& connection : connections_) connection.socket->close();
  }
  listener_->close();
  accept_thread_.join();
  for (Connection& connection : connections_) connection.thread.join();
}

std::string BenchServer::base_url() const {
  return "http://127.0.0.1:" + std::to_string(listener_->port());
}

void BenchServer::accept_loop() {
  for (;;) {
    auto socket = listener_->accept();
    if (!socket.ok()) return;
    const std::lock_guard lock(mutex_);
    if (closing_) return;
    Connection& connection = connections_.emplace_back();
    connection.socket = std::move(socket).value();
    connection.thread = std::thread([this, &connection] { serve(*connection.socket); });
  }
}

void BenchServer::serve(platform::LoopbackConnection& socket) const {
  const auto reader = std::make_unique<RequestReader>(socket);
  for (std::size_t index = 0;; ++index) {
    const auto body = reader->next();
    if (!body) return;
    Exchange exchange(socket,
                      {.head = reader->head(), .when = now(), .index = index, .body = *body});
    handler_(exchange);
  }
}

}  // namespace yume::bench
