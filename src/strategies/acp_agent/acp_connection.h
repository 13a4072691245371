// SPDX-License-Identifier: MIT
// An ACP agent that runs: its process, the session that was opened in it, and what it says while a
// prompt is answered, which waits here until the session's thread takes it.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "jsonrpc/child_peer.h"
#include "strategies/acp_agent/agent_terminals.h"
#include "util/cancel.h"
#include "util/log.h"
#include "util/result.h"
#include "util/thread.h"

namespace yume::strategies {

// What an agent has asked of us, and the place for the answer.
struct AgentRequest {
  jsonrpc::Request request;
  std::shared_ptr<jsonrpc::Responder> responder;  // shared, because items are copied
};
struct AgentUpdate {
  RawJson params;
};
// The prompt is answered, or never will be.
struct PromptAnswered {
  Result<jsonrpc::Reply> reply;
};
using AgentSays = std::variant<AgentRequest, AgentUpdate, PromptAnswered>;

class AcpConnection final : private jsonrpc::PeerHandler {
 public:
  // Error when the program cannot be started.
  static Result<std::unique_ptr<AcpConnection>> start(const platform::DuplexSpec& program,
                                                      Log& log);
  ~AcpConnection() override;
  AcpConnection(const AcpConnection&) = delete;
  AcpConnection& operator=(const AcpConnection&) = delete;

  // Blocks; not while a prompt is answered. An agent's error is an Error here as well.
  Result<jsonrpc::Reply> call(const std::string& method, RawJson params,
                              std::chrono::milliseconds timeout, const CancelToken& cancel);
  void notify(const std::string& method, RawJson params);

  // Asks; what follows is taken with next(), up to PromptAnswered.
  void prompt(RawJson params);
  // Blocks until there is something; nullopt: the token has fired, or the time has come.
  std::optional<AgentSays> next(const CancelToken& cancel,
                                std::optional<std::chrono::milliseconds> patience = std::nullopt);

  [[nodiscard]] bool is_open() { return !child_->peer().why_closed(); }
  // Kills it with all that it started.
  void kill();

  std::string session_id;
  std::string agent_name;
  bool takes_pictures = false;
  bool in_plan_mode = false;
  AgentTerminals terminals;

 private:
  AcpConnection() = default;

  void on_request(jsonrpc::Request request, jsonrpc::Responder responder) override;
  void on_notification(jsonrpc::Notification notification) override;
  void put(AgentSays item);

  std::mutex mutex_;
  Condition changed_;
  std::deque<AgentSays> said_;
  bool prompting_ = false;
  std::unique_ptr<jsonrpc::ChildPeer> child_;
  std::thread asking_;  // waits for the answer to the prompt
};

}  // namespace yume::strategies
