// SPDX-License-Identifier: MIT
// What must be known of a client's request when its reply is written: carried through the program
// as the request's name, which nobody else looks into.
#pragma once

#include <string>
#include <string_view>

#include "jsonrpc/message.h"

namespace yume::protocol {

struct AcpTicket {
  jsonrpc::Id id = {};
  std::string method = {};
  std::string session_id = {};
  std::string option = {};  // that is to be set
  std::string value = {};

  friend bool operator==(const AcpTicket&, const AcpTicket&) = default;
};

// Never empty.
std::string encode(const AcpTicket& ticket);
AcpTicket decode_ticket(std::string_view text);

}  // namespace yume::protocol
