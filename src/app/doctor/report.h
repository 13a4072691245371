// SPDX-License-Identifier: MIT
// Findings as a person or a program reads them. Pure.
#pragma once

#include <string>

#include "app/doctor/finding.h"
#include "app/terminal_look.h"

namespace yume::app::doctor {

// One line with its newline, in columns that fit under those of the other lines; more when the
// terminal is too narrow for it.
std::string report_lines(const Finding& finding, const TerminalLook& look);

// An array of {check, status, detail, advice} on one line; status is "ok", "warn" or "fail".
std::string report_json(const Findings& findings);

}  // namespace yume::app::doctor
