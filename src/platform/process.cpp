// SPDX-License-Identifier: MIT
#include "platform/process.h"

namespace yume::platform {

Result<ProcessEnd> ProcessRunner::run(const ProcessSpec& spec, ProcessOutput& output,
                                      const CancelToken& cancel) {
  if (cancel.stop_requested()) return ProcessEnd{.kind = ProcessEndKind::cancelled};
  YUME_TRY(const auto process, start(spec));
  const OnCancel on_cancel(cancel, [&process] { process->stop(); });
  for (;;) {
    if (auto end = process->wait(output, std::nullopt)) return *std::move(end);
  }
}

}  // namespace yume::platform
