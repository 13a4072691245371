// SPDX-License-Identifier: MIT
#include "app/host_dialogue.h"

#include "util/uuid.h"

#include <utility>

namespace yume::app {
namespace {

constexpr const char* k_closed =
    "Tool permission request failed: AbortError: Tool permission stream closed before response "
    "received";
constexpr const char* k_interrupted = "The turn was interrupted before anybody answered.";

}  // namespace

core::HostAnswer HostDialogue::ask(const core::HostQuestion& question, const CancelToken& cancel) {
  const std::string id = make_uuid();
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return core::NoAnswer{k_closed};
    open_id_ = id;
    answer_.reset();
  }
  host_.post(core::PermissionAsked{.request_id = id, .question = question});
  std::unique_lock lock(mutex_);
  answered_.wait(lock, cancel, [this] { return answer_ || closed_; });
  open_id_.clear();
  if (answer_) return *std::exchange(answer_, std::nullopt);
  if (closed_) return core::NoAnswer{k_closed};
  lock.unlock();
  host_.post(core::PermissionWithdrawn{id});
  return core::NoAnswer{k_interrupted};
}

void HostDialogue::answer(const std::string& request_id, core::HostAnswer answer) {
  const std::lock_guard lock(mutex_);
  if (request_id.empty() || request_id != open_id_ || answer_) return;
  answer_ = std::move(answer);
  answered_.notify_all();
}

void HostDialogue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  answered_.notify_all();
}

}  // namespace yume::app
