// SPDX-License-Identifier: MIT
// From the description of a sandbox to what the system is told: pure, but for the listing of
// folders, which is passed in. Private to src/platform.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "platform/sandbox.h"

namespace yume::platform {

// A sandbox's paths as they are: real, existing, sorted, each once. Nothing writable or read-only
// lies inside a closed place, and nothing is both.
struct SandboxPlaces {
  std::vector<std::filesystem::path> writable = {};
  std::vector<std::filesystem::path> read_only = {};
  std::vector<std::filesystem::path> closed = {};
  std::vector<std::filesystem::path> closed_sockets = {};

  friend bool operator==(const SandboxPlaces&, const SandboxPlaces&) = default;
};

// The real path; empty: there is nothing.
using RealPath = std::function<std::filesystem::path(const std::filesystem::path&)>;

// A writable place that is a link out of another one is left out.
SandboxPlaces real_places(const Sandbox& sandbox, const RealPath& real_path);

// A folder's entries but for symbolic links, as whole paths; empty when it cannot be listed.
using ListFolder = std::function<std::vector<std::filesystem::path>(const std::filesystem::path&)>;

// The largest trees below `top` (or `top` itself) that contain none of `without`: for a system that
// can only allow whole trees, and takes nothing back.
std::vector<std::filesystem::path> trees_without(const std::filesystem::path& top,
                                                 const std::vector<std::filesystem::path>& without,
                                                 const ListFolder& list);

// What may be changed on such a system. A writable folder in which something is closed is taken
// apart: nothing new can be made in it itself.
std::vector<std::filesystem::path> changeable_trees(const SandboxPlaces& places,
                                                    const ListFolder& list);

enum class MountKind {
  pinned,     // as it was; nobody can put something else in its place
  writable,   // as it was, in a tree that has become read-only
  read_only,  // in a tree that is writable
  closed,     // something empty in its place
};

struct MountStep {
  MountKind kind;
  std::filesystem::path path;

  friend bool operator==(const MountStep&, const MountStep&) = default;
};

// What is mounted over a file system that has been made read-only as a whole; outer before inner.
std::vector<MountStep> plan_mounts(const SandboxPlaces& places);

}  // namespace yume::platform
