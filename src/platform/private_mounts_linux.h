// SPDX-License-Identifier: MIT
// A view of the file system for one command: read-only as a whole, with what it may change mounted
// over it as it was, and something empty over what is closed to it. Needs root, or a kernel that
// gives every user a namespace. Private to src/platform.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/sandbox_places.h"

namespace yume::platform {

// What is put in place of something closed.
struct Covers {
  std::filesystem::path folder;
  std::filesystem::path file;
};

class PrivateMounts {
 public:
  PrivateMounts(const std::vector<MountStep>& steps, const Covers& covers);

  // In a process of one thread, forked for this: leaves it in a namespace of its own. 0 or errno.
  // Async-signal-safe.
  int enter() noexcept;

 private:
  struct Step {
    MountKind kind;
    std::string path;
    bool is_folder;
    int tree = -1;  // of a writable one, once it is open
  };
  enum class User { root, other };

  int enter_namespace() noexcept;
  int take_steps() noexcept;
  int take(const Step& step) const noexcept;

  User user_;
  std::string user_map_;
  std::string group_map_;
  std::string folder_cover_;
  std::string file_cover_;
  std::vector<Step> steps_;
  bool keeps_root_ = false;  // the whole file system may be changed
};

// Whether this process could have mounts of its own. Tries it in a child.
bool can_have_private_mounts();

}  // namespace yume::platform
