// SPDX-License-Identifier: MIT
// What the scripted server says in answer to one request: raw bytes, waits and ends, in order.
// Parsed from a `.http` text (docs/golden-tests.md) or built in code. Values only, no I/O.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "util/result.h"

namespace yume::demo {

// Each is one write on the socket, exactly these bytes.
struct SendBytes {
  std::string bytes;
  bool operator==(const SendBytes&) const = default;
};

// The same for a big prepared block; shared because many answers may send it at once.
struct SendBlock {
  std::shared_ptr<const std::string> bytes;
  bool operator==(const SendBlock&) const = default;
};

struct WaitForGate {
  std::string name;
  bool operator==(const WaitForGate&) const = default;
};

// The connection ends with FIN, or with RST. Nothing may follow.
struct CloseConnection {
  bool operator==(const CloseConnection&) const = default;
};
struct ResetConnection {
  bool operator==(const ResetConnection&) const = default;
};

// Sends nothing more, and holds the connection until the peer or the server closes it.
struct Stall {
  bool operator==(const Stall&) const = default;
};

using Step =
    std::variant<SendBytes, SendBlock, WaitForGate, CloseConnection, ResetConnection, Stall>;

// A script that ends without CloseConnection, ResetConnection or Stall leaves the connection open
// for the next request.
struct Script {
  std::vector<Step> steps;
  bool operator==(const Script&) const = default;
};

// Fails with invalid_argument; the message begins with the line number.
Result<Script> parse_script(std::string_view text);

// One HTTP chunk: size line, payload, CRLF. An empty payload would be the final chunk.
std::string http_chunk(std::string_view payload);

struct PlainAnswer {
  int status = 200;
  std::string reason = "OK";
  std::string content_type = "application/json";
  std::string body = {};
};

// A whole answer with Content-Length, in one write.
Script plain_answer(const PlainAnswer& answer);

// A complete text/event-stream answer as Google frames it: every element is one `data:` event, one
// HTTP chunk and one write.
Script event_stream(const std::vector<std::string>& events);

}  // namespace yume::demo
