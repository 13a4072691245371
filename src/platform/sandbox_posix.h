// SPDX-License-Identifier: MIT
// A sandbox made ready for one command, before the fork: whatever takes memory, reads folders or
// can be told in words happens here. Private to src/platform.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "platform/sandbox.h"
#include "util/result.h"

namespace yume::platform {

class PreparedSandbox {
 public:
  virtual ~PreparedSandbox() = default;

  // Must stay open in the supervisor until the command runs; -1: nothing.
  [[nodiscard]] virtual int descriptor() const noexcept = 0;

  // What stands before the words of each program that is started, and makes the wall itself. Empty:
  // nothing does.
  [[nodiscard]] virtual std::vector<std::string> starter() const { return {}; }

  // These two run after the fork: only async-signal-safe calls. 0 or errno; after a failure the
  // command must not be run. First in the supervisor, which shares the command's view of the file
  // system but not its limits, then in the command itself, last before exec.
  virtual int enter_as_supervisor() noexcept = 0;
  virtual int enter_as_command() noexcept = 0;
};

// Knows from the first time on what the system can do, and what it made last. Thread-safe.
class SandboxMaker {
 public:
  virtual ~SandboxMaker() = default;

  // Error where there is no sandbox, or its temporary folder cannot be had.
  virtual Result<std::unique_ptr<PreparedSandbox>> prepare(const Sandbox& sandbox) = 0;
};

std::unique_ptr<SandboxMaker> make_sandbox_maker();

}  // namespace yume::platform
