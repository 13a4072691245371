// SPDX-License-Identifier: MIT
#include "protocol/host.h"

#include "util/overloaded.h"

namespace yume::protocol {

bool Host::answers(const core::HostQuestion& question) const {
  return std::visit(
      Overloaded{
          Constant<true, core::MayRun, core::CallHook, core::McpMessage, core::Elicit>{},
          Constant<false, core::ReadHostFile, core::WriteHostFile, core::UseTerminal>{},
      },
      question);
}

void write_when_due(Host& host, const core::Envelope& envelope, const platform::Clock& clock) {
  const platform::SteadyTime now = clock.steady_now();
  if (const auto due = host.not_before(envelope); due && *due > now) {
    clock.sleep_for(*due - now, {});
  }
  host.write(envelope, clock.steady_now());
}

}  // namespace yume::protocol
