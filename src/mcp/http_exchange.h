// SPDX-License-Identifier: MIT
// HTTP as both remote transports of the protocol use it: messages go out by POST, and messages come
// back as one JSON value or as a stream of events.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/mcp.h"
#include "net/transport.h"
#include "util/cancel.h"
#include "util/log.h"
#include "util/result.h"

namespace yume::mcp {

struct RemoteWorld {
  std::function<std::unique_ptr<net::Transport>()> make_transport;
  Log& log;
};

// Transports that are not in use: each makes one exchange at a time and keeps its connection.
class TransportPool {
 public:
  explicit TransportPool(std::function<std::unique_ptr<net::Transport>()> make)
      : make_(std::move(make)) {}

  std::unique_ptr<net::Transport> take();
  void put_back(std::unique_ptr<net::Transport> transport);

 private:
  std::function<std::unique_ptr<net::Transport>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<net::Transport>> idle_;
};

struct Exchange {
  std::string method = "POST";
  std::string url;
  std::vector<net::Header> headers = {};
  std::string body = {};
  std::chrono::milliseconds timeout{30'000};
};

// Gets each message of an answer as JSON text. False: nothing more is wanted.
using OnMessage = std::function<bool(std::string_view message)>;

// What an answer was, beside its messages.
struct ExchangeEnd {
  net::HttpHead head;
  std::string error_body = {};  // the beginning of it, when the status is an error
};

// Makes exchanges with one server.
class RemoteCaller {
 public:
  RemoteCaller(std::string name, const core::McpRemote& remote, RemoteWorld world);

  // Blocks until the answer has ended. A status is data, except for those that ask for a login:
  // error `auth`, whose message says what to do. Errors of the transport name the server.
  Result<ExchangeEnd> perform(const Exchange& exchange, const OnMessage& on_message,
                              const CancelToken& cancel);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& url() const { return remote_.url; }
  // "the MCP server x answered POST with HTTP 500: ..."
  [[nodiscard]] Error bad_status(const ExchangeEnd& end) const;

 private:
  std::string name_;
  core::McpRemote remote_;
  TransportPool pool_;
};

}  // namespace yume::mcp
