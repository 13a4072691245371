// SPDX-License-Identifier: MIT
// An HTTP/1.1 server on 127.0.0.1 that records every request and answers with a Script. It writes
// raw bytes on purpose: a test must be able to cut, stall, reset and garble an answer at any byte.
// One thread accepts, one serves each connection (keep-alive); every method is thread-safe.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "demo/script.h"
#include "platform/loopback.h"
#include "util/result.h"

namespace yume::demo {

struct Header {
  std::string name;
  std::string value;
  bool operator==(const Header&) const = default;
};

struct RecordedRequest {
  std::string method;
  std::string target;
  std::vector<Header> headers;        // as sent, in order
  std::string body;                   // chunks already joined
  std::size_t connection_number = 0;  // 1 is the first connection accepted

  // Name in any case; null when absent.
  const std::string* find_header(std::string_view name) const;
};

// Chooses the answer; index counts all requests of the server from 0. Runs on the connections'
// threads, perhaps several at once.
using Responder = std::function<Script(const RecordedRequest& request, std::size_t index)>;

// Script i for request i; after the last one HTTP 500 "script exhausted".
Responder answer_in_order(std::vector<Script> scripts);

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
  struct Connection {
    std::unique_ptr<platform::LoopbackConnection> socket;
    std::size_t number = 0;
    std::thread thread;
    bool finished = false;
  };

  enum class Next { keep_open, end_connection };

  ScriptedServer(Options options, std::unique_ptr<platform::LoopbackListener> listener);

  void accept_loop();
  void admit(std::unique_ptr<platform::LoopbackConnection> socket);
  void join_finished();
  void serve(Connection& connection);
  std::pair<const RecordedRequest*, std::size_t> record(RecordedRequest request);
  Next play(const Script& script, platform::LoopbackConnection& socket);
  Next wait_at(const WaitForGate& gate);

  const Responder responder_;
  const std::unique_ptr<platform::LoopbackListener> listener_;
  std::thread accept_thread_;
  std::mutex close_mutex_;  // one closer at a time

  mutable std::mutex mutex_;  // all below
  mutable std::condition_variable changed_;
  bool closing_ = false;
  std::deque<RecordedRequest> requests_;  // grows only, so references stay valid
  std::set<std::string, std::less<>> open_gates_;
  std::list<Connection> connections_;
  std::size_t accepted_ = 0;
};

}  // namespace yume::demo
