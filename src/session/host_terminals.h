// SPDX-License-Identifier: MIT
// Commands in terminals of the host: each step is a question to it. The end of a command is awaited
// on a thread of its own, because its answer may take hours while other things are to be done.
#pragma once

#include "core/event.h"
#include "core/host_port.h"
#include "platform/clock.h"
#include "tools/terminals.h"

namespace yume::session {

class HostTerminals final : public tools::Terminals {
 public:
  // All of them outlive it. `events` gets to know in which terminal a call runs.
  HostTerminals(core::Questions& host, core::EventSink& events, const platform::Clock& clock)
      : host_(host), events_(events), clock_(clock) {}

  Result<std::unique_ptr<platform::RunningProcess>> start(const platform::ProcessSpec& command,
                                                          const std::string& call_id,
                                                          const CancelToken& cancel) override;

 private:
  core::Questions& host_;
  core::EventSink& events_;
  const platform::Clock& clock_;
};

}  // namespace yume::session
