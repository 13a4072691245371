// SPDX-License-Identifier: MIT
// Keeps what a host or a person grants or forbids beyond this session: in the settings of the user,
// of the folder, or of the folder on this machine. A folder that was trusted, or had nothing to be
// trusted with, stays trusted with what it grants now.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "core/permission.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "util/result.h"

namespace yume::app {

class KeptPermissions {
 public:
  // All outlive it. `cwd` is real.
  KeptPermissions(std::filesystem::path cwd, platform::FileSystem& files,
                  const platform::Environment& environment, const platform::Clock& clock)
      : cwd_(std::move(cwd)), files_(files), environment_(environment), clock_(clock) {}

  // Nothing to do for what holds in this session only.
  [[nodiscard]] Result<void> keep(const core::PermissionUpdate& update) const;

 private:
  [[nodiscard]] Result<void> write(const std::filesystem::path& file,
                                   const core::PermissionUpdate& update) const;
  // What the folder's files grant, and whether they may.
  struct Grants {
    std::string text;
    bool trusted = false;
  };
  [[nodiscard]] Result<Grants> grants() const;

  std::filesystem::path cwd_;
  platform::FileSystem& files_;
  const platform::Environment& environment_;
  const platform::Clock& clock_;
};

}  // namespace yume::app
