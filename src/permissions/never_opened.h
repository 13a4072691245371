// SPDX-License-Identifier: MIT
// What no mode and no rule opens to a tool, by its name alone: gcloud's credentials, our cache of
// tokens, and what /proc tells of a process's memory, environment and open files. The other places
// of credentials depend on the user's environment. Pure.
#pragma once

#include <filesystem>

namespace yume::permissions {

bool is_never_opened(const std::filesystem::path& path);

}  // namespace yume::permissions
