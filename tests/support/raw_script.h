// SPDX-License-Identifier: MIT
// Answers in bytes that no honest HTTP server would send, so that cpp-httplib cannot be asked to:
// garbage instead of a status line, nothing at all, a chunk cut in its middle, a head that comes
// byte by byte. The bytes go out as they are, each piece in one write.
#pragma once

#include <utility>
#include <vector>

#include "demo/exchange.h"

namespace yume::test {

// A script that ends without CloseConnection, ResetConnection or Stall leaves the connection open
// for the next request.
struct RawScript {
  std::vector<demo::Step> steps;
  bool operator==(const RawScript&) const = default;
};

inline demo::Answer raw_answer(RawScript script) {
  return [steps = std::move(script.steps)](demo::BareConnection& connection) {
    for (const demo::Step& step : steps) {
      if (demo::play(step, connection) == demo::Next::end_connection) {
        return demo::Next::end_connection;
      }
    }
    return demo::Next::keep_open;
  };
}

}  // namespace yume::test
