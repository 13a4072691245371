// SPDX-License-Identifier: MIT
#include "tools/shell.h"

#include <algorithm>

namespace yume::tools {
namespace {

namespace fs = std::filesystem;

bool is_directory(const fs::path& path, const platform::FileSystem& files) {
  const auto info = files.info(path);
  return info.ok() && info->kind == platform::FileKind::directory;
}

bool is_inside(const fs::path& path, const fs::path& root) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

}  // namespace

const CommandWall* Shell::wall_for(const std::string& command, const fs::path& cwd,
                                   core::EventSink* events) {
  if (!settings_.make_wall) return nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (!wall_) {
      wall_ = settings_.make_wall();
      for (const std::string& notice : wall_->notices) {
        if (events != nullptr) events->post(core::Notice{notice});
      }
    }
  }
  if (settings_.leaves_wall && settings_.leaves_wall(command, cwd)) return nullptr;
  return wall();
}

const CommandWall* Shell::wall() const {
  const std::lock_guard lock(mutex_);
  return wall_ && wall_->wall ? &*wall_->wall : nullptr;
}

fs::path Shell::cwd(const fs::path& home, const platform::FileSystem& files) const {
  const std::lock_guard lock(mutex_);
  return !cwd_.empty() && is_directory(cwd_, files) ? cwd_ : home;
}

fs::path Shell::moved_to() const {
  const std::lock_guard lock(mutex_);
  return cwd_;
}

bool Shell::move_to(const fs::path& now, const fs::path& home, const platform::FileSystem& files) {
  const std::lock_guard lock(mutex_);
  if (now.empty()) {
    if (cwd_.empty() || is_directory(cwd_, files)) return true;
    cwd_.clear();
    return false;
  }
  const bool allowed =
      now == home || std::any_of(settings_.roots.begin(), settings_.roots.end(),
                                 [&now](const fs::path& root) { return is_inside(now, root); });
  cwd_ = allowed && now != home ? now : fs::path();
  return allowed;
}

}  // namespace yume::tools
