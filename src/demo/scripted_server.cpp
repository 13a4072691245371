// SPDX-License-Identifier: MIT
#include "demo/scripted_server.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

namespace yume::demo {
namespace {

constexpr std::size_t k_longest_line = 256 * 1024;
constexpr std::size_t k_largest_body = std::size_t{1} << 30;

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::optional<std::size_t> parse_size(std::string_view text, int base) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size() || value > k_largest_body) {
    return std::nullopt;
  }
  return value;
}

Error bad_request(std::string message) {
  return Error{.code = ErrorCode::protocol, .message = std::move(message)};
}

// Cuts the bytes of one connection into requests. Blocks in read().
class RequestReader {
 public:
  explicit RequestReader(platform::LoopbackConnection& socket) : socket_(socket) {}

  // Code protocol: the peer sent no HTTP. Any other error: the connection is over.
  Result<RecordedRequest> next() {
    RecordedRequest request;
    YUME_TRY(const std::string line, read_line());
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string::npos || first == last || !line.substr(last).starts_with(" HTTP/1.")) {
      return bad_request("malformed request line");
    }
    request.method = line.substr(0, first);
    request.target = line.substr(first + 1, last - first - 1);
    if (auto read = read_headers(request); !read.ok()) return std::move(read).error();
    if (auto read = read_body(request); !read.ok()) return std::move(read).error();
    buffer_.erase(0, position_);
    position_ = 0;
    return request;
  }

 private:
  Result<void> fill() {
    YUME_TRY(const std::size_t count, socket_.read(std::span(block_)));
    if (count == 0) return Error{.code = ErrorCode::network, .message = "connection ended"};
    buffer_.append(block_.data(), count);
    return {};
  }

  Result<std::string> read_line() {
    std::size_t from = position_;
    std::size_t end = std::string::npos;
    while ((end = buffer_.find('\n', from)) == std::string::npos) {
      if (buffer_.size() - position_ > k_longest_line) return bad_request("line too long");
      from = buffer_.size();
      if (auto filled = fill(); !filled.ok()) return std::move(filled).error();
    }
    std::string line = buffer_.substr(position_, end - position_);
    if (line.ends_with('\r')) line.pop_back();
    position_ = end + 1;
    return line;
  }

  Result<std::string> read_exactly(std::size_t count) {
    while (buffer_.size() - position_ < count) {
      if (auto filled = fill(); !filled.ok()) return std::move(filled).error();
    }
    std::string bytes = buffer_.substr(position_, count);
    position_ += count;
    return bytes;
  }

  Result<void> read_headers(RecordedRequest& request) {
    while (true) {
      YUME_TRY(const std::string line, read_line());
      if (line.empty()) return {};
      const std::size_t colon = line.find(':');
      if (colon == std::string::npos) return bad_request("malformed header");
      const std::size_t value = line.find_first_not_of(" \t", colon + 1);
      request.headers.push_back(
          {.name = line.substr(0, colon),
           .value = value == std::string::npos ? std::string() : line.substr(value)});
    }
  }

  Result<void> read_body(RecordedRequest& request) {
    const std::string* encoding = request.find_header("Transfer-Encoding");
    if (encoding != nullptr && same_name(*encoding, "chunked")) return read_chunks(request);
    const std::string* length = request.find_header("Content-Length");
    if (length == nullptr) return {};
    const auto size = parse_size(*length, 10);
    if (!size) return bad_request("malformed Content-Length");
    YUME_TRY(request.body, read_exactly(*size));
    return {};
  }

  Result<void> read_chunks(RecordedRequest& request) {
    while (true) {
      YUME_TRY(const std::string line, read_line());
      const auto size = parse_size(line.substr(0, line.find_first_of("; \t")), 16);
      if (!size) return bad_request("malformed chunk size");
      if (*size == 0) break;
      YUME_TRY(const std::string bytes, read_exactly(*size));
      request.body += bytes;
      YUME_TRY(const std::string end, read_line());
      if (!end.empty()) return bad_request("chunk longer than its size");
    }
    while (true) {  // trailers
      YUME_TRY(const std::string line, read_line());
      if (line.empty()) return {};
    }
  }

  platform::LoopbackConnection& socket_;
  std::string buffer_;
  std::size_t position_ = 0;
  std::array<char, 64 * 1024> block_{};
};

void read_until_closed(platform::LoopbackConnection& socket) {
  std::array<char, 4096> ignored{};
  while (true) {
    const auto count = socket.read(std::span(ignored));
    if (!count.ok() || *count == 0) return;
  }
}

}  // namespace

const std::string* RecordedRequest::find_header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(), [&](const Header& header) {
    return same_name(header.name, name);
  });
  return found == headers.end() ? nullptr : &found->value;
}

Responder answer_in_order(std::vector<Script> scripts) {
  return [scripts = std::move(scripts)](const RecordedRequest&, std::size_t index) {
    if (index < scripts.size()) return scripts[index];
    return plain_answer({.status = 500,
                         .reason = "Internal Server Error",
                         .content_type = "text/plain",
                         .body = "script exhausted"});
  };
}

Result<std::unique_ptr<ScriptedServer>> ScriptedServer::start(Options options) {
  YUME_TRY(auto listener, platform::listen_on_loopback());
  return std::unique_ptr<ScriptedServer>(
      new ScriptedServer(std::move(options), std::move(listener)));
}

ScriptedServer::ScriptedServer(Options options,
                               std::unique_ptr<platform::LoopbackListener> listener)
    : responder_(std::move(options.responder)), listener_(std::move(listener)) {
  accept_thread_ = std::thread([this] { accept_loop(); });
}

ScriptedServer::~ScriptedServer() {
  close();
}

std::string ScriptedServer::base_url() const {
  return "http://127.0.0.1:" + std::to_string(listener_->port());
}

std::vector<RecordedRequest> ScriptedServer::requests() const {
  const std::lock_guard lock(mutex_);
  return {requests_.begin(), requests_.end()};
}

bool ScriptedServer::wait_for_request(std::size_t count) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closing_ || requests_.size() >= count; });
  return requests_.size() >= count;
}

void ScriptedServer::open_gate(std::string_view name) {
  {
    const std::lock_guard lock(mutex_);
    open_gates_.emplace(name);
  }
  changed_.notify_all();
}

void ScriptedServer::close() {
  const std::lock_guard one_closer(close_mutex_);
  if (!accept_thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    for (Connection& connection : connections_) connection.socket->close();
  }
  changed_.notify_all();
  listener_->close();
  accept_thread_.join();
  // Nobody adds to the list any more; the threads touch only their own element of it.
  for (Connection& connection : connections_) connection.thread.join();
  connections_.clear();
}

void ScriptedServer::accept_loop() {
  while (true) {
    auto socket = listener_->accept();
    if (!socket.ok()) return;
    join_finished();
    admit(std::move(socket).value());
  }
}

void ScriptedServer::admit(std::unique_ptr<platform::LoopbackConnection> socket) {
  const std::lock_guard lock(mutex_);
  if (closing_) return;
  Connection& connection = connections_.emplace_back();
  connection.socket = std::move(socket);
  connection.number = ++accepted_;
  connection.thread = std::thread([this, &connection] { serve(connection); });
}

void ScriptedServer::join_finished() {
  std::list<Connection> finished;
  {
    const std::lock_guard lock(mutex_);
    for (auto it = connections_.begin(); it != connections_.end();) {
      const auto current = it++;
      if (current->finished) finished.splice(finished.end(), connections_, current);
    }
  }
  for (Connection& connection : finished) connection.thread.join();
}

void ScriptedServer::serve(Connection& connection) {
  RequestReader reader(*connection.socket);
  while (true) {
    auto request = reader.next();
    if (!request.ok()) {
      if (request.error().code == ErrorCode::protocol) {
        // The peer may be gone already, and there is nothing more to say in any case.
        (void)play(plain_answer({.status = 400,
                                 .reason = "Bad Request",
                                 .content_type = "text/plain",
                                 .body = request.error().message}),
                   *connection.socket);
      }
      break;
    }
    request->connection_number = connection.number;
    const auto [recorded, index] = record(std::move(request).value());
    if (play(responder_(*recorded, index), *connection.socket) == Next::end_connection) break;
  }
  connection.socket->close();
  const std::lock_guard lock(mutex_);
  connection.finished = true;
}

std::pair<const RecordedRequest*, std::size_t> ScriptedServer::record(RecordedRequest request) {
  std::pair<const RecordedRequest*, std::size_t> recorded;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
    recorded = {&requests_.back(), requests_.size() - 1};
  }
  changed_.notify_all();
  return recorded;
}

ScriptedServer::Next ScriptedServer::play(const Script& script,
                                          platform::LoopbackConnection& socket) {
  for (const Step& step : script.steps) {
    Next next = Next::end_connection;
    if (const auto* send = std::get_if<SendBytes>(&step)) {
      if (socket.write(send->bytes).ok()) next = Next::keep_open;
    } else if (const auto* block = std::get_if<SendBlock>(&step)) {
      if (socket.write(*block->bytes).ok()) next = Next::keep_open;
    } else if (const auto* gate = std::get_if<WaitForGate>(&step)) {
      next = wait_at(*gate);
    } else if (std::holds_alternative<ResetConnection>(step)) {
      socket.reset();
    } else if (std::holds_alternative<Stall>(step)) {
      read_until_closed(socket);
    }  // CloseConnection: the caller closes
    if (next == Next::end_connection) return next;
  }
  return Next::keep_open;
}

ScriptedServer::Next ScriptedServer::wait_at(const WaitForGate& gate) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closing_ || open_gates_.contains(gate.name); });
  return closing_ ? Next::end_connection : Next::keep_open;
}

}  // namespace yume::demo
