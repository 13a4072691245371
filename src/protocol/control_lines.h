// SPDX-License-Identifier: MIT
// Answers to a host's control requests.
#pragma once

#include <string>
#include <string_view>

#include "util/json_io.h"

namespace yume::protocol {

std::string control_success(std::string_view request_id, const RawJson& response);
std::string control_error(std::string_view request_id, std::string_view error,
                          std::string_view error_code);

// What `initialize` is answered with: the six fields the SDKs' types ask for.
RawJson initialize_response(std::string_view model);

}  // namespace yume::protocol
