// SPDX-License-Identifier: MIT
// Who started this process, as far as the system says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace yume::platform {

struct ParentProcess {
  std::int64_t pid = 0;
  // When it began, in the system's own counting: the same number may be another process's later.
  std::uint64_t start_time = 0;

  friend bool operator==(const ParentProcess&, const ParentProcess&) = default;
};

std::int64_t own_process();

// nullopt when there is none any more, or the system does not say.
std::optional<ParentProcess> parent_process();
// Of another process of this user.
std::optional<ParentProcess> parent_of(std::int64_t pid);

// The names of the programs that started us, without their folders: our parent's, then its
// parent's; fewer where the system does not say. Takes microseconds.
std::vector<std::string> ancestor_programs();

}  // namespace yume::platform
