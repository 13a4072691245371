// SPDX-License-Identifier: MIT
// Where programs put what they need for a while.
#pragma once

#include <filesystem>

#include "platform/environment.h"

namespace yume::platform {

// TMPDIR, else /tmp; on Windows TEMP, else what the system names.
std::filesystem::path temporary_directory(const Environment& environment);

}  // namespace yume::platform
