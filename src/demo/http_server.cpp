// SPDX-License-Identifier: MIT
#include "demo/http_server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <future>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

#include "platform/loopback.h"
#include "util/ascii.h"
#include "util/overloaded.h"

// Tests open many connections at once, and send long headers.
#define CPPHTTPLIB_LISTEN_BACKLOG 128
#define CPPHTTPLIB_HEADER_MAX_LENGTH 262144
#define CPPHTTPLIB_REQUEST_URI_MAX_LENGTH 262144
#include <httplib.h>

namespace yume::demo {
namespace {

// Our own sockets under httplib's HTTP: they can be woken, reset and written to as they are.
class Connection final : public httplib::Stream, public BareConnection {
 public:
  Connection(std::unique_ptr<platform::LoopbackConnection> socket, int number,
             const HttpCallbacks& callbacks)
      : socket_(std::move(socket)), number_(number), callbacks_(callbacks) {}

  // Blocks; false when there is none.
  bool has_request() {
    silent_ = false;
    return !over_ && fill();
  }

  // What httplib says to the present request is dropped: it has been answered.
  void answered(Next next) {
    silent_ = true;
    end_after_answer(next);
  }
  void end_after_answer(Next next) { over_ = over_ || next == Next::end_connection; }

  int number() const { return number_; }
  void close() { socket_->close(); }

  Next send(std::string_view bytes) override {
    return socket_->write(bytes).ok() ? Next::keep_open : Next::end_connection;
  }
  Next wait_for_gate(const std::string& name) override { return callbacks_.wait_for_gate(name); }
  void hold() override {
    do {
      position_ = filled_;
    } while (fill());
  }
  void reset() override { socket_->reset(); }

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* out, size_t size) override {
    if (!fill()) return 0;
    const std::size_t count = std::min(size, filled_ - position_);
    std::memcpy(out, buffer_.data() + position_, count);
    position_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* bytes, size_t size) override {
    if (silent_) return static_cast<ssize_t>(size);
    return send({bytes, size}) == Next::keep_open ? static_cast<ssize_t>(size) : -1;
  }
  // A request knows its connection by this number.
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip = "127.0.0.1";
    port = number_;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip = "127.0.0.1";
    port = 0;
  }
  socket_t socket() const override { return 0; }  // only compared with what select() can take

 private:
  // False at the end.
  bool fill() {
    if (position_ < filled_) return true;
    const auto count = socket_->read(std::span(buffer_));
    position_ = 0;
    filled_ = count.ok() ? *count : 0;
    return filled_ > 0;
  }

  const std::unique_ptr<platform::LoopbackConnection> socket_;
  const int number_;
  const HttpCallbacks& callbacks_;
  bool silent_ = false;
  bool over_ = false;
  std::array<char, 64 * 1024> buffer_{};
  std::size_t position_ = 0;
  std::size_t filled_ = 0;
};

// A thread for each connection: one that stalls may not keep another waiting.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> serve) override {
    threads_.remove_if([](Thread& thread) {
      if (!thread.finished) return false;
      thread.thread.join();
      return true;
    });
    Thread& added = threads_.emplace_back();
    added.thread = std::thread([serve = std::move(serve), &added] {
      serve();
      added.finished = true;
    });
  }

  void shutdown() override {
    for (Thread& thread : threads_) thread.thread.join();
    threads_.clear();
  }

 private:
  struct Thread {
    std::thread thread;
    std::atomic<bool> finished = false;
  };
  std::list<Thread> threads_;  // of the accepting thread
};

RecordedRequest recorded(const httplib::Request& request) {
  RecordedRequest out{.method = request.method,
                      .target = request.target,
                      .headers = {},
                      .body = request.body,
                      .connection_number = static_cast<std::size_t>(request.remote_port)};
  for (const auto& [name, value] : request.headers) {
    // httplib adds what it knows about the connection.
    if (name.starts_with("REMOTE_") || name.starts_with("LOCAL_")) continue;
    out.headers.push_back({.name = name, .value = value});
  }
  return out;
}

std::size_t body_bytes(const Script& script) {
  std::size_t count = 0;
  for (const Step& step : script.steps) {
    if (const auto* send = std::get_if<SendBytes>(&step)) count += send->bytes.size();
  }
  return count;
}

// The body of the script, for whatever kind of sink the headers ask for. False ends the connection.
bool send_body(const std::vector<Step>& steps, Connection& connection, httplib::DataSink& sink) {
  for (const Step& step : steps) {
    if (const auto* send = std::get_if<SendBytes>(&step)) {
      if (!send->bytes.empty() && !sink.write(send->bytes.data(), send->bytes.size())) return false;
    } else if (play(step, connection) == Next::end_connection) {
      return false;
    }
  }
  if (sink.done) sink.done();  // a body with a length has no other end
  return true;
}

void fill_response(Script script, Connection& connection, httplib::Response& response) {
  response.status = script.status;
  std::string content_type = "text/plain";
  std::optional<std::size_t> length;
  for (const Header& header : script.headers) {
    const std::string name = ascii_lower(header.name);
    if (name == "content-type") {
      content_type = header.value;
    } else if (name == "content-length") {
      length = std::stoul(header.value);
    } else {
      response.set_header(header.name, header.value);
    }
    if (name == "connection" && ascii_lower(header.value) == "close") {
      connection.end_after_answer(Next::end_connection);
    }
  }
  const bool until_the_end = ascii_lower(response.get_header_value("Connection")) == "close";
  if (length == 0U || script.status == 204 || script.status == 304) {
    response.set_header("Content-Type", content_type);
    return;
  }
  const bool too_short = length && body_bytes(script) < *length;
  const auto body = [steps = std::move(script.steps), &connection](size_t,
                                                                   httplib::DataSink& sink) {
    return send_body(steps, connection, sink);
  };
  if (length) {
    response.set_content_provider(*length, content_type,
                                  [body, too_short](size_t at, size_t, httplib::DataSink& sink) {
                                    return body(at, sink) && !too_short;
                                  });
  } else if (until_the_end) {
    response.set_content_provider(content_type, body);
  } else {
    response.set_chunked_content_provider(content_type, body);
  }
}

}  // namespace

class HttpServer::Impl final : public httplib::Server {
 public:
  explicit Impl(HttpCallbacks callbacks) : callbacks_(std::move(callbacks)) {
    const auto handler = [this](const httplib::Request& request, httplib::Response& response) {
      answer(request, response);
    };
    constexpr const char* k_any = R"([\s\S]*)";
    Get(k_any, handler).Post(k_any, handler).Put(k_any, handler);
    Patch(k_any, handler).Delete(k_any, handler).Options(k_any, handler);
    new_task_queue = [this] {
      listening_.set_value();
      return new ConnectionThreads;  // httplib owns it
    };
  }

  Result<void> open() {
    port_ = bind_to_any_port("127.0.0.1");
    if (port_ < 0)
      return Error{.code = ErrorCode::network, .message = "cannot listen on 127.0.0.1"};
    thread_ = std::thread([this] { listen_after_bind(); });
    listening_.get_future().wait();
    return {};
  }

  int port() const { return port_; }

  void close() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
      for (const auto& [number, connection] : connections_) connection->close();
    }
    // stop() would close the socket while the other thread still accepts from its number, which may
    // be another socket's by then. That thread closes it when accept() fails.
    platform::stop_listening(static_cast<int>(svr_sock_));
    thread_.join();
  }

 private:
  bool process_and_close_socket(socket_t socket) override {
    Connection* const connection = admit(socket);
    if (connection == nullptr) return false;
    bool last = false;
    while (!last && connection->has_request() &&
           process_request(*connection, /*close_connection=*/false, last, nullptr)) {
    }
    connection->close();
    const std::lock_guard lock(mutex_);
    connections_.erase(connection->number());
    return true;
  }

  // Null when the server closes.
  Connection* admit(socket_t socket) {
    auto adopted = platform::adopt_connection(static_cast<int>(socket));
    const std::lock_guard lock(mutex_);
    if (closing_ || !adopted.ok()) return nullptr;
    const int number = ++accepted_;
    auto connection = std::make_unique<Connection>(std::move(adopted).value(), number, callbacks_);
    return (connections_[number] = std::move(connection)).get();
  }

  void answer(const httplib::Request& request, httplib::Response& response) {
    Connection& connection = find(request.remote_port);
    Answer answer = callbacks_.answer(recorded(request));
    std::visit(Overloaded{
                   [&](Script& script) { fill_response(std::move(script), connection, response); },
                   [&](TakeOver& take_over) { connection.answered(take_over(connection)); },
               },
               answer);
  }

  Connection& find(int number) {
    const std::lock_guard lock(mutex_);
    return *connections_.at(number);
  }

  const HttpCallbacks callbacks_;
  int port_ = -1;
  std::promise<void> listening_;
  std::thread thread_;

  std::mutex mutex_;  // all below
  bool closing_ = false;
  int accepted_ = 0;
  std::map<int, std::unique_ptr<Connection>> connections_;  // each is removed by its own thread
};

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() {
  close();
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(HttpCallbacks callbacks) {
  auto impl = std::make_unique<Impl>(std::move(callbacks));
  if (auto opened = impl->open(); !opened.ok()) return std::move(opened).error();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

std::uint16_t HttpServer::port() const {
  return static_cast<std::uint16_t>(impl_->port());
}

void HttpServer::close() {
  impl_->close();
}

}  // namespace yume::demo
