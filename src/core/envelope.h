// SPDX-License-Identifier: MIT
// An event with its address: nothing is said of a session without saying of which.
#pragma once

#include <string>

#include "core/event.h"

namespace yume::core {

struct Address {
  std::string session_id;
  std::string parent_call_id = {};  // the call that a subagent works for; empty: the session itself

  friend bool operator==(const Address&, const Address&) = default;
  friend auto operator<=>(const Address&, const Address&) = default;
};

struct Envelope {
  Address address;
  Event event;
};

}  // namespace yume::core
