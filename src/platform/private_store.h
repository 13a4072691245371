// SPDX-License-Identifier: MIT
// Small files for this user's eyes alone that the processes of one login share: a directory of mode
// 0700 in the user's runtime directory, files of mode 0600. What belongs to somebody else, or could
// be read by others, is neither used nor repaired. Thread-safe.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/environment.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::platform {

// Held until destroyed; the system frees it when the process dies.
class StoreLock {
 public:
  virtual ~StoreLock() = default;
};

// Names are plain file names. Every error names the path.
class PrivateStore {
 public:
  virtual ~PrivateStore() = default;

  // nullopt when nothing is there. Readers need no lock: they see the old or the new bytes.
  virtual Result<std::optional<std::string>> read(const std::string& name) const = 0;
  // Hold lock(name) meanwhile: two writers share a temporary file.
  virtual Result<void> write(const std::string& name, std::string_view bytes) = 0;
  virtual Result<void> remove(const std::string& name) = 0;
  // Blocks until no other process or thread holds it. Error with code cancelled when cancelled.
  virtual Result<std::unique_ptr<StoreLock>> lock(const std::string& name,
                                                  const CancelToken& cancel) = 0;
};

// $XDG_RUNTIME_DIR/yume-cli, then /tmp/yume-cli-<uid>.
std::vector<std::filesystem::path> private_directories(const Environment& environment);

// Uses the first directory that exists or can be made, and is safe. Touches nothing until used.
std::unique_ptr<PrivateStore> make_private_store(std::vector<std::filesystem::path> directories);

}  // namespace yume::platform
