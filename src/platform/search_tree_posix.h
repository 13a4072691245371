// SPDX-License-Identifier: MIT
// The search tree on directory descriptors. Private to src/platform; not a seam.
#pragma once

#include <filesystem>
#include <memory>

#include "platform/search_tree.h"

namespace yume::platform {

Result<std::unique_ptr<SearchTree>> open_posix_tree(const std::filesystem::path& path);

}  // namespace yume::platform
