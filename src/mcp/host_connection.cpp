// SPDX-License-Identifier: MIT
#include "mcp/host_connection.h"

#include "jsonrpc/codec.h"
#include "mcp/messages.h"
#include "util/overloaded.h"

#include <atomic>
#include <utility>

namespace yume::mcp {
namespace {

// A line to the host takes less than a megabyte.
constexpr std::size_t k_longest_message = 950'000;
constexpr std::chrono::milliseconds k_patience{10'000};

class HostConnection final : public Connection {
 public:
  HostConnection(std::string name, core::Questions& host) : name_(std::move(name)), host_(host) {}

  Result<jsonrpc::Reply> call(const std::string& method, RawJson params,
                              std::chrono::milliseconds timeout,
                              const CancelToken& cancel) override {
    const jsonrpc::Id id{std::to_string(next_id_++)};
    auto answer = send(
        jsonrpc::encode(jsonrpc::Request{.id = id, .method = method, .params = std::move(params)}),
        timeout, cancel);
    if (!answer.ok()) {
      const ErrorCode why = answer.error().code;
      const bool abandoned = why == ErrorCode::timeout || why == ErrorCode::cancelled;
      if (abandoned && method != "initialize") {
        [[maybe_unused]] const auto told =
            notify({.method = "notifications/cancelled",
                    .params = cancelled_params(id.json, "cancelled")});
      }
      return std::move(answer).error();
    }
    return read_reply(*answer, method);
  }

  Result<void> notify(const jsonrpc::Notification& notification) override {
    auto answer = send(jsonrpc::encode(notification), k_patience, closing_.get_token());
    if (!answer.ok()) return std::move(answer).error();
    return {};
  }

  void answer(const jsonrpc::Id& id, jsonrpc::Reply reply) override {
    [[maybe_unused]] const auto sent =
        send(jsonrpc::encode(jsonrpc::Response{.id = id, .reply = std::move(reply)}), k_patience,
             closing_.get_token());
  }

  void close() override { closing_.request_stop(); }

 private:
  Result<RawJson> send(std::string message, std::chrono::milliseconds timeout,
                       const CancelToken& cancel) {
    if (message.size() > k_longest_message) {
      return Error{.code = ErrorCode::too_large,
                   .message = "the message to the MCP server " + name_ + " has " +
                              std::to_string(message.size()) + " bytes, and the host takes " +
                              std::to_string(k_longest_message)};
    }
    // Either ends the wait: whoever called, or close().
    CancelSource either;
    const OnCancel by_caller(cancel, [&either] { either.request_stop(); });
    const OnCancel by_end(closing_.get_token(), [&either] { either.request_stop(); });
    auto answer = host_.ask(core::McpMessage{.server = name_, .message = {std::move(message)}},
                            timeout, either.get_token());
    if (!answer.ok()) {
      Error error = std::move(answer).error();
      error.message = "the MCP server " + name_ + " inside the host: " + error.message;
      return error;
    }
    const auto no_reply = [this](const std::string& why) -> Result<RawJson> {
      return Error{.code = ErrorCode::protocol,
                   .message = "the host could not reach its MCP server " + name_ + ": " + why};
    };
    return std::visit(
        Overloaded{
            [](const core::McpAnswered& answered) -> Result<RawJson> { return answered.message; },
            [&](const core::HostFailed& failed) { return no_reply(failed.why); },
            [&](const core::HostAllows&) { return no_reply("its answer is no message"); },
            [&](const core::HostDenies&) { return no_reply("its answer is no message"); },
            [&](const core::HookReturned&) { return no_reply("its answer is no message"); },
            [&](const core::Elicited&) { return no_reply("its answer is no message"); },
            [&](const core::HostFileText&) { return no_reply("its answer is no message"); },
            [&](const core::HostFileWritten&) { return no_reply("its answer is no message"); },
            [&](const core::HostTerminal&) { return no_reply("its answer is no message"); },
        },
        *answer);
  }

  Result<jsonrpc::Reply> read_reply(const RawJson& answer, const std::string& method) const {
    auto decoded = jsonrpc::decode(answer.text);
    if (auto* response = std::get_if<jsonrpc::Response>(&decoded)) {
      return std::move(response->reply);
    }
    return Error{
        .code = ErrorCode::protocol,
        .message = "the host's answer to " + method + " of the MCP server " + name_ + " is none"};
  }

  std::string name_;
  core::Questions& host_;
  CancelSource closing_;
  std::atomic<std::int64_t> next_id_ = 0;
};

}  // namespace

std::unique_ptr<Connection> connect_in_host(const std::string& name, core::Questions& host) {
  return std::make_unique<HostConnection>(name, host);
}

}  // namespace yume::mcp
