// SPDX-License-Identifier: MIT
#include "protocol/host.h"

namespace yume::protocol {

void write_when_due(Host& host, const core::Envelope& envelope, const platform::Clock& clock) {
  const platform::SteadyTime now = clock.steady_now();
  if (const auto due = host.not_before(envelope); due && *due > now) {
    clock.sleep_for(*due - now, {});
  }
  host.write(envelope, clock.steady_now());
}

}  // namespace yume::protocol
