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

HostDialogue::Heard HostDialogue::exchange(Kind kind, const std::string& id, core::Event question,
                                           std::optional<std::chrono::milliseconds> timeout,
                                           const CancelToken& cancel) {
  {
    const std::lock_guard lock(mutex_);
    if (closed_) return Silence::closed;
    open_id_ = id;
    open_kind_ = kind;
    reply_.reset();
  }
  host_.post(std::move(question));
  std::unique_lock lock(mutex_);
  const auto over = [this] { return reply_ || closed_; };
  if (timeout) {
    answered_.wait_for(lock, cancel, *timeout, over);
  } else {
    answered_.wait(lock, cancel, over);
  }
  open_id_.clear();
  if (reply_) return *std::exchange(reply_, std::nullopt);
  if (closed_) return Silence::closed;
  lock.unlock();
  host_.post(core::QuestionWithdrawn{id});
  return cancel.stop_requested() ? Silence::cancelled : Silence::timed_out;
}

core::HostAnswer HostDialogue::ask(const core::HostQuestion& question, const CancelToken& cancel) {
  const std::string id = make_uuid();
  const Heard heard =
      exchange(Kind::permission, id, core::PermissionAsked{.request_id = id, .question = question},
               std::nullopt, cancel);
  if (const auto* reply = std::get_if<protocol::HostReply>(&heard)) {
    if (auto answer = protocol::permission_answer(*reply)) return *std::move(answer);
  }
  const bool closed = heard == Heard(Silence::closed);
  return core::NoAnswer{closed ? k_closed : k_interrupted};
}

Result<RawJson> HostDialogue::call(const core::HookCall& call, std::chrono::milliseconds timeout,
                                   const CancelToken& cancel) {
  const std::string id = make_uuid();
  const Heard heard =
      exchange(Kind::hook, id, core::HookCalled{.request_id = id, .call = call}, timeout, cancel);
  if (const auto* reply = std::get_if<protocol::HostReply>(&heard)) {
    if (reply->response) return *reply->response;
    return Error{.code = ErrorCode::protocol,
                 .message = reply->error.empty() ? "the host could not call it" : reply->error};
  }
  switch (std::get<Silence>(heard)) {
    case Silence::cancelled:
      return Error{.code = ErrorCode::cancelled, .message = k_interrupted};
    case Silence::timed_out:
      return Error{.code = ErrorCode::timeout,
                   .message = "no answer within " + std::to_string(timeout.count()) + " ms"};
    case Silence::closed:
      break;
  }
  return Error{.code = ErrorCode::io, .message = "the host does not answer any more"};
}

void HostDialogue::answer(const protocol::HostReply& reply) {
  const std::lock_guard lock(mutex_);
  if (reply.request_id.empty() || reply.request_id != open_id_ || reply_) return;
  const bool says_nothing = open_kind_ == Kind::permission && !protocol::permission_answer(reply);
  if (says_nothing) return;
  reply_ = reply;
  answered_.notify_all();
}

void HostDialogue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  answered_.notify_all();
}

}  // namespace yume::app
