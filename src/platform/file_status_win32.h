// SPDX-License-Identifier: MIT
// What the system says about a file, as the seams speak of it. Private to src/platform; not a seam.
#pragma once

#include <filesystem>

#include "platform/file_system.h"
#include "platform/handle_win32.h"

namespace yume::platform {

// A file's identity besides what FileInfo says.
struct FileStatus {
  FileInfo info;
  DWORD attributes = 0;
  DWORD volume = 0;
};

// Of an open file or directory. Error without the object's name in front.
Result<FileStatus> status_of_open(const Handle& file, std::string_view what);

enum class Links { followed, not_followed };
// Error not_found when nothing is there. `path` has passed check_path().
Result<FileStatus> status_of(std::string_view verb, const std::filesystem::path& path, Links links);

// A file for reading that others may meanwhile read, write, rename and remove. Closed, with
// GetLastError(), on failure. Never waits: pipes and devices have no such paths.
Handle open_shared(const std::filesystem::path& path, DWORD access, Links links);

FileKind kind_of_attributes(DWORD attributes, DWORD reparse_tag);

// Bytes at `offset`, fewer only at the end. The handle's own position is left anywhere.
Result<std::size_t> read_handle_at(const Handle& file, std::uint64_t offset, std::span<char> into,
                                   std::string_view what);
// All of it at `offset`.
Result<void> write_handle_at(const Handle& file, std::uint64_t offset, std::string_view bytes,
                             std::string_view what);
// All of it at the handle's position.
Result<void> write_handle(const Handle& file, std::string_view bytes, std::string_view what);

}  // namespace yume::platform
