// SPDX-License-Identifier: MIT
// Reading files that people and projects leave for the model, before anybody is asked:
// instructions, commands, skills. Nothing that another user could have put there, and nothing that
// a link fetches from elsewhere.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "platform/file_system.h"
#include "util/result.h"

namespace yume::config {

struct FileGuard {
  // Real: the file must lie in it. Empty: anywhere, as links of the user's own may lead.
  std::filesystem::path tree = {};
  // Closed or denied by this name; absent: nothing is.
  std::function<bool(const std::filesystem::path& name)> hides = {};
};

// Why a file is not read.
struct Unreadable {
  enum class Why {
    absent,   // or no file
    hidden,   // closed, or reading it is denied: the user knows
    suspect,  // a link that leads elsewhere, or somebody else's file
  };
  Why why = Why::absent;
  std::string reason = {};  // completes "was left out: "
};

struct GuardedFile {
  std::filesystem::path real = {};
  std::unique_ptr<platform::OpenFile> file = nullptr;  // null: it may not be read
  Unreadable refusal = {};
};

// Opens the file if
//   - its real path lies in the tree, and is a regular file;
//   - it belongs to this user or to root;
//   - its folder belongs to them, too, or cannot be written by others; in a folder of root that
//     others can write (/tmp) it must have no second name, which anybody could have given it;
//   - none of its names is hidden.
// What was checked is what is read.
GuardedFile open_guarded(const std::filesystem::path& path, const FileGuard& guard,
                         const platform::FileSystem& files);

// Up to `limit` bytes and one more.
Result<std::string> read_beginning(platform::OpenFile& file, std::size_t limit);

// The whole file; nothing when it may not be read or is longer.
std::optional<std::string> read_guarded(const std::filesystem::path& path, const FileGuard& guard,
                                        std::size_t limit, const platform::FileSystem& files);

}  // namespace yume::config
