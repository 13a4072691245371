// SPDX-License-Identifier: MIT
#include "session/older_process.h"

#include "platform/kept_files.h"
#include "platform/parent_process.h"
#include "platform/signals.h"

namespace yume::session {

void interrupt_older_process(const std::filesystem::path& session_file) {
  const auto holder = platform::lock_holder(session_file);
  if (!holder) return;
  platform::interrupt_process(*holder, [&] {
    const auto ours = platform::parent_process();
    return ours && platform::parent_of(*holder) == ours &&
           platform::lock_holder(session_file) == holder;
  });
}

}  // namespace yume::session
