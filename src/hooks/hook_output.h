// SPDX-License-Identifier: MIT
// What a hook says, whatever way it says it: JSON, plain text, or an exit code. What it means
// depends on the event; most fields are for some events only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/hooks.h"
#include "platform/process.h"
#include "util/json_io.h"
#include "util/result.h"

namespace yume::hooks {

struct HookReply {
  std::optional<std::string> veto = std::nullopt;  // the step shall not be; why, if it says so
  std::optional<std::string> stop = std::nullopt;  // nor anything after it; why, if it says so
  std::string text = {};                           // for the model
  std::string message = {};                        // for people
  core::CallAdvice::Permission permission = core::CallAdvice::Permission::unsaid;
  std::string permission_reason = {};
  std::optional<RawJson> input = std::nullopt;            // for the call to run with instead
  std::optional<core::HostAnswer> answer = std::nullopt;  // to a question about a permission

  friend bool operator==(const HookReply&, const HookReply&) = default;
};

// The JSON that hooks answer with. Error when it is something else.
Result<HookReply> read_hook_json(std::string_view json);

// How a command ended: 0 is well, and then its output counts, as JSON or as text; 2 is a veto, and
// stderr says why. Error for everything else: the hook failed.
Result<HookReply> read_command_end(const Result<platform::ProcessEnd>& end, std::string_view output,
                                   std::string_view error_output);

}  // namespace yume::hooks
