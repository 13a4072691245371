// SPDX-License-Identifier: MIT
// Control lines: answers to a host's requests, and our questions to it.
#pragma once

#include <string>
#include <string_view>

#include "core/event.h"
#include "core/host_questions.h"
#include "util/json_io.h"

namespace yume::protocol {

std::string control_success(std::string_view request_id, const RawJson& response);
std::string control_error(std::string_view request_id, std::string_view error,
                          std::string_view error_code);

// The question whether a call may run, that for a hook's word, and the withdrawal of either.
std::string can_use_tool(std::string_view request_id, const core::HostQuestion& question);
std::string hook_callback(std::string_view request_id, const core::HookCall& call);
std::string control_cancel(std::string_view request_id);

// Whether the hooks that `initialize` brought will all be called.
enum class HostHookService { none_asked, all, not_all };

// What `initialize` is answered with: the six fields the SDKs' types ask for, and the two by which
// hosts know that their hooks are heeded.
RawJson initialize_response(std::string_view model, HostHookService hooks);

}  // namespace yume::protocol
