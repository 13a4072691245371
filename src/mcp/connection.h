// SPDX-License-Identifier: MIT
// One end of a connection to a server, whatever carries its messages.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "jsonrpc/message.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::mcp {

// Gets what a server says unasked, on a thread of the connection's, which it must not hold up.
class Listener {
 public:
  using Answer = std::function<void(jsonrpc::Reply)>;  // once, from any thread

  virtual ~Listener() = default;
  virtual void on_request(jsonrpc::Request request, Answer answer) = 0;
  virtual void on_notification(jsonrpc::Notification notification) = 0;
  // The server can be reached no more.
  virtual void on_closed(const Error& why) = 0;
};

class Connection {
 public:
  virtual ~Connection() = default;  // no call may be under way

  // Any thread but that of the listener; many at once. Blocks until the answer is there.
  virtual Result<jsonrpc::Reply> call(const std::string& method, RawJson params,
                                      std::chrono::milliseconds timeout,
                                      const CancelToken& cancel) = 0;
  virtual Result<void> notify(const jsonrpc::Notification& notification) = 0;
  // To a request that came from elsewhere than the listener: for servers inside the host.
  virtual void answer(const jsonrpc::Id& /*id*/, jsonrpc::Reply /*reply*/) {}
  // What was agreed on in the handshake.
  virtual void use_version(const std::string& /*version*/) {}
  // Ends it: calls that are under way fail soon.
  virtual void close() = 0;
};

// How a connection is made: errors say why there is none.
using Connect = std::function<Result<std::unique_ptr<Connection>>(Listener& listener)>;

}  // namespace yume::mcp
