// SPDX-License-Identifier: MIT
// An HTTP/1.1 server on 127.0.0.1 that records every request and answers with a Script: chunks that
// wait at gates, stalls, cuts, resets. Shared by `yume-cli demo` and the tests. The HTTP itself is
// http_server.h's. Every method is thread-safe.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "demo/exchange.h"
#include "demo/http_server.h"
#include "demo/script.h"
#include "util/result.h"

namespace yume::demo {

// Chooses the answer; index counts all requests of the server from 0. Runs on the connections'
// threads, perhaps several at once.
using Responder = std::function<Answer(const RecordedRequest& request, std::size_t index)>;

// Answer i for request i; after the last one HTTP 500 "script exhausted".
Responder answer_in_order(std::vector<Answer> answers);

class ScriptedServer {
 public:
  struct Options {
    Responder responder;
  };

  // Listens and accepts when it returns; fails when no loopback port can be had.
  static Result<std::unique_ptr<ScriptedServer>> start(Options options);

  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;
  ~ScriptedServer();  // close()

  std::string base_url() const;  // "http://127.0.0.1:PORT"

  // A copy of what has come in so far, in the order of arrival of the whole request.
  std::vector<RecordedRequest> requests() const;

  // Blocks until `count` requests have come in; false when the server was closed before that.
  bool wait_for_request(std::size_t count) const;

  // Lets every script pass this gate, now and later.
  void open_gate(std::string_view name);

  // Ends every connection, wakes gates, stalls and waiters, and joins all threads. Idempotent.
  void close();

 private:
  explicit ScriptedServer(Options options);

  Answer answer(RecordedRequest request);
  std::pair<const RecordedRequest*, std::size_t> record(RecordedRequest request);
  Next wait_at(const std::string& gate);

  const Responder responder_;
  std::mutex close_mutex_;  // one closer at a time

  mutable std::mutex mutex_;  // all below but http_
  mutable std::condition_variable changed_;
  bool closing_ = false;
  std::deque<RecordedRequest> requests_;  // grows only, so references stay valid
  std::set<std::string, std::less<>> open_gates_;

  std::unique_ptr<HttpServer> http_;  // the last member: its threads use the others
};

}  // namespace yume::demo
