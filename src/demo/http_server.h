// SPDX-License-Identifier: MIT
// cpp-httplib as the server on 127.0.0.1: it listens, reads requests and writes answers; what to
// answer is the caller's. Only http_server.cpp sees its header. One thread accepts, one serves each
// connection (keep-alive); every method is thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "demo/exchange.h"
#include "util/result.h"

namespace yume::demo {

// Both run on the connections' threads, perhaps several at once.
struct HttpCallbacks {
  std::function<Answer(RecordedRequest request)> answer;
  // Blocks until the gate is open or the server is about to close.
  std::function<Next(const std::string& gate)> wait_for_gate;
};

class HttpServer {
 public:
  // Listens and accepts when it returns; fails when no loopback port can be had.
  static Result<std::unique_ptr<HttpServer>> start(HttpCallbacks callbacks);

  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();  // close()

  std::uint16_t port() const;

  // Ends every connection and joins all threads; a callback that waits must be woken before. Not
  // from two threads at once. Idempotent.
  void close();

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace yume::demo
