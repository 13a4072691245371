// SPDX-License-Identifier: MIT
#include "mcp/http_connection.h"

#include "jsonrpc/codec.h"
#include "mcp/messages.h"
#include "util/json_tree.h"
#include "util/overloaded.h"
#include "util/thread.h"

#include <atomic>
#include <thread>
#include <utility>

namespace yume::mcp {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds k_patience{10'000};
constexpr milliseconds k_farewell{1'000};
constexpr milliseconds k_stream_lasts = std::chrono::hours(24);
// Between two tries to open the stream of what is said unasked.
constexpr milliseconds k_first_gap{1'000};
constexpr milliseconds k_longest_gap{60'000};

class HttpConnection final : public Connection {
 public:
  HttpConnection(const std::string& name, const core::McpRemote& remote, const RemoteWorld& world,
                 Listener& listener)
      : caller_(name, remote, world), listener_(listener), log_(world.log) {}

  ~HttpConnection() override {
    close();
    if (stream_.joinable()) stream_.join();
    end_session();
  }

  Result<jsonrpc::Reply> call(const std::string& method, RawJson params, milliseconds timeout,
                              const CancelToken& cancel) override {
    const jsonrpc::Id id{std::to_string(next_id_++)};
    std::optional<jsonrpc::Reply> reply;
    const auto on_message = [&](std::string_view text) {
      take(text, [&](jsonrpc::Response& response) {
        if (response.id == id) reply = std::move(response.reply);
      });
      return !reply;
    };
    const auto end = post(
        jsonrpc::encode(jsonrpc::Request{.id = id, .method = method, .params = std::move(params)}),
        timeout, cancel, on_message);
    if (!end.ok()) {
      const ErrorCode why = end.error().code;
      if (method != "initialize" && (why == ErrorCode::cancelled || why == ErrorCode::timeout)) {
        [[maybe_unused]] const auto told =
            notify({.method = "notifications/cancelled",
                    .params = cancelled_params(id.json, "cancelled")});
      }
      return end.error();
    }
    if (method == "initialize") keep_session(end->head);
    if (reply) return *std::move(reply);
    if (end->head.status >= 300) return failed(*end);
    return Error{.code = ErrorCode::protocol,
                 .message = "the MCP server " + caller_.name() + " ended its answer to " + method +
                            " without one"};
  }

  Result<void> notify(const jsonrpc::Notification& notification) override {
    return send(jsonrpc::encode(notification));
  }

  void use_version(const std::string& version) override {
    {
      const std::lock_guard lock(mutex_);
      version_ = version;
    }
    if (!stream_.joinable()) stream_ = std::thread([this] { listen(); });
  }

  void close() override {
    closing_.request_stop();
    wake_.notify_all();
  }

 private:
  template <class OnResponse>
  void take(std::string_view text, const OnResponse& on_response) {
    // One revision of the protocol had batches.
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && text[first] == '[' && check_json(text).ok()) {
      for (const auto& one : read_json(text)) take_one(write_json(one), on_response);
      return;
    }
    take_one(text, on_response);
  }

  template <class OnResponse>
  void take_one(std::string_view text, const OnResponse& on_response) {
    std::visit(Overloaded{
                   [&](jsonrpc::Request request) {
                     listener_.on_request(request, [this, id = request.id](jsonrpc::Reply reply) {
                       [[maybe_unused]] const auto sent = send(
                           jsonrpc::encode(jsonrpc::Response{.id = id, .reply = std::move(reply)}));
                     });
                   },
                   [&](jsonrpc::Notification notification) {
                     listener_.on_notification(std::move(notification));
                   },
                   [&](jsonrpc::Response response) { on_response(response); },
                   [&](const jsonrpc::Malformed&) {
                     log_.write("mcp", caller_.name() + ": sent what is no message");
                   },
               },
               jsonrpc::decode(text));
  }

  std::vector<net::Header> headers() const {
    std::vector<net::Header> headers = {{"Content-Type", "application/json"},
                                        {"Accept", "application/json, text/event-stream"}};
    const std::lock_guard lock(mutex_);
    if (!session_.empty()) headers.push_back({"Mcp-Session-Id", session_});
    if (!version_.empty()) headers.push_back({"MCP-Protocol-Version", version_});
    return headers;
  }

  Result<ExchangeEnd> post(std::string body, milliseconds timeout, const CancelToken& cancel,
                           const OnMessage& on_message) {
    CancelSource either;
    const OnCancel by_caller(cancel, [&either] { either.request_stop(); });
    const OnCancel by_end(closing_.get_token(), [&either] { either.request_stop(); });
    return caller_.perform(
        {.url = caller_.url(), .headers = headers(), .body = std::move(body), .timeout = timeout},
        on_message, either.get_token());
  }

  // A message that gets no answer.
  Result<void> send(std::string body) {
    const auto end =
        post(std::move(body), k_patience, CancelToken(), [this](std::string_view text) {
          take(text, [](jsonrpc::Response&) {});
          return true;
        });
    if (!end.ok()) return end.error();
    if (end->head.status >= 300) return failed(*end);
    return {};
  }

  void keep_session(const net::HttpHead& head) {
    const std::lock_guard lock(mutex_);
    session_ = std::string(head.header("mcp-session-id"));
  }

  // The server has forgotten the session: it must be begun anew.
  Error failed(const ExchangeEnd& end) {
    Error error = caller_.bad_status(end);
    bool has_session = false;
    {
      const std::lock_guard lock(mutex_);
      has_session = !session_.empty();
    }
    if (end.head.status == 404 && has_session) {
      error.message = "the MCP server " + caller_.name() + " has ended the session";
      listener_.on_closed(error);
    }
    return error;
  }

  // What the server says unasked, until the end. A server without such a stream answers 405.
  void listen() {
    milliseconds gap = k_first_gap;
    while (!closing_.stop_requested()) {
      std::vector<net::Header> wanted = headers();
      wanted.erase(wanted.begin());
      wanted.front().value = "text/event-stream";
      bool anything = false;
      const auto end = caller_.perform(
          {.method = "GET",
           .url = caller_.url(),
           .headers = std::move(wanted),
           .timeout = k_stream_lasts},
          [&](std::string_view text) {
            anything = true;
            take(text, [](jsonrpc::Response&) {});
            return !closing_.stop_requested();
          },
          closing_.get_token());
      if (!end.ok() && end.error().code == ErrorCode::auth) return;
      if (end.ok() && end->head.status >= 400 && end->head.status < 500) return;
      gap = anything ? k_first_gap : std::min(gap * 2, k_longest_gap);
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, closing_.get_token(), gap, [] { return false; });
    }
  }

  void end_session() {
    {
      const std::lock_guard lock(mutex_);
      if (session_.empty()) return;
    }
    [[maybe_unused]] const auto end = caller_.perform(
        {.method = "DELETE", .url = caller_.url(), .headers = headers(), .timeout = k_farewell},
        [](std::string_view) { return true; }, CancelToken());
  }

  RemoteCaller caller_;
  Listener& listener_;
  Log& log_;
  CancelSource closing_;
  std::atomic<std::int64_t> next_id_ = 0;
  mutable std::mutex mutex_;
  Condition wake_;
  std::string session_;
  std::string version_;
  std::thread stream_;  // last: it uses all of the above
};

}  // namespace

Result<std::unique_ptr<Connection>> connect_http(const std::string& name,
                                                 const core::McpRemote& remote,
                                                 const RemoteWorld& world, Listener& listener) {
  return std::unique_ptr<Connection>(
      std::make_unique<HttpConnection>(name, remote, world, listener));
}

}  // namespace yume::mcp
