// SPDX-License-Identifier: MIT
#include "mcp/http_exchange.h"

#include "net/sse_parser.h"
#include "util/ascii.h"
#include "util/utf8.h"

#include <utility>

namespace yume::mcp {
namespace {

constexpr std::size_t k_longest_message = std::size_t{16} << 20U;
constexpr std::size_t k_longest_error = 2'000;
constexpr std::size_t k_most_idle = 4;

// Messages of an answer, however they are packed.
class MessageSink final : public net::BodySink {
 public:
  explicit MessageSink(const OnMessage& on_message)
      : on_message_(on_message),
        events_([this](std::string_view data) { return take(data); }, {}, k_longest_message) {}

  bool on_head(const net::HttpHead& head) override {
    head_ = head;
    good_ = head.status >= 200 && head.status < 300;
    streams_ = ascii_lower(head.header("content-type")).starts_with("text/event-stream");
    return true;
  }
  bool on_body(std::string_view bytes) override {
    if (!good_) {
      text_.append(bytes.substr(0, k_longest_error - std::min(k_longest_error, text_.size())));
      return true;
    }
    if (streams_) return events_.feed(bytes).ok();
    too_long_ = text_.size() + bytes.size() > k_longest_message;
    if (too_long_) return false;
    text_.append(bytes);
    return true;
  }
  // After the end.
  void finish() {
    if (good_ && streams_) (void)events_.finish();
    if (good_ && !streams_) take(text_);
  }

  [[nodiscard]] const net::HttpHead& head() const { return head_; }
  [[nodiscard]] bool had_enough() const { return had_enough_; }
  [[nodiscard]] bool too_long() const { return too_long_; }
  [[nodiscard]] std::string error_body() const { return good_ ? std::string() : text_; }

 private:
  bool take(std::string_view message) {
    if (message.find_first_not_of(" \t\r\n") == std::string_view::npos) return true;
    if (!on_message_(message)) had_enough_ = true;
    return !had_enough_;
  }

  const OnMessage& on_message_;
  net::SseParser events_;
  net::HttpHead head_;
  std::string text_;
  bool good_ = false;
  bool streams_ = false;
  bool had_enough_ = false;
  bool too_long_ = false;
};

}  // namespace

std::unique_ptr<net::Transport> TransportPool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto transport = std::move(idle_.back());
      idle_.pop_back();
      return transport;
    }
  }
  return make_();
}

void TransportPool::put_back(std::unique_ptr<net::Transport> transport) {
  const std::lock_guard lock(mutex_);
  if (idle_.size() < k_most_idle) idle_.push_back(std::move(transport));
}

RemoteCaller::RemoteCaller(std::string name, const core::McpRemote& remote, RemoteWorld world)
    : name_(std::move(name)), remote_(remote), pool_(std::move(world.make_transport)) {}

Error RemoteCaller::bad_status(const ExchangeEnd& end) const {
  const std::string said(utf8_prefix(end.error_body, k_longest_error));
  return {.code = ErrorCode::http,
          .message = "the MCP server " + name_ + " answered with HTTP status " +
                     std::to_string(end.head.status) + (said.empty() ? "" : ": " + said),
          .http_status = end.head.status};
}

Result<ExchangeEnd> RemoteCaller::perform(const Exchange& exchange, const OnMessage& on_message,
                                          const CancelToken& cancel) {
  net::HttpRequest request;
  request.method = exchange.method;
  request.url = exchange.url;
  request.headers = exchange.headers;
  for (const auto& [name, value] : remote_.headers) {
    request.secret_headers.push_back({.name = name, .value = Secret(value)});
  }
  if (!exchange.body.empty()) request.body.push_back(exchange.body);
  request.deadlines = {.connect = std::min(exchange.timeout, std::chrono::milliseconds(10'000)),
                       .first_byte = exchange.timeout,
                       .idle = exchange.timeout,
                       .notice = exchange.timeout,
                       .total = exchange.timeout};
  auto transport = pool_.take();
  MessageSink sink(on_message);
  auto head = transport->perform(request, sink, cancel);
  if (!head.ok() && !sink.had_enough()) {
    Error error = std::move(head).error();
    if (sink.too_long())
      error = {.code = ErrorCode::too_large, .message = "its answer is too long"};
    error.message = "the MCP server " + name_ + " (" + remote_.url + "): " + error.message;
    return error;
  }
  ExchangeEnd end;
  if (head.ok()) {
    pool_.put_back(std::move(transport));
    end.head = std::move(head).value();
    sink.finish();
  } else {
    end.head = sink.head();  // ended by us, in the middle of a stream
  }
  end.error_body = sink.error_body();
  if (end.head.status == 401 || end.head.status == 403) {
    return Error{.code = ErrorCode::auth,
                 .message = "the MCP server " + name_ + " wants a login (HTTP status " +
                            std::to_string(end.head.status) +
                            "). Logging in by OAuth is not supported: get a token and configure it "
                            "as \"headers\":{\"Authorization\":\"Bearer ${TOKEN}\"}",
                 .http_status = end.head.status};
  }
  return end;
}

}  // namespace yume::mcp
