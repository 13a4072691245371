// SPDX-License-Identifier: MIT
// A host that no question can be put to: its dialect has no way to ask, or nobody to answer.
#pragma once

#include "protocol/host.h"

namespace yume::protocol {

class UnaskedHost : public Host {
 public:
  [[nodiscard]] bool can_be_asked() const final { return false; }
  void ask(std::string_view /*request_id*/, const core::Address& /*from*/,
           const core::HostQuestion& /*question*/) final {}
  void withdraw(std::string_view /*request_id*/) final {}
  [[nodiscard]] std::optional<core::HostAnswer> read_answer(
      const core::HostQuestion& /*question*/, const RawAnswer& /*answer*/) const final {
    return std::nullopt;
  }
};

}  // namespace yume::protocol
