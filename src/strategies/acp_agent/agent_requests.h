// SPDX-License-Identifier: MIT
// What a wrapped agent asks of its client, answered by our own rules: whether a call may run is
// decided by the session's permissions, and if need be by its host; files are read and written, and
// commands run, behind the same guards as by our own tools. On the session's thread.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "core/turn_port.h"
#include "foreign/acp_decoder.h"
#include "jsonrpc/message.h"
#include "strategies/acp_agent/acp_connection.h"
#include "strategies/acp_agent/agent_terminals.h"
#include "strategies/gemini_rest.h"

namespace yume::strategies {

class AgentRequests {
 public:
  struct Turn {
    core::TurnPort& port;
    foreign::AcpDecoder& decoder;
    const foreign::Emit& emit;
    const CancelToken& cancel;
  };

  // `agent`: its own name, which says what it needs. The terminals outlive the turn.
  AgentRequests(const StrategyDeps& deps, std::string agent, AgentTerminals& terminals)
      : deps_(deps), agent_(std::move(agent)), terminals_(terminals) {}

  // Some answers come later: who waits for the end of a command gets one then.
  void answer(const AgentRequest& asked, const Turn& turn);
  // The host wants the turn to end.
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  struct Judgement {
    bool allowed = false;
    bool by_person = false;
    std::string message = {};  // why not
  };

  jsonrpc::Reply reply_to(const jsonrpc::Request& request, const Turn& turn);
  jsonrpc::Reply on_permission(const jsonrpc::Request& request, const Turn& turn);
  jsonrpc::Reply read_file(const jsonrpc::Request& request, const Turn& turn);
  jsonrpc::Reply write_file(const jsonrpc::Request& request, const Turn& turn);
  jsonrpc::Reply create_terminal(const jsonrpc::Request& request, const Turn& turn);
  void apply(const std::vector<core::PermissionUpdate>& updates, const Turn& turn);
  Judgement judge(const core::ToolCall& call, const Turn& turn);
  Judgement decide(const core::ToolCall& call, const core::Action& action, const Turn& turn);
  Judgement ask_host(const core::ToolCall& call, const core::Ask& ask, const Turn& turn);
  [[nodiscard]] core::Action action_of(const core::ToolCall& call, const Turn& turn) const;

  const StrategyDeps& deps_;
  std::string agent_;
  AgentTerminals& terminals_;
  std::set<std::string> granted_;  // paths that a call which was allowed names
  std::set<std::string> granted_commands_;
  bool stopped_ = false;
};

}  // namespace yume::strategies
