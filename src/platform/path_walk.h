// SPDX-License-Identifier: MIT
// How a path becomes a real one, one name after the other: what "..", links and missing names mean
// is the same on every system; what a name is, the system says. Private to src/platform.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "util/result.h"

namespace yume::platform {

// What is found under one name.
struct Hop {
  enum class Kind { entry, link, missing };
  Kind kind = Kind::entry;
  // Of an entry its name as the file system keeps it, of a link where it leads.
  std::filesystem::path path = {};
};

// Asked with the real path of the folder and the name in it.
using LookAt = std::function<Result<Hop>(const std::filesystem::path& folder,
                                         const std::filesystem::path& name)>;

struct Walked {
  // A missing name and what follows it are kept as they are. Too many links are an error.
  Result<std::filesystem::path> real;
  // Where each link led, the rest of the path included; also when the link dangles: a write through
  // it would land where it points.
  std::vector<std::filesystem::path> passed;
};

// `path` is absolute.
Walked walk_path(const std::filesystem::path& path, const LookAt& look_at);

// The path itself, where each link led, and the real path: every name that a rule may be about.
std::vector<std::filesystem::path> all_names(const std::filesystem::path& path, Walked walked);

}  // namespace yume::platform
