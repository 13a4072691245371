// SPDX-License-Identifier: MIT
// Finding a program that is to be trusted: never one that lies in a folder that is worked in, whose
// author would then decide what runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/environment.h"
#include "platform/file_system.h"

namespace yume::platform {

// Those of PATH that are absolute, in its order.
std::vector<std::filesystem::path> path_directories(const Environment& environment);

// `workspace`: real paths. True as well for what cannot be resolved.
bool lies_in_workspace(const std::filesystem::path& path,
                       const std::vector<std::filesystem::path>& workspace,
                       const FileSystem& files);

// The files of that name in the directories, outside the workspace, in order. Several, because one
// of them may not be executable.
std::vector<std::filesystem::path> programs_named(
    const std::string& name, const std::vector<std::filesystem::path>& directories,
    const std::vector<std::filesystem::path>& workspace, const FileSystem& files);

}  // namespace yume::platform
