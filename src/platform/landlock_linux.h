// SPDX-License-Identifier: MIT
// Landlock, the kernel's own list of what a process and its descendants may do with files. It can
// only allow: a right that is given for a folder holds for everything in it. Private to
// src/platform.
#pragma once

#include <filesystem>

#include "platform/descriptor_posix.h"
#include "platform/sandbox.h"
#include "util/result.h"

namespace yume::platform {

// The version of Landlock that the kernel speaks; 0: none, or switched off.
int landlock_abi();

class LandlockRules {
 public:
  // Nothing is allowed at first. Also keeps signals and abstract sockets inside, where the kernel
  // can; TCP is out of reach when the network is denied (from ABI 4 on).
  static Result<LandlockRules> create(int abi, NetworkAccess network);

  // What does not exist is skipped, and so is what the kernel will not take: it stays forbidden.
  void allow_listing(const std::filesystem::path& folder);
  void allow_reading(const std::filesystem::path& path);  // and executing; listing is apart
  void allow_changing(const std::filesystem::path& path);
  void allow_device(const std::filesystem::path& path);

  [[nodiscard]] int fd() const { return rules_.get(); }

 private:
  LandlockRules(Descriptor rules, unsigned long long handled)
      : rules_(std::move(rules)), handled_(handled) {}
  void allow(const std::filesystem::path& path, unsigned long long rights);

  Descriptor rules_;
  unsigned long long handled_;
};

// Puts the calling process, which must have given up new privileges, behind the rules. 0 or errno.
// Async-signal-safe.
int enter_landlock(int rules_fd) noexcept;

}  // namespace yume::platform
