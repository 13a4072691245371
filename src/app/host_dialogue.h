// SPDX-License-Identifier: MIT
// The questions of a turn on their way to the host and back: the turn's thread waits, the main
// thread writes the question and reads the answer. An answer to a question that was never asked, or
// asked no more, is ignored.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

#include "core/event.h"
#include "core/host_questions.h"

namespace yume::app {

class HostDialogue final : public core::HostQuestions {
 public:
  explicit HostDialogue(core::EventSink& host) : host_(host) {}

  // Turn thread.
  core::HostAnswer ask(const core::HostQuestion& question, const CancelToken& cancel) override;

  // Main thread.
  void answer(const std::string& request_id, core::HostAnswer answer);
  // Nothing more will come: whoever waits is told so, and so is everybody later.
  void close();

 private:
  core::EventSink& host_;
  std::mutex mutex_;
  std::condition_variable_any answered_;
  std::string open_id_;  // empty: no question is open
  std::optional<core::HostAnswer> answer_;
  bool closed_ = false;
};

}  // namespace yume::app
