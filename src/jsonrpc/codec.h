// SPDX-License-Identifier: MIT
// JSON-RPC messages as text and back. Pure; framing is the carrier's business.
#pragma once

#include <string>
#include <string_view>

#include "jsonrpc/message.h"

namespace yume::jsonrpc {

// One message. Strict with requests and notifications, because their sender can be told what is
// wrong; lenient with responses, which nobody may answer and somebody waits for. Bytes that are not
// UTF-8 and lone surrogates become U+FFFD. A batch is malformed: the protocols that are spoken here
// have none (MCP had them in one revision).
Incoming decode(std::string_view text);

// On one line, ASCII only, without a line end. Params, result and data must be valid JSON.
std::string encode(const Request& request);
std::string encode(const Notification& notification);
std::string encode(const Response& response);

// "Method not found": m, with the name of the method as data.
ErrorObject method_not_found(std::string_view method);

}  // namespace yume::jsonrpc
