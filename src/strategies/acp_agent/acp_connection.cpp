// SPDX-License-Identifier: MIT
#include "strategies/acp_agent/acp_connection.h"

#include "util/utf8.h"

#include <utility>

namespace yume::strategies {
namespace {

constexpr std::size_t k_most_waiting = 4096;
constexpr std::chrono::milliseconds k_grace{200};

}  // namespace

Result<std::unique_ptr<AcpConnection>> AcpConnection::start(const platform::DuplexSpec& program,
                                                            Log& log) {
  std::unique_ptr<AcpConnection> made(new AcpConnection());
  platform::DuplexSpec spec = program;
  spec.on_error_output = [&log](std::string_view bytes) {
    constexpr std::size_t k_longest = 4096;
    log.write("acp", "stderr: " + std::string(utf8_prefix(bytes, k_longest)));
  };
  YUME_TRY(made->child_,
           jsonrpc::ChildPeer::start(
               spec, {.name = "The agent", .answers_malformed = false, .log = &log}, *made));
  return made;
}

AcpConnection::~AcpConnection() {
  kill();
  if (asking_.joinable()) asking_.join();
}

void AcpConnection::kill() {
  {
    // Whoever waits for room need not any more.
    const std::lock_guard lock(mutex_);
    prompting_ = false;
  }
  changed_.notify_all();
  child_->stop(k_grace);
}

void AcpConnection::put(AgentSays item) {
  {
    std::unique_lock lock(mutex_);
    // When the host reads slowly, so do we.
    changed_.wait(lock, [this] { return !prompting_ || said_.size() < k_most_waiting; });
    said_.push_back(std::move(item));
  }
  changed_.notify_all();
}

void AcpConnection::on_request(jsonrpc::Request request, jsonrpc::Responder responder) {
  put(AgentRequest{.request = std::move(request),
                   .responder = std::make_shared<jsonrpc::Responder>(std::move(responder))});
}

void AcpConnection::on_notification(jsonrpc::Notification notification) {
  if (notification.method != "session/update") return;
  put(AgentUpdate{std::move(notification.params)});
}

Result<jsonrpc::Reply> AcpConnection::call(const std::string& method, RawJson params,
                                           std::chrono::milliseconds timeout,
                                           const CancelToken& cancel) {
  return child_->peer().call(method, std::move(params), timeout, cancel);
}

void AcpConnection::notify(const std::string& method, RawJson params) {
  (void)child_->peer().notify({.method = method, .params = std::move(params)});
}

void AcpConnection::prompt(RawJson params) {
  if (asking_.joinable()) asking_.join();
  {
    const std::lock_guard lock(mutex_);
    said_.clear();
    prompting_ = true;
  }
  asking_ = std::thread([this, params = std::move(params)] {
    auto reply = child_->peer().call("session/prompt", params, std::nullopt, CancelToken());
    {
      // Behind all that came before it, even when there is no room.
      const std::lock_guard lock(mutex_);
      prompting_ = false;
      said_.push_back(PromptAnswered{std::move(reply)});
    }
    changed_.notify_all();
  });
}

std::optional<AgentSays> AcpConnection::next(const CancelToken& cancel,
                                             std::optional<std::chrono::milliseconds> patience) {
  std::unique_lock lock(mutex_);
  const auto something = [this] { return !said_.empty(); };
  if (patience) {
    changed_.wait_for(lock, *patience, something);
  } else {
    changed_.wait(lock, cancel, something);
  }
  if (said_.empty()) return std::nullopt;
  AgentSays item = std::move(said_.front());
  said_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return item;
}

}  // namespace yume::strategies
