// SPDX-License-Identifier: MIT
// What a call would do, whole, for the person who decides about it: the command, the difference, or
// the fields of its input. Whatever a terminal would obey or hide is spelled out. Pure.
#pragma once

#include <string>
#include <string_view>

#include "core/host_question.h"
#include "protocol/terminal/terminal_style.h"

namespace yume::protocol {

// Lines, the last one with its end.
std::string shown_call(const core::MayRun& question, EscapeCodes codes);

// Each line of `text` behind `indent` and with its end.
std::string indented(std::string_view text, std::string_view indent);

}  // namespace yume::protocol
