// SPDX-License-Identifier: MIT
// What a session reports about itself, as the control protocol's answers have it. Pure.
#pragma once

#include <vector>

#include "core/session_report.h"
#include "util/json_io.h"

namespace yume::protocol {

void write_models(JsonWriter& json, const std::vector<core::ModelOffer>& models);
RawJson context_report(const core::ContextReport& report);
RawJson rules_report(const core::RulesReport& report);
RawJson hooks_report(const core::HooksReport& report);
RawJson file_contents(const core::FileContents& file);
RawJson task_output(const core::TaskOutput& output);
RawJson rewind_report(const core::RewindReport& report);
RawJson settings_report(const core::SettingsReport& report);

}  // namespace yume::protocol
