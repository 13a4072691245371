// SPDX-License-Identifier: MIT
// One request to the scripted server, and what may be said in answer to it. The server itself sends
// only proper HTTP; whoever wants other bytes takes the connection over
// (tests/support/raw_script.h).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "demo/script.h"

namespace yume::demo {

struct RecordedRequest {
  std::string method = {};
  std::string target = {};
  std::vector<Header> headers = {};   // by name, %XX decoded; those of one name in the order sent
  std::string body = {};              // chunks already joined
  std::size_t connection_number = 0;  // 1 is the first connection accepted

  // Name in any case; null when absent.
  const std::string* find_header(std::string_view name) const;
};

enum class Next { keep_open, end_connection };

// A connection below HTTP. Its methods block, and closing the server wakes them.
class BareConnection {
 public:
  virtual ~BareConnection() = default;

  // end_connection when the peer has gone.
  virtual Next send(std::string_view bytes) = 0;
  // end_connection when the server closes.
  virtual Next wait_for_gate(const std::string& name) = 0;
  // Until the peer or the server closes the connection.
  virtual void hold() = 0;
  // Ends it with RST.
  virtual void reset() = 0;
};

// Does what the step says, sending bytes as they are.
Next play(const Step& step, BareConnection& connection);

using TakeOver = std::function<Next(BareConnection& connection)>;
using Answer = std::variant<Script, TakeOver>;

}  // namespace yume::demo
