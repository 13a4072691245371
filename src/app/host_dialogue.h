// SPDX-License-Identifier: MIT
// The questions of a turn on their way to the host and back: the turn's thread waits, the main
// thread writes the question and reads the answer. An answer to a question that was never asked, or
// asked no more, is ignored.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

#include "core/event.h"
#include "core/hooks.h"
#include "core/host_questions.h"
#include "protocol/inbound.h"

namespace yume::app {

class HostDialogue final : public core::HostQuestions, public core::HostHooks {
 public:
  explicit HostDialogue(core::EventSink& host) : host_(host) {}

  // Turn thread.
  core::HostAnswer ask(const core::HostQuestion& question, const CancelToken& cancel) override;
  Result<RawJson> call(const core::HookCall& call, std::chrono::milliseconds timeout,
                       const CancelToken& cancel) override;

  // Main thread.
  void answer(const protocol::HostReply& reply);
  // Nothing more will come: whoever waits is told so, and so is everybody later.
  void close();

 private:
  enum class Kind { permission, hook };
  enum class Silence { closed, cancelled, timed_out };
  using Heard = std::variant<protocol::HostReply, Silence>;

  Heard exchange(Kind kind, const std::string& id, core::Event question,
                 std::optional<std::chrono::milliseconds> timeout, const CancelToken& cancel);

  core::EventSink& host_;
  std::mutex mutex_;
  std::condition_variable_any answered_;
  std::string open_id_;  // empty: no question is open
  Kind open_kind_ = Kind::permission;
  std::optional<protocol::HostReply> reply_;
  bool closed_ = false;
};

}  // namespace yume::app
