// SPDX-License-Identifier: MIT
// What the keepers of sessions need beside FileSystem: locks between processes, parts of files,
// private replacing and removing. Always the real disk. Every error names the path. Thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "platform/clock.h"
#include "util/result.h"

namespace yume::platform {

// Held until destroyed; the system frees it when the process dies.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

// Makes the file if need be. Waits at most `patience` for others to let go of it; then error busy.
Result<std::unique_ptr<FileLock>> lock_file(const std::filesystem::path& path,
                                            std::chrono::milliseconds patience, const Clock& clock);

// Whether some process holds the lock of an AppendFile; false when the file is not there.
bool is_locked(const std::filesystem::path& path);
// Which process that is; nullopt: none, or the system does not say.
std::optional<std::int64_t> lock_holder(const std::filesystem::path& path);

// At most `max_bytes` from byte `from` on; less at the end of the file. Regular files only.
Result<std::string> read_part(const std::filesystem::path& path, std::uint64_t from,
                              std::size_t max_bytes);

// Missing parents too, for this user only.
Result<void> make_private_directories(const std::filesystem::path& path);

enum class Durability {
  survives_kill,       // of processes: readers see the old or the new bytes
  survives_power_cut,  // also waits for the disk
};
// A file that comes in pieces and then takes another's place. Until then readers see the old bytes;
// destroyed before that, it leaves nothing. One thread.
class PrivateReplacement {
 public:
  virtual ~PrivateReplacement() = default;
  virtual Result<void> write(std::string_view piece) = 0;
  // Once, after the last piece. After an error the old bytes are still there.
  virtual Result<void> finish(Durability durability) = 0;
};
// For this user only. The directory must exist.
Result<std::unique_ptr<PrivateReplacement>> begin_replacing(const std::filesystem::path& path);
// The same with all bytes at once: old or new ones, never a mixture.
Result<void> replace_private(const std::filesystem::path& path, std::string_view bytes,
                             Durability durability);

Result<void> rename_file(const std::filesystem::path& from, const std::filesystem::path& to);
// A file, or a directory with everything in it; links are not followed. What is not there is fine.
Result<void> remove_tree(const std::filesystem::path& path);

}  // namespace yume::platform
