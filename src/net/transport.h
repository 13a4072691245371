// SPDX-License-Identifier: MIT
// One HTTP exchange. The seam between everything that talks to a server and libcurl.
#pragma once

#include <chrono>
#include <string_view>

#include "net/http.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::net {

// Receives an answer as it arrives, on the thread that called perform(). Blocking here slows the
// server down, which is how a slow host is passed on. False stops the exchange.
class BodySink {
 public:
  virtual ~BodySink() = default;
  virtual bool on_head(const HttpHead& head) = 0;
  virtual bool on_body(std::string_view bytes) = 0;
  // Whether the bytes of the last on_body() belong to an answer. What only keeps a connection alive
  // does not end a silence, though it does keep the deadline `idle` from passing.
  [[nodiscard]] virtual bool said_something() const { return true; }
  // Nothing has been said for `so_far`; called once per silence, from the deadline `notice` on.
  virtual void on_silence(std::chrono::milliseconds /*so_far*/) {}
};

class Transport {
 public:
  virtual ~Transport() = default;

  // Blocks until the answer is complete. The result is the head, whatever its status. Errors:
  // cancelled (also when the sink returned false), timeout (nothing came), too_large (it did not
  // end), tls, not_found (the host's name), permission_denied (all its addresses are out of reach),
  // network (message names host and cause). Follows no redirects. One call at a time per object.
  virtual Result<HttpHead> perform(const HttpRequest& request, BodySink& sink,
                                   const CancelToken& cancel) = 0;
};

}  // namespace yume::net
