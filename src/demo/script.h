// SPDX-License-Identifier: MIT
// What the scripted server says in answer to one request: a status, headers, and a body in pieces
// with waits and ends between them. Values only, no I/O. tests/support/http_script.h reads them
// from
// `.http` texts (docs/golden-tests.md).
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace yume::demo {

struct Header {
  std::string name;
  std::string value;
  bool operator==(const Header&) const = default;
};

// A piece of the body: one write on the socket, and one HTTP chunk when the body is chunked. Empty
// pieces are left out.
struct SendBytes {
  std::string bytes;
  bool operator==(const SendBytes&) const = default;
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

using Step = std::variant<SendBytes, WaitForGate, CloseConnection, ResetConnection, Stall>;

// How the body is delimited follows from the headers: `Content-Length` promises as much (a body
// that is shorter ends the connection), `Connection: close` means until the end of the connection,
// and otherwise it is chunked; but 204 and 304 have none.
struct Script {
  int status = 200;
  std::vector<Header> headers = {};
  std::vector<Step> steps = {};
  bool operator==(const Script&) const = default;
};

struct PlainAnswer {
  int status = 200;
  std::string content_type = "application/json";
  std::string body = {};
};

// A whole answer with Content-Length.
Script plain_answer(const PlainAnswer& answer);

// A complete text/event-stream answer as Google frames it: every element is one `data:` event and
// one piece.
Script event_stream(const std::vector<std::string>& events);

}  // namespace yume::demo
