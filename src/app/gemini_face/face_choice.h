// SPDX-License-Identifier: MIT
// Whose command line this program was started with: its own, which is Claude Code's, or that of the
// official Gemini CLI.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/options.h"
#include "platform/environment.h"
#include "util/result.h"

namespace yume::app {

struct ChosenFace {
  Face face = Face::claude;
  std::vector<std::string> tokens;  // without what chose the face
};

// `program`: how we were called. `--as` beats YUME_CLI_FACE, which beats the program's name.
// Error: a face that does not exist.
Result<ChosenFace> choose_face(std::string_view program, const std::vector<std::string>& tokens,
                               const platform::Environment& environment);

}  // namespace yume::app
