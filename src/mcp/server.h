// SPDX-License-Identifier: MIT
// One configured server: connects on a thread of its own, learns what the server offers, and keeps
// that up to date. A server that cannot be started, is slow, talks nonsense or ends is a failed
// server; nobody else notices. What it offers is published as a value that never changes, only is
// replaced.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/mcp.h"
#include "mcp/connection.h"
#include "mcp/messages.h"
#include "util/cancel.h"
#include "util/log.h"
#include "util/result.h"

namespace yume::mcp {

struct ServerTimes {
  std::chrono::milliseconds connect{30'000};  // MCP_TIMEOUT: until it has said what it offers
  std::chrono::milliseconds call{600'000};    // MCP_TOOL_TIMEOUT
};

// What a server is given; all of it outlives the server.
struct ServerDeps {
  ClientFacts client;
  ServerTimes times = {};
  std::vector<std::string> roots = {};  // file:// addresses
  Log& log;
  std::function<void()> on_change;  // any thread; must not block
  // Asks the user for a server, on the server's thread; the result of elicitation/create.
  std::function<jsonrpc::Reply(const std::string& server, const RawJson& params,
                               const CancelToken& cancel)>
      elicit = {};
};

// What is known of a server at one time.
struct ServerFacts {
  core::McpStatus status = core::McpStatus::pending;
  std::string error = {};
  ServerHello hello = {};
  std::vector<ToolInfo> tools = {};
  std::vector<PromptInfo> prompts = {};
};

class Server {
 public:
  Server(core::McpServerConfig config, Connect connect, ServerDeps deps);
  ~Server();  // ends the connection
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] const core::McpServerConfig& config() const { return config_; }
  [[nodiscard]] std::shared_ptr<const ServerFacts> facts() const;
  // Grows with each change of the facts: whoever has seen new ones sees this grown, too.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }

  // Any thread; returns at once. Connects, anew if it was connected. `done` learns how it went, on
  // the server's thread.
  using Done = std::function<void(const Result<void>& outcome)>;
  void connect(Done done = {});
  // Any thread; returns at once. Ends the connection; nothing is offered any more.
  void disable();
  // Any thread; returns at once: calls under way fail, and nothing new begins. For many servers
  // that end together.
  void begin_end();
  // From the host, about a server inside it.
  void take_from_host(const RawJson& message);

  // Any thread but the server's own. Blocks until the answer is there; an error that the server
  // answers with is an error here.
  Result<RawJson> ask(const std::string& method, RawJson params, const CancelToken& cancel);
  [[nodiscard]] const ServerTimes& times() const { return deps_.times; }

  // A token for a call whose progress somebody wants to know of. Told on a thread of the
  // connection's, also just after it was forgotten.
  using OnProgress = std::function<void(const Progress& progress)>;
  std::string watch_progress(OnProgress on_progress);
  void forget_progress(const std::string& token);

 private:
  class Link;  // one connection, with its listener
  enum class List { tools, prompts };

  void run();
  void work_once(std::unique_lock<std::mutex>& lock);
  void connect_now(std::unique_lock<std::mutex>& lock);
  Result<ServerFacts> shake_hands(Link& link, const CancelToken& cancel);
  void refresh(List list, std::unique_lock<std::mutex>& lock);
  void drop_link(std::unique_lock<std::mutex>& lock);
  void publish(ServerFacts facts);
  void fail(const Error& why);
  void answer_request(const jsonrpc::Request& request, const Listener::Answer& answer);

  // From a link's thread.
  void on_request(jsonrpc::Request request, Listener::Answer answer);
  void on_notification(const jsonrpc::Notification& notification);
  void on_closed(Link& link, const Error& why);

  core::McpServerConfig config_;
  Connect connect_;
  ServerDeps deps_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::shared_ptr<const ServerFacts> facts_;
  std::atomic<std::uint64_t> generation_ = 0;
  std::shared_ptr<Link> link_;  // shared with the calls under way
  bool wants_connection_ = false;
  bool wants_end_of_link_ = false;
  bool tools_changed_ = false;
  bool prompts_changed_ = false;
  bool closing_ = false;
  std::deque<std::function<void()>> questions_;  // of the server, to be answered on the thread
  std::vector<Done> waiting_;
  CancelSource cancel_;
  std::map<std::string, OnProgress> progress_;
  std::int64_t last_token_ = 0;
  std::thread thread_;  // from the first work on; last: it uses all of the above
};

}  // namespace yume::mcp
