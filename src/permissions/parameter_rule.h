// SPDX-License-Identifier: MIT
// `Bash(run_in_background:true)`: a rule about a field of a call other than its main one. Pure.
#pragma once

#include <string_view>

#include "core/tool_call.h"

namespace yume::permissions {

// The call's input has a text, number or switch of that name with that value; `*` stands for
// anything in it. False for specs of any other form.
bool matches_parameter(std::string_view spec, const core::ToolCall& call);

// `Skill(pdf)`, `Skill(git:*)`: the call is for the skill of that name.
bool matches_skill(std::string_view spec, const core::ToolCall& call);

}  // namespace yume::permissions
