// SPDX-License-Identifier: MIT
// Reports that no turn could begin, in the way the host reads: lines for those who read lines, and
// stderr where Claude writes there.
#pragma once

#include <string>

#include "app/exit_codes.h"
#include "app/options.h"
#include "platform/clock.h"
#include "platform/stdio.h"
#include "protocol/host.h"

namespace yume::app {

class Rejection {
 public:
  Rejection(const Options& options, protocol::Host& host, platform::OutputStream& err,
            const platform::Clock& clock)
      : options_(options), host_(host), err_(err), clock_(clock) {}

  // For the session of that id, or the one that there would have been.
  ExitCode report(const std::string& session_id, const std::string& why) const;
  ExitCode report_empty_prompt(const std::string& session_id) const;

 private:
  const Options& options_;
  protocol::Host& host_;
  platform::OutputStream& err_;
  const platform::Clock& clock_;
};

}  // namespace yume::app
