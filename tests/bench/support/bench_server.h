// SPDX-License-Identifier: MIT
// An HTTP/1.1 server on 127.0.0.1 for measuring. Unlike demo::ScriptedServer it keeps no request,
// knows the moment a request was complete, and lets the handler write when it wants, so that the
// moment of each write is known too. One thread per connection; handlers run on it.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "bench_time.h"
#include "support/loopback_listener.h"
#include "util/result.h"

namespace yume::bench {

// One request as it came in.
struct Arrival {
  Time head;              // its head had been read
  Time when;              // the last byte of it was read
  std::size_t index = 0;  // counts the requests of its connection from 0
  std::string_view body;
};

// One request, and the way to answer it. Lives as long as the handler's call.
class Exchange {
 public:
  Exchange(platform::LoopbackConnection& socket, Arrival arrival)
      : request(arrival), socket_(socket) {}

  const Arrival request;

  // Blocks until the kernel has taken all of it. A peer that has gone is seen at its next request.
  void send(std::string_view bytes);
  // Blocks until the peer closes the connection, or the server does.
  void hold();

 private:
  platform::LoopbackConnection& socket_;
};

using Handler = std::function<void(Exchange& exchange)>;

class BenchServer {
 public:
  // Listens and accepts when it returns.
  static Result<std::unique_ptr<BenchServer>> start(Handler handler);

  BenchServer(const BenchServer&) = delete;
  BenchServer& operator=(const BenchServer&) = delete;
  ~BenchServer();  // ends every connection and joins their threads

  std::string base_url() const;

 private:
  struct Connection {
    std::unique_ptr<platform::LoopbackConnection> socket;
    std::thread thread;
  };

  BenchServer(Handler handler, std::unique_ptr<test::LoopbackListener> listener);
  void accept_loop();
  void serve(platform::LoopbackConnection& socket) const;

  const Handler handler_;
  const std::unique_ptr<test::LoopbackListener> listener_;
  std::thread accept_thread_;
  std::mutex mutex_;  // connections_, closing_
  bool closing_ = false;
  std::list<Connection> connections_;
};

}  // namespace yume::bench
