// SPDX-License-Identifier: MIT
// A path as it is written in other languages. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yume::app {

std::string for_posix_shell(std::string_view text);  // bare when that is safe
std::string for_powershell(std::string_view text);
std::string for_lua(std::string_view text);
std::string for_javascript(std::string_view text);

}  // namespace yume::app
