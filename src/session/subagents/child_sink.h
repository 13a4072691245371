// SPDX-License-Identifier: MIT
// Stands between a subagent and the host: counts what it does, and passes on what hosts are to see
// of it, which is its calls, and its words only when that is wanted. Thread-safe, as sinks are.
#pragma once

#include <mutex>
#include <string>

#include "core/event.h"
#include "platform/clock.h"

namespace yume::session {

struct ChildSinkSettings {
  std::string agent_id;
  std::string call_id;
  std::string type;
  std::string description;
  bool forwards_text = false;
};

class ChildSink final : public core::EventSink {
 public:
  // `own`: under the subagent's address; `parents`: under its parent's. All outlive the sink.
  ChildSink(ChildSinkSettings settings, core::EventSink& own, core::EventSink& parents,
            const platform::Clock& clock);

  bool post(core::Event event) override;
  bool flush(const CancelToken& cancel) override { return own_.flush(cancel); }

  [[nodiscard]] core::AgentWork work() const;

 private:
  [[nodiscard]] bool is_shown(const core::Event& event) const;
  // The tool that is called, if one is.
  std::string count(const core::Event& event);
  bool post_progress(const std::string& tool);

  ChildSinkSettings settings_;
  core::EventSink& own_;
  core::EventSink& parents_;
  const platform::Clock& clock_;
  platform::SteadyTime start_;
  mutable std::mutex mutex_;
  core::AgentWork work_;
};

}  // namespace yume::session
