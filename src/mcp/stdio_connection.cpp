// SPDX-License-Identifier: MIT
#include "mcp/stdio_connection.h"

#include "jsonrpc/child_peer.h"
#include "mcp/messages.h"
#include "platform/program_search.h"
#include "util/path_text.h"
#include "util/utf8.h"

#include <utility>

namespace yume::mcp {
namespace {

namespace fs = std::filesystem;

// With all that reading it takes, a line that never ends costs less than 16 MB.
constexpr std::size_t k_longest_message = 14'000'000;
// What a server may write that is no message, such as a greeting, before it is given up.
constexpr std::size_t k_most_junk = std::size_t{1} << 20U;
// A server gets this long to end by itself, and as long again after TERM.
constexpr std::chrono::milliseconds k_grace{50};

std::vector<std::string> with_variables(
    std::vector<std::string> environment,
    const std::vector<std::pair<std::string, std::string>>& more) {
  for (const auto& [name, value] : more) {
    std::erase_if(environment, [prefix = name + "="](const std::string& line) {
      return line.starts_with(prefix);
    });
    environment.push_back(name + "=" + value);
  }
  return environment;
}

std::string path_in(const std::vector<std::string>& environment) {
  constexpr std::string_view k_path = "PATH=";
  for (const std::string& line : environment) {
    if (line.starts_with(k_path)) return line.substr(k_path.size());
  }
  return {};
}

Result<fs::path> find_program(const core::McpProgram& program, const ProgramWorld& world,
                              const std::vector<std::string>& environment) {
  const fs::path given = path_from_utf8(program.command);
  if (given.has_parent_path()) return world.cwd / given;
  platform::Environment variables;
  variables.variables["PATH"] = path_in(environment);
  const auto found = platform::programs_named(
      program.command, platform::path_directories(variables), world.workspace, world.files);
  if (!found.empty()) return found.front();
  return Error{.code = ErrorCode::not_found,
               .message = "the program " + program.command +
                          " is not in PATH; install it, or give its whole path as `command`"};
}

class StdioConnection final : public Connection, private jsonrpc::PeerHandler {
 public:
  explicit StdioConnection(Listener& listener) : listener_(listener) {}
  ~StdioConnection() override {
    if (child_) child_->stop(k_grace);
  }

  Result<void> start(const platform::DuplexSpec& spec, jsonrpc::PeerOptions options) {
    YUME_TRY(child_, jsonrpc::ChildPeer::start(spec, std::move(options), *this));
    return {};
  }

  Result<jsonrpc::Reply> call(const std::string& method, RawJson params,
                              std::chrono::milliseconds timeout,
                              const CancelToken& cancel) override {
    return child_->peer().call(method, std::move(params), timeout, cancel);
  }
  Result<void> notify(const jsonrpc::Notification& notification) override {
    return child_->peer().notify(notification);
  }
  void close() override {
    child_->peer().close({.code = ErrorCode::io, .message = "the server was stopped"});
  }

 private:
  void on_request(jsonrpc::Request request, jsonrpc::Responder responder) override {
    // Shared, because a function must be copyable.
    auto shared = std::make_shared<jsonrpc::Responder>(std::move(responder));
    listener_.on_request(std::move(request),
                         [shared](jsonrpc::Reply reply) { shared->reply(std::move(reply)); });
  }
  void on_notification(jsonrpc::Notification notification) override {
    listener_.on_notification(std::move(notification));
  }
  void on_closed(const Error& why) override { listener_.on_closed(why); }

  Listener& listener_;
  std::unique_ptr<jsonrpc::ChildPeer> child_;
};

std::optional<jsonrpc::Notification> cancel_notice(const jsonrpc::AbandonedCall& call) {
  if (call.method == "initialize") return std::nullopt;  // the protocol forbids it
  return jsonrpc::Notification{
      .method = "notifications/cancelled",
      .params = cancelled_params(call.id.json, call.timed_out ? "timeout" : "cancelled")};
}

}  // namespace

Result<std::unique_ptr<Connection>> connect_program(const std::string& name,
                                                    const core::McpProgram& program,
                                                    const ProgramWorld& world, Listener& listener) {
  platform::DuplexSpec spec;
  spec.cwd = world.cwd;
  spec.environment = with_variables(world.environment, program.env);
  YUME_TRY(const fs::path path, find_program(program, world, spec.environment));
  spec.argv.push_back(to_utf8(path));
  spec.argv.insert(spec.argv.end(), program.args.begin(), program.args.end());
  spec.on_error_output = [&log = world.log, name](std::string_view bytes) {
    constexpr std::size_t k_longest = 4096;
    log.write("mcp", name + " (stderr): " + std::string(utf8_prefix(bytes, k_longest)));
  };
  auto connection = std::make_unique<StdioConnection>(listener);
  const auto started = connection->start(spec, {.name = "the MCP server " + name,
                                                .max_message_bytes = k_longest_message,
                                                .cancel_notice = cancel_notice,
                                                .most_junk_bytes = k_most_junk,
                                                .answers_malformed = false,
                                                .log = &world.log});
  if (!started.ok()) return started.error();
  return std::unique_ptr<Connection>(std::move(connection));
}

}  // namespace yume::mcp
