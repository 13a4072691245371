// SPDX-License-Identifier: MIT
// What flags and environment say about the server and the requests to it, under the names that
// Google's own tools use.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/argv.h"
#include "gemini/endpoint.h"
#include "gemini/request.h"
#include "net/http.h"
#include "platform/environment.h"
#include "util/result.h"

namespace yume::app {

struct ServerOptions {
  gemini::EndpointRequest endpoint;
  std::vector<net::Header> extra_headers;
  bool key_as_bearer = false;
  gemini::Safety safety = gemini::Safety::off;
  std::optional<std::int64_t> max_output_tokens;
  net::Deadlines deadlines;  // YUME_CONNECT_TIMEOUT_MS, YUME_FIRST_BYTE_TIMEOUT_MS, ...
};

// invalid_argument: the message is for stderr.
Result<ServerOptions> read_server_options(const Arguments& arguments,
                                          const platform::Environment& environment);

}  // namespace yume::app
