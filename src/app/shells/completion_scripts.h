// SPDX-License-Identifier: MIT
// Scripts that let shells complete this program's command line. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace yume::app {

// The script for "bash", "zsh", "fish" or "powershell"; nullopt: another shell.
std::optional<std::string> completion_script(std::string_view shell);

}  // namespace yume::app
