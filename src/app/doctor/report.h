// SPDX-License-Identifier: MIT
// Findings as a person or a program reads them. Pure.
#pragma once

#include <string>

#include "app/doctor/finding.h"

namespace yume::app::doctor {

struct ReportStyle {
  bool colours = false;
  bool utf8 = false;  // else ASCII only
};

// One line with its newline, in columns that fit under those of the other lines.
std::string report_line(const Finding& finding, ReportStyle style);

// An array of {check, status, detail, advice} on one line; status is "ok", "warn" or "fail".
std::string report_json(const Findings& findings);

}  // namespace yume::app::doctor
