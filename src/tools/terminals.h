// SPDX-License-Identifier: MIT
// Terminals in which the user sees a command run, where the host has some. They are the host's own
// processes: no wall of ours is around them, and only their output and end are known here.
#pragma once

#include <memory>
#include <string>

#include "platform/process.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::tools {

class Terminals {
 public:
  virtual ~Terminals() = default;

  // Starts argv with the environment's entries beside the host's own, for the call with this id.
  // nullptr: the host would not, and nothing was started. Error: it did not answer, or the token
  // fired first.
  virtual Result<std::unique_ptr<platform::RunningProcess>> start(
      const platform::ProcessSpec& command, const std::string& call_id,
      const CancelToken& cancel) = 0;
};

}  // namespace yume::tools
