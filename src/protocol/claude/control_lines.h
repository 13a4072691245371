// SPDX-License-Identifier: MIT
// Control lines: answers to a host's requests, and our questions to it.
#pragma once

#include <string>
#include <string_view>

#include "core/host_question.h"
#include "protocol/host.h"
#include "util/json_io.h"

namespace yume::protocol {

std::string control_success(std::string_view request_id, const RawJson& response);
std::string control_error(std::string_view request_id, std::string_view error,
                          std::string_view error_code);

// The question whether a call may run, that for a hook's word, and the withdrawal of either.
// `shown`: the input as the host sees it, in ASCII and short enough for a line.
std::string can_use_tool(std::string_view request_id, const core::MayRun& question,
                         const RawJson& shown, std::string_view agent_id = {});
std::string hook_callback(std::string_view request_id, const core::CallHook& call);
std::string control_cancel(std::string_view request_id);

// What `initialize` is answered with: the six fields the SDKs' types ask for, and the two by which
// hosts know that their hooks are heeded.
RawJson initialize_response(const InitializeDone& done);

// The line that answers a request, whatever came of it.
std::string reply_line(std::string_view request_id, const CommandResult& result);

}  // namespace yume::protocol
