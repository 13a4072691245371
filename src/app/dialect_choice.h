// SPDX-License-Identifier: MIT
// In which dialect a host is spoken to, when the command line does not say it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/options.h"
#include "config/settings_stack.h"

namespace yume::app {

std::optional<DialectName> parse_dialect(std::string_view name);
std::string_view name_of(DialectName dialect);
// "yume, yume-app, ... or agent-events"
std::string dialect_list();
// Some dialects have no other form than lines.
void settle_format(Options& options);

// Whether one of these programs is the Yume app, whose window wants lines of its own.
bool has_yume_app(const std::vector<std::string>& programs);

// The settings, or else who started us, choose where neither flag nor variable has.
// `ancestors`: the names of the programs that did, nearest first.
void settle_dialect(const config::SettingsStack& settings,
                    const std::vector<std::string>& ancestors, Options& options);

// The settings say of growing texts what the environment has not.
void settle_live_text(const config::SettingsStack& settings, Options& options);

// "yume-app, because Yume started this program".
std::string dialect_in_words(const Options& options);

}  // namespace yume::app
