// SPDX-License-Identifier: MIT
#include "mcp/sse_connection.h"

#include "jsonrpc/peer.h"
#include "mcp/messages.h"

#include <condition_variable>
#include <optional>
#include <thread>
#include <utility>

namespace yume::mcp {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds k_patience{10'000};
constexpr milliseconds k_stream_lasts = std::chrono::hours(24);
constexpr std::size_t k_longest_message = std::size_t{16} << 20U;

std::string origin_of(const std::string& url) {
  const std::size_t host = url.find("://");
  if (host == std::string::npos) return url;
  return url.substr(0, url.find('/', host + 3));
}

std::optional<jsonrpc::Notification> cancel_notice(const jsonrpc::AbandonedCall& call) {
  if (call.method == "initialize") return std::nullopt;
  return jsonrpc::Notification{
      .method = "notifications/cancelled",
      .params = cancelled_params(call.id.json, call.timed_out ? "timeout" : "cancelled")};
}

class SseConnection final : public Connection, private jsonrpc::PeerHandler {
 public:
  SseConnection(const std::string& name, const core::McpRemote& remote, const RemoteWorld& world,
                Listener& listener)
      : caller_(name, remote, world),
        listener_(listener),
        peer_(
            {.name = "the MCP server " + name,
             .max_message_bytes = k_longest_message,
             .cancel_notice = cancel_notice,
             .answers_malformed = false,
             .log = &world.log},
            [this](std::string_view line) { return send(line); }, *this) {}

  ~SseConnection() override {
    close();
    if (stream_.joinable()) stream_.join();
  }

  Result<void> open() {
    stream_ = std::thread([this] { listen(); });
    std::unique_lock lock(mutex_);
    const bool came =
        changed_.wait_for(lock, k_patience, [this] { return !endpoint_.empty() || ended_; });
    if (ended_) return *ended_;
    if (came) return {};
    return Error{.code = ErrorCode::timeout,
                 .message = "the MCP server " + caller_.name() +
                            " did not say where to send messages; is its type http, not sse?"};
  }

  Result<jsonrpc::Reply> call(const std::string& method, RawJson params, milliseconds timeout,
                              const CancelToken& cancel) override {
    return peer_.call(method, std::move(params), timeout, cancel);
  }
  Result<void> notify(const jsonrpc::Notification& notification) override {
    return peer_.notify(notification);
  }
  void close() override {
    closing_.request_stop();
    peer_.close({.code = ErrorCode::io, .message = "the server was stopped"});
  }

 private:
  void listen() {
    const auto end = caller_.perform(
        {.method = "GET",
         .url = caller_.url(),
         .headers = {{"Accept", "text/event-stream"}},
         .timeout = k_stream_lasts},
        [this](std::string_view text) {
          take(text);
          return !closing_.stop_requested();
        },
        closing_.get_token());
    Error why{.code = ErrorCode::network,
              .message = "the MCP server " + caller_.name() + " has ended the connection"};
    if (!end.ok()) why = end.error();
    if (end.ok() && end->head.status >= 300) why = caller_.bad_status(*end);
    {
      const std::lock_guard lock(mutex_);
      if (!ended_) ended_ = why;
      why = *ended_;
    }
    changed_.notify_all();
    peer_.close(why);
    listener_.on_closed(why);
  }

  // The first event is the address.
  void take(std::string_view text) {
    {
      const std::lock_guard lock(mutex_);
      if (endpoint_.empty()) {
        auto address = endpoint_address(caller_.url(), std::string(text));
        if (address.ok()) {
          endpoint_ = std::move(address).value();
        } else if (!ended_) {
          ended_ = address.error();
          closing_.request_stop();
        }
        changed_.notify_all();
        return;
      }
    }
    peer_.receive(std::string(text) + "\n");
  }

  Result<void> send(std::string_view line) {
    std::string address;
    {
      const std::lock_guard lock(mutex_);
      address = endpoint_;
    }
    const auto end = caller_.perform(
        {.url = std::move(address),
         .headers = {{"Content-Type", "application/json"}},
         .body = std::string(line),
         .timeout = k_patience},
        [](std::string_view) { return true; }, closing_.get_token());
    if (!end.ok()) return end.error();
    if (end->head.status >= 300) return caller_.bad_status(*end);
    return {};
  }

  void on_request(jsonrpc::Request request, jsonrpc::Responder responder) override {
    auto shared = std::make_shared<jsonrpc::Responder>(std::move(responder));
    listener_.on_request(std::move(request),
                         [shared](jsonrpc::Reply reply) { shared->reply(std::move(reply)); });
  }
  void on_notification(jsonrpc::Notification notification) override {
    listener_.on_notification(std::move(notification));
  }

  RemoteCaller caller_;
  Listener& listener_;
  CancelSource closing_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string endpoint_;
  std::optional<Error> ended_;
  jsonrpc::Peer peer_;
  std::thread stream_;  // last: it uses all of the above
};

}  // namespace

Result<std::string> endpoint_address(const std::string& url, const std::string& named) {
  const std::string origin = origin_of(url);
  if (named.starts_with('/') && !named.starts_with("//")) return origin + named;
  if (origin_of(named) == origin) return named;
  if (named.find("://") == std::string::npos && !named.starts_with('/') && !named.empty() &&
      named.front() != '{') {
    return url.substr(0, url.rfind('/') + 1) + named;
  }
  return Error{.code = ErrorCode::protocol,
               .message = "the MCP server at " + url +
                          " wants its messages at another place: " + named.substr(0, 200)};
}

Result<std::unique_ptr<Connection>> connect_sse(const std::string& name,
                                                const core::McpRemote& remote,
                                                const RemoteWorld& world, Listener& listener) {
  auto connection = std::make_unique<SseConnection>(name, remote, world, listener);
  if (const auto opened = connection->open(); !opened.ok()) return opened.error();
  return std::unique_ptr<Connection>(std::move(connection));
}

}  // namespace yume::mcp
