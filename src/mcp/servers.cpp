// SPDX-License-Identifier: MIT
#include "mcp/servers.h"

#include "mcp/config_reader.h"
#include "mcp/host_connection.h"
#include "mcp/http_connection.h"
#include "mcp/remote_tool.h"
#include "mcp/resource_tools.h"
#include "mcp/sse_connection.h"
#include "mcp/tool_names.h"
#include "tools/bash.h"
#include "util/overloaded.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>

namespace yume::mcp {
namespace {

// Larger than what the servers' own generations can come to: no two states have one number.
constexpr std::uint64_t k_step = 1ULL << 32U;

// A turn waits no longer than this for servers that start. What comes later takes part in the next
// request.
constexpr std::chrono::milliseconds k_longest_wait{5'000};

// The scope of what a flag or the host itself has brought.
constexpr std::string_view k_dynamic = "dynamic";

// file:///home/me/a%20b
std::string file_address(const std::filesystem::path& path) {
  constexpr std::string_view k_hex = "0123456789ABCDEF";
  std::string out = "file://";
  for (const char c : to_utf8(path)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += k_hex[byte >> 4U];
      out += k_hex[byte & 15U];
    }
  }
  return out;
}

// A header's value, and the credential alone: "Bearer x" and "x". Variables by their names.
void learn_secrets(const core::McpServerConfig& config, Redactor& redactor) {
  if (const auto* remote = std::get_if<core::McpRemote>(&config.how)) {
    for (const auto& [name, value] : remote->headers) {
      redactor.learn(value);
      redactor.learn(value.substr(value.find(' ') + 1));
    }
  }
  if (const auto* program = std::get_if<core::McpProgram>(&config.how)) {
    for (const auto& [name, value] : program->env) {
      if (tools::is_kept_from_children(name)) redactor.learn(value);
    }
  }
}

Error unknown(const std::string& name) {
  return {.code = ErrorCode::not_found, .message = "Server not found: " + name};
}

// mcp_set_servers is answered when the last of the servers is there or has failed.
class Countdown {
 public:
  Countdown(core::McpServersSet outcome, std::size_t servers, Servers::SetDone done)
      : outcome_(std::move(outcome)), left_(servers), done_(std::move(done)) {
    if (left_ == 0) done_(outcome_);
  }
  void on_connected(const std::string& name, const Result<void>& how) {
    const std::lock_guard lock(mutex_);
    if (!how.ok()) outcome_.errors[name] = how.error().message;
    if (--left_ == 0) done_(outcome_);
  }

 private:
  std::mutex mutex_;
  core::McpServersSet outcome_;
  std::size_t left_;
  Servers::SetDone done_;
};

}  // namespace

Servers::Servers(std::vector<core::McpServerConfig> configs, ServersDeps deps)
    : deps_(std::move(deps)) {
  for (const core::McpServerConfig& config : configs) add(config, /*set_by_host=*/false);
}

Servers::~Servers() {
  for (const Entry& entry : entries_) entry.server->begin_end();
  entries_.clear();
  retired_.clear();
}

Connect Servers::connect_for(const core::McpServerConfig& config) {
  return std::visit(
      Overloaded{
          [&](const core::McpProgram& program) -> Connect {
            return [this, name = config.name, program](Listener& listener) {
              return connect_program(name, program, deps_.programs, listener);
            };
          },
          [&](const core::McpRemote& remote) -> Connect {
            return [this, name = config.name, remote](Listener& listener) {
              const RemoteWorld world{deps_.make_transport, deps_.programs.log};
              return remote.form == core::McpRemote::Form::sse
                         ? connect_sse(name, remote, world, listener)
                         : connect_http(name, remote, world, listener);
            };
          },
          [&](const core::McpInHost&) -> Connect {
            return [this, name = config.name](Listener&) -> Result<std::unique_ptr<Connection>> {
              if (deps_.host == nullptr) {
                return Error{.code = ErrorCode::invalid_argument,
                             .message = "the MCP server " + name +
                                        " is of type sdk, and there is no host that could run it"};
              }
              return connect_in_host(name, *deps_.host);
            };
          },
      },
      config.how);
}

std::shared_ptr<Server> Servers::make(const core::McpServerConfig& config) {
  if (deps_.redactor != nullptr) learn_secrets(config, *deps_.redactor);
  ServerDeps deps{.client = {.version = deps_.client_version, .can_elicit = deps_.host != nullptr},
                  .times = deps_.times,
                  .roots = {},
                  .log = deps_.programs.log,
                  .on_change = [this] { changed(); }};
  for (const auto& root : deps_.programs.workspace) deps.roots.push_back(file_address(root));
  if (deps_.host != nullptr) {
    deps.elicit = [this](const std::string& server, const RawJson& params,
                         const CancelToken& cancel) { return elicit(server, params, cancel); };
  }
  return std::make_shared<Server>(config, connect_for(config), std::move(deps));
}

// The mutex is held, or nobody else knows of this yet.
void Servers::add(const core::McpServerConfig& config, bool set_by_host) {
  entries_.push_back({.server = make(config), .set_by_host = set_by_host});
}

void Servers::changed() {
  const std::lock_guard lock(mutex_);
  version_ += k_step;
  news_.notify_all();
}

bool Servers::any() const {
  const std::lock_guard lock(mutex_);
  return !entries_.empty();
}

std::uint64_t Servers::version() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t version = version_;
  for (const Entry& entry : entries_) version += entry.server->generation();
  return version;
}

void Servers::start() {
  const std::lock_guard lock(mutex_);
  for (Entry& entry : entries_) {
    if (!std::exchange(entry.started, true)) entry.server->connect();
  }
}

void Servers::wait_for_news(const CancelToken& cancel) {
  start();
  std::unique_lock lock(mutex_);
  auto retired = std::exchange(retired_, {});
  lock.unlock();
  retired.clear();
  lock.lock();
  const auto settled = [this] {
    return std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
      return entry.waited_for || entry.server->facts()->status != core::McpStatus::pending;
    });
  };
  news_.wait_for(lock, cancel, k_longest_wait, settled);
  for (Entry& entry : entries_) entry.waited_for = true;
}

std::vector<std::shared_ptr<Server>> Servers::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Server>> servers;
  for (const Entry& entry : entries_) servers.push_back(entry.server);
  return servers;
}

std::shared_ptr<Server> Servers::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&name](const Entry& entry) {
    return entry.server->config().name == name;
  });
  return found == entries_.end() ? nullptr : found->server;
}

std::vector<core::McpServerState> Servers::states() const {
  std::vector<core::McpServerState> states;
  for (const auto& server : all()) {
    states.push_back({.name = server->config().name,
                      .status = server->facts()->status,
                      .scope = server->config().scope});
  }
  return states;
}

std::vector<core::McpServerReport> Servers::reports() const {
  std::vector<core::McpServerReport> reports;
  for (const auto& server : all()) {
    const auto facts = server->facts();
    core::McpServerReport& report = reports.emplace_back();
    report.config = server->config();
    report.status = facts->status;
    report.error = facts->error;
    report.server_name = facts->hello.name;
    report.server_version = facts->hello.version;
    for (const ToolInfo& tool : facts->tools) report.tools.push_back(tool.facts);
  }
  return reports;
}

std::vector<std::unique_ptr<tools::Tool>> Servers::tools() const {
  std::vector<std::unique_ptr<tools::Tool>> tools;
  std::vector<std::shared_ptr<Server>> with_resources;
  std::set<std::string> names;
  for (const auto& server : all()) {
    const auto facts = server->facts();
    if (facts->status != core::McpStatus::connected) continue;
    if (facts->hello.has_resources) with_resources.push_back(server);
    for (const ToolInfo& info : facts->tools) {
      auto tool = make_remote_tool(server, info);
      const std::string& name = tool->spec().name;
      if (names.insert(name).second) {
        tools.push_back(std::move(tool));
      } else {
        deps_.programs.log.write("mcp", name + " is offered twice; the first one counts");
      }
    }
  }
  if (!with_resources.empty()) {
    tools.push_back(make_list_resources_tool(with_resources));
    tools.push_back(make_read_resource_tool(with_resources));
  }
  return tools;
}

std::vector<core::McpInstructions> Servers::instructions() const {
  std::vector<core::McpInstructions> all_of_them;
  for (const auto& server : all()) {
    const auto facts = server->facts();
    if (facts->status != core::McpStatus::connected || facts->hello.instructions.empty()) continue;
    all_of_them.push_back({.server = server->config().name, .text = facts->hello.instructions});
  }
  return all_of_them;
}

Result<RawJson> Servers::read_resource(const std::string& name, const std::string& uri,
                                       const CancelToken& cancel) {
  const auto server = find(name);
  if (!server) return unknown(name);
  if (std::holds_alternative<core::McpInHost>(server->config().how)) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "The MCP server " + name + " is inside the host: read it there."};
  }
  return server->ask("resources/read", resource_params(uri), cancel);
}

Result<RawJson> Servers::call_tool(const std::string& name, const RawJson& arguments,
                                   const std::string& call_id, const CancelToken& cancel) {
  std::string known;
  for (const auto& server : all()) {
    const auto facts = server->facts();
    for (const ToolInfo& info : facts->tools) {
      const std::string one = tool_name(server->config().name, info.name);
      known += (known.empty() ? "" : ", ") + one;
      if (one != name) continue;
      return server->ask("tools/call",
                         call_params({.tool = info.name,
                                      .arguments = arguments,
                                      .call_id = call_id,
                                      .progress_token = {}}),
                         cancel);
    }
  }
  return Error{.code = ErrorCode::not_found,
               .message = "MCP tool " + name +
                          " not found. Available MCP tools: " + (known.empty() ? "none" : known)};
}

std::vector<PromptCommand> Servers::prompts() const {
  std::vector<PromptCommand> commands;
  for (const auto& server : all()) {
    const auto facts = server->facts();
    if (facts->status != core::McpStatus::connected) continue;
    for (const PromptInfo& prompt : facts->prompts) {
      commands.push_back({.name = tool_name(server->config().name, prompt.name),
                          .description = prompt.description,
                          .arguments = prompt.arguments});
    }
  }
  return commands;
}

Result<core::UserMessage> Servers::expand_prompt(const std::string& name,
                                                 const std::vector<std::string>& words,
                                                 const CancelToken& cancel) {
  for (const auto& server : all()) {
    const auto facts = server->facts();
    for (const PromptInfo& prompt : facts->prompts) {
      if (tool_name(server->config().name, prompt.name) != name) continue;
      std::vector<std::pair<std::string, std::string>> arguments;
      for (std::size_t i = 0; i < prompt.arguments.size(); ++i) {
        const PromptArgument& argument = prompt.arguments[i];
        if (i < words.size()) {
          arguments.emplace_back(argument.name, words[i]);
        } else if (argument.required) {
          return Error{.code = ErrorCode::invalid_argument,
                       .message = "/" + name + " needs a value for " + argument.name};
        }
      }
      YUME_TRY(const RawJson result,
               server->ask("prompts/get", prompt_params(prompt.name, arguments), cancel));
      return read_prompt(result);
    }
  }
  return Error{.code = ErrorCode::not_found, .message = "there is no prompt " + name};
}

void Servers::add_in_host(const std::vector<std::string>& names) {
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& name : names) {
      const bool known = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return entry.server->config().name == name;
      });
      if (!known) {
        add({.name = name, .how = core::McpInHost{}, .scope = "sdk"}, /*set_by_host=*/true);
      }
    }
    if (!names.empty()) version_ += k_step;
  }
  if (!names.empty()) start();
}

void Servers::set(const RawJson& servers, SetDone done) {
  ServerEntries wanted = read_entries(servers.text, std::string(k_dynamic), deps_.lookup);
  core::McpServersSet outcome{.added = {}, .removed = {}, .errors = std::move(wanted.errors)};
  std::vector<std::shared_ptr<Server>> ended;
  std::vector<std::shared_ptr<Server>> begun;
  {
    const std::lock_guard lock(mutex_);
    const auto same = [&](const Entry& entry) {
      return std::find(wanted.servers.begin(), wanted.servers.end(), entry.server->config()) !=
             wanted.servers.end();
    };
    for (const Entry& entry : entries_) {
      if (!entry.set_by_host || same(entry)) continue;
      outcome.removed.push_back(entry.server->config().name);
      ended.push_back(entry.server);
    }
    std::erase_if(entries_, [&](const Entry& entry) { return entry.set_by_host && !same(entry); });
    // Those of --mcp-config are the host's, too: another one of that name takes their place.
    std::erase_if(entries_, [&](const Entry& entry) {
      const core::McpServerConfig& config = entry.server->config();
      const bool replaced = !entry.set_by_host && config.scope == k_dynamic &&
                            std::ranges::any_of(wanted.servers, [&](const auto& other) {
                              return other.name == config.name;
                            });
      if (replaced) ended.push_back(entry.server);
      return replaced;
    });
    for (const core::McpServerConfig& config : wanted.servers) {
      const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return entry.server->config().name == config.name;
      });
      if (found == entries_.end()) {
        add(config, /*set_by_host=*/true);
        entries_.back().started = true;
        outcome.added.push_back(config.name);
        begun.push_back(entries_.back().server);
      } else if (!found->set_by_host) {
        outcome.errors[config.name] = "a server of this name comes from the configuration";
      }
    }
    retired_.insert(retired_.end(), ended.begin(), ended.end());
    version_ += k_step;
  }
  for (const auto& server : ended) server->begin_end();
  const auto countdown =
      std::make_shared<Countdown>(std::move(outcome), begun.size(), std::move(done));
  for (const auto& server : begun) {
    server->connect([countdown, name = server->config().name](const Result<void>& how) {
      countdown->on_connected(name, how);
    });
  }
}

void Servers::reconnect(const std::string& name, Done done) {
  if (const auto server = find(name)) {
    server->connect(std::move(done));
  } else {
    done(unknown(name));
  }
}

void Servers::toggle(const std::string& name, bool enabled, Done done) {
  const auto server = find(name);
  if (!server) return done(unknown(name));
  if (enabled) {
    server->connect(std::move(done));
  } else {
    server->disable();
    done({});
  }
}

void Servers::take_from_host(const std::string& name, const RawJson& message) {
  if (const auto server = find(name)) server->take_from_host(message);
}

jsonrpc::Reply Servers::elicit(const std::string& server, const RawJson& params,
                               const CancelToken& cancel) {
  const Elicitation wanted = read_elicitation(params);
  const auto answer = deps_.host->ask(core::Elicit{.server = server,
                                                   .message = wanted.message,
                                                   .mode = wanted.mode,
                                                   .url = wanted.url,
                                                   .schema = wanted.schema},
                                      deps_.times.call, cancel);
  if (answer.ok()) {
    if (const auto* said = std::get_if<core::Elicited>(&*answer)) return said->result;
  }
  return RawJson{R"({"action":"cancel"})"};
}

}  // namespace yume::mcp
