// SPDX-License-Identifier: MIT
#include "demo/exchange.h"

#include <algorithm>

#include "util/ascii.h"
#include "util/overloaded.h"

namespace yume::demo {

const std::string* RecordedRequest::find_header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(), [&](const Header& header) {
    return ascii_lower(header.name) == ascii_lower(name);
  });
  return found == headers.end() ? nullptr : &found->value;
}

Next play(const Step& step, BareConnection& connection) {
  return std::visit(
      Overloaded{
          [&](const SendBytes& send) { return connection.send(send.bytes); },
          [&](const WaitForGate& gate) { return connection.wait_for_gate(gate.name); },
          [&](const CloseConnection&) { return Next::end_connection; },
          [&](const ResetConnection&) {
            connection.reset();
            return Next::end_connection;
          },
          [&](const Stall&) {
            connection.hold();
            return Next::end_connection;
          },
      },
      step);
}

}  // namespace yume::demo
