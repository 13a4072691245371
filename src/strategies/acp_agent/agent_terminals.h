// SPDX-License-Identifier: MIT
// The terminals of a wrapped agent: commands that it has us run, with their output so far. Whether
// one may run is decided before (agent_requests.h). Session's thread; waits are answered by the
// thread that reads a command's output.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "jsonrpc/peer.h"
#include "tools/tool.h"

namespace yume::strategies {

// What an agent wants to run, as one line for a shell, variables of its own first.
struct TerminalCommand {
  std::string text;        // all that runs
  std::string inner = {};  // of `sh -c …` without variables, what that shell is to run; else empty
  std::filesystem::path cwd;
  std::uint64_t output_limit = 0;  // bytes, of which the last are kept
};

// Of terminal/create; the reason when there is no command in it.
Result<TerminalCommand> read_terminal_command(const nlohmann::json& params,
                                              const std::filesystem::path& session_cwd);

class AgentTerminals {
 public:
  AgentTerminals();
  ~AgentTerminals();  // kills what runs
  AgentTerminals(const AgentTerminals&) = delete;
  AgentTerminals& operator=(const AgentTerminals&) = delete;

  // The terminal's id; error: too many, or it cannot be started.
  Result<std::string> start(const TerminalCommand& command, const tools::ToolContext& context);
  // terminal/output, wait_for_exit, kill, release: answered at once, or when the command has ended.
  void answer(const jsonrpc::Request& request,
              const std::shared_ptr<jsonrpc::Responder>& responder);
  // What it has printed, while it was kept; for the result of a call that shows it.
  [[nodiscard]] std::string output(const std::string& id) const;
  // The turn was interrupted: nothing that it started goes on.
  void kill_all();
  // What was released need not be shown any more.
  void forget_released() { released_.clear(); }

 private:
  class Terminal;

  std::map<std::string, std::unique_ptr<Terminal>> open_;
  std::map<std::string, std::string> released_;  // outputs, until their calls have ended
  int count_ = 0;
};

}  // namespace yume::strategies
