// SPDX-License-Identifier: MIT
// The servers of one session. They start side by side; whoever wants their tools may wait a moment
// for them, and gets those that are there. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/host_port.h"
#include "core/mcp.h"
#include "core/message.h"
#include "mcp/server.h"
#include "mcp/stdio_connection.h"
#include "mcp/variables.h"
#include "net/transport.h"
#include "tools/tool.h"
#include "util/cancel.h"
#include "util/redactor.h"
#include "util/thread.h"

namespace yume::mcp {

// What the servers of a session work with; all of it outlives them.
struct ServersDeps {
  ProgramWorld programs;
  std::string client_version;
  ServerTimes times = {};
  core::Questions* host = nullptr;  // who can be asked; nullptr: nobody
  std::function<std::unique_ptr<net::Transport>()> make_transport;
  Lookup lookup = [](std::string_view) { return std::nullopt; };  // of variables
  Redactor* redactor = nullptr;  // learns the secrets of configurations
};

// A prompt of a server, which the user may send as a command.
struct PromptCommand {
  std::string name;  // "mcp__server__prompt"
  std::string description;
  std::vector<PromptArgument> arguments = {};
};

class Servers {
 public:
  Servers(std::vector<core::McpServerConfig> configs, ServersDeps deps);
  ~Servers();  // ends them all, side by side
  Servers(const Servers&) = delete;
  Servers& operator=(const Servers&) = delete;

  // There are some.
  [[nodiscard]] bool any() const;
  // Starts those that wait for it. Returns at once.
  void start();
  // Blocks until each has connected or failed, at most for the moment that one start may take from
  // a turn; a server is waited for only once.
  void wait_for_news(const CancelToken& cancel);

  // Changes whenever something that is offered does.
  [[nodiscard]] std::uint64_t version() const;
  [[nodiscard]] std::vector<core::McpServerState> states() const;
  [[nodiscard]] std::vector<core::McpServerReport> reports() const;
  // New objects for all tools that are offered now. Of two with one name it is the first.
  [[nodiscard]] std::vector<std::unique_ptr<tools::Tool>> tools() const;
  // Of those that are there and say something.
  [[nodiscard]] std::vector<core::McpInstructions> instructions() const;
  // A resource, as the server gives it. Errors: not_found when there is no such server,
  // invalid_argument for one inside the host.
  Result<RawJson> read_resource(const std::string& server, const std::string& uri,
                                const CancelToken& cancel);
  // Calls a tool by its whole name, for ourselves; the result as the server gave it. not_found:
  // there is none of that name.
  Result<RawJson> call_tool(const std::string& name, const RawJson& arguments,
                            const std::string& call_id, const CancelToken& cancel);
  [[nodiscard]] std::vector<PromptCommand> prompts() const;
  // The message that the prompt stands for; `words` are its arguments in their order. not_found:
  // there is none of that name.
  Result<core::UserMessage> expand_prompt(const std::string& name,
                                          const std::vector<std::string>& words,
                                          const CancelToken& cancel);

  // A host's wishes. `done` is called once, on any thread.
  using SetDone = std::function<void(const core::McpServersSet& outcome)>;
  using Done = Server::Done;
  void add_in_host(const std::vector<std::string>& names);
  void set(const RawJson& servers, SetDone done);
  void reconnect(const std::string& name, Done done);
  void toggle(const std::string& name, bool enabled, Done done);
  void take_from_host(const std::string& name, const RawJson& message);

 private:
  struct Entry {
    std::shared_ptr<Server> server;
    bool set_by_host = false;  // mcp_set_servers replaces these
    bool started = false;
    bool waited_for = false;
  };

  [[nodiscard]] std::shared_ptr<Server> make(const core::McpServerConfig& config);
  [[nodiscard]] Connect connect_for(const core::McpServerConfig& config);
  [[nodiscard]] std::shared_ptr<Server> find(const std::string& name) const;
  [[nodiscard]] std::vector<std::shared_ptr<Server>> all() const;
  void add(const core::McpServerConfig& config, bool set_by_host);
  void changed();
  jsonrpc::Reply elicit(const std::string& server, const RawJson& params,
                        const CancelToken& cancel);

  ServersDeps deps_;
  mutable std::mutex mutex_;
  Condition news_;
  std::vector<Entry> entries_;  // in the order of the configuration
  // Ended, but not destroyed: that waits for their threads, which not everybody may.
  std::vector<std::shared_ptr<Server>> retired_;
  std::uint64_t version_ = 0;
};

}  // namespace yume::mcp
