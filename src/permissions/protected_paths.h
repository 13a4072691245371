// SPDX-License-Identifier: MIT
// Files whose change can run code later or lift a limit: version control, shell start-up,
// credentials, editors, build tools, agents' instructions and settings. All by name, whether or not
// the file exists, so that creating one is judged like changing it. Pure.
#pragma once

#include <filesystem>

namespace yume::permissions {

// Component-wise: /w/app-secret is not inside /w/app.
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& root);

// Names are compared as fold_name() makes them.
bool is_protected(const std::filesystem::path& path);

}  // namespace yume::permissions
