// SPDX-License-Identifier: MIT
// Control lines: answers to a host's requests, and our questions to it.
#pragma once

#include <string>
#include <string_view>

#include "core/host_questions.h"
#include "util/json_io.h"

namespace yume::protocol {

std::string control_success(std::string_view request_id, const RawJson& response);
std::string control_error(std::string_view request_id, std::string_view error,
                          std::string_view error_code);

// The question whether a call may run, and its withdrawal.
std::string can_use_tool(std::string_view request_id, const core::HostQuestion& question);
std::string control_cancel(std::string_view request_id);

// What `initialize` is answered with: the six fields the SDKs' types ask for.
RawJson initialize_response(std::string_view model);

}  // namespace yume::protocol
