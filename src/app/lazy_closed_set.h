// SPDX-License-Identifier: MIT
// The closed places, built when something first needs them: finding where they really are takes
// longer than all else at the start. The policy and the wall around commands share one.
// Thread-safe.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>

#include "permissions/closed_set.h"
#include "permissions/policy.h"
#include "platform/environment.h"
#include "platform/file_system.h"

namespace yume::app {

class LazyClosedSet {
 public:
  // Both outlive it.
  LazyClosedSet(const platform::FileSystem& files, const platform::Environment& environment)
      : files_(files), environment_(environment) {}

  [[nodiscard]] const permissions::ClosedSet& get();
  // By its name, or by a pattern of the shell.
  [[nodiscard]] permissions::Closed covers(const std::filesystem::path& path);
  // Whether a closed file is there, somewhere in the folder.
  [[nodiscard]] bool is_inside(const std::filesystem::path& folder);

 private:
  const platform::FileSystem& files_;
  const platform::Environment& environment_;
  std::mutex mutex_;
  std::optional<permissions::ClosedSet> closed_;  // never changes once it is there
};

}  // namespace yume::app
