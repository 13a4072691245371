// SPDX-License-Identifier: MIT
// Files and folders for this user's eyes alone: what mode 0600 and 0700 are elsewhere. Private to
// src/platform; not a seam.
#pragma once

#include <filesystem>
#include <memory>

#include "platform/handle_win32.h"
#include "util/result.h"

namespace yume::platform {

// What CreateFileW and CreateDirectoryW are given: an access list with this user alone on it, which
// takes nothing over from the folder above. Null members where the system has no memory for it.
class PrivateAccess {
 public:
  PrivateAccess();
  ~PrivateAccess();
  PrivateAccess(const PrivateAccess&) = delete;
  PrivateAccess& operator=(const PrivateAccess&) = delete;

  [[nodiscard]] SECURITY_ATTRIBUTES* attributes() { return &attributes_; }
  // Gives the list to what exists already.
  [[nodiscard]] Result<void> apply_to(const std::filesystem::path& path) const;

 private:
  SECURITY_ATTRIBUTES attributes_{};
};

// Whose an open file is, and who may write to it or read it besides its owner, the system and its
// administrators, who may everything anyway.
struct Access {
  bool is_self = false;    // this user, or its administrators where this user is one
  bool is_system = false;  // the system or its administrators
  bool others_may_read = true;
  bool others_may_write = true;
};
Result<Access> access_of(const Handle& file, std::string_view what);

// permission_denied when it belongs to somebody else or others have access to it.
Result<void> check_private(const Handle& file, const std::filesystem::path& path);

}  // namespace yume::platform
