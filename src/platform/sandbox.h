// SPDX-License-Identifier: MIT
// A wall of the operating system around a command and all that it starts: what it can change, what
// it cannot even read, and whether it has a network. Here are the description, which commands take
// along (ProcessSpec, DuplexSpec), and what this system can do of it. Linux and macOS;
// docs/sandbox.md says what stays open.
#pragma once

#include <filesystem>
#include <vector>

#include "platform/environment.h"

namespace yume::platform {

enum class NetworkAccess { allowed, denied };

// How much of what the system offers is used.
enum class SandboxMeans {
  best,
  no_mounts,  // as on a system where a process cannot have mounts of its own
};

// Absolute paths, of files and of folders with all that is in them. What does not exist is skipped
// (on macOS it is closed or read-only as soon as it exists).
// Where two contain each other the inner one counts, except that nothing opens a closed one.
struct Sandbox {
  // What may be changed; everything else stays as it is.
  std::vector<std::filesystem::path> writable = {};
  // Inside these, what must stay as it is; kept only where keeps_all_places().
  std::vector<std::filesystem::path> read_only = {};
  // Neither read nor changed; without private mounts the names in closed folders can be listed.
  std::vector<std::filesystem::path> closed = {};
  // Sockets of programs that would act outside the wall, and folders with such; kept only where
  // keeps_all_places(), and not where something writable lies inside.
  std::vector<std::filesystem::path> closed_sockets = {};
  // Writable too, for temporary files: made, for this user alone, when it is missing, and its
  // parent with it. What else is in the parent belongs to the wall.
  std::filesystem::path temporary;
  NetworkAccess network = NetworkAccess::allowed;
  SandboxMeans means = SandboxMeans::best;
};

struct SandboxSupport {
  int landlock_abi = 0;         // 0: no wall on Linux
  bool private_mounts = false;  // a command can see a file system of its own
  bool network_filter = false;  // every kind of network can be denied; else TCP, from ABI 4 on
  bool profiles = false;        // macOS: a command can have a profile, which does all of this

  [[nodiscard]] bool is_there() const { return landlock_abi > 0 || profiles; }
  [[nodiscard]] bool keeps_all_places() const { return private_mounts || profiles; }
};

// Whether a command with a sandbox can be started at all. Cheap; on macOS a program is started the
// first time.
bool has_sandbox();

// Tries it out in a child process.
SandboxSupport sandbox_support();

// Where the temporary folders of this user's sandboxes go: below $TMPDIR or the system's own.
std::filesystem::path sandbox_folder(const Environment& environment);

}  // namespace yume::platform
