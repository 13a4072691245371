// SPDX-License-Identifier: MIT
// A stream that never makes its writer wait: a pipe cannot be asked here how much it takes, so a
// thread of its own writes what a bounded queue holds. Private to src/platform; not a seam.
#pragma once

#include <memory>
#include <string_view>

#include "platform/handle_win32.h"

namespace yume::platform {

class QueuedWriter {
 public:
  // `stream` outlives the process's last write.
  explicit QueuedWriter(HANDLE stream);
  // Waits half a second at most for what is queued.
  ~QueuedWriter();
  QueuedWriter(const QueuedWriter&) = delete;
  QueuedWriter& operator=(const QueuedWriter&) = delete;

  enum class Taken { yes, no_room, reader_gone };
  // All of it or nothing. Any thread.
  Taken write(std::string_view bytes);

 private:
  struct State;
  // Shared: a thread that stands in a write that nobody takes outlives this object.
  std::shared_ptr<State> state_;
};

}  // namespace yume::platform
