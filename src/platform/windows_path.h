// SPDX-License-Identifier: MIT
// Which paths name one file and nothing else on Windows, where the system reads many others into
// what was written: devices, streams, other spellings of a name. Pure, so that every system can
// test it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace yume::platform {

// Why a path is not used; nullopt: it is. `path` is absolute, or relative to a known directory.
// Nothing is asked of the system: a network path alone would send the user's password hash away.
std::optional<std::string> why_unusable_windows_path(std::string_view path);

// NUL, COM1.txt, "con ": what the system takes for a device in whatever folder it seems to be.
bool is_windows_device(std::string_view name);

}  // namespace yume::platform
