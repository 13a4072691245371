// SPDX-License-Identifier: MIT
// Starting a process inside a Job object that nothing it starts can leave. Private to src/platform.
#pragma once

#include "platform/handle_win32.h"
#include "platform/process.h"
#include "util/result.h"

namespace yume::platform {

struct Child {
  // The only handle to the job. The system kills everything in the job when it is closed, also when
  // it is this process's end that closes it.
  Handle job;
  Handle process;
};

// The child inherits these three handles and nothing else; each must be inheritable.
struct ChildStreams {
  HANDLE input;
  HANDLE output;
  HANDLE error_output;  // may be the same as output
};

enum class Console {
  hidden,  // one of its own that nobody sees: no key of ours reaches it, and it cannot ask anybody
  ours,
};

Result<void> check_child(const ProcessSpec& spec);
// Call only with a spec that passed check_child().
Result<Child> start_child(const ProcessSpec& spec, const ChildStreams& streams,
                          Console console = Console::hidden);

// How many processes live in the job.
DWORD count_processes(const Handle& job);

}  // namespace yume::platform
