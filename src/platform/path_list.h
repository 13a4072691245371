// SPDX-License-Identifier: MIT
// How this system writes a list of folders in a variable, and how it calls the file of a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yume::platform {

char path_separator();  // between the folders of PATH

// The names under which a program may lie in a folder, the one that counts first: "gcloud" alone,
// or with the endings that this system runs.
std::vector<std::string> program_file_names(std::string_view name);

}  // namespace yume::platform
