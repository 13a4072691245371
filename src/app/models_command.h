// SPDX-License-Identifier: MIT
// `yume-cli models [--json]`: what is known about models, with the user's own settings, and which
// of them names stand for. Asks nobody and needs no credentials.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "app/model_choice.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "protocol/line_writer.h"

namespace yume::app {

// `tokens` after "models". Takes --model-map beside --json.
ExitCode run_models(const std::vector<std::string>& tokens,
                    const platform::Environment& environment, protocol::Output& out);

// What is printed, with the final newline. On a terminal, columns that do not fit into its width
// are left out, the least important first; elsewhere all of them are there.
std::string models_table(const ModelChoice& models, platform::WallTime now,
                         std::optional<int> width);
// One line; rows in the form of the data file, with the prices of today.
std::string models_json(const ModelChoice& models, platform::WallTime now);

}  // namespace yume::app
