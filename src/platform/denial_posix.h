// SPDX-License-Identifier: MIT
// Why the system said no, for whoever has to do something about it. Private to src/platform.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "util/result.h"

namespace yume::platform {

enum class Wanted { to_read, to_write };

// error_opening, and for EACCES and EPERM also what stands in the way: the directory or file, its
// owner and mode, or that it is immutable. Looks at the path again, so it may know nothing.
Error error_reaching(std::string_view what, const std::filesystem::path& path, int error_number,
                     Wanted wanted);

}  // namespace yume::platform
