// SPDX-License-Identifier: MIT
// A directory tree opened for searching: every name is reached from the root's own handle, and a
// symbolic link below the root is never followed, so that exchanging a directory for a link during
// a search leads nowhere. Knows nothing of ignore rules or order. All of it may be used from
// several threads, but one TreeFile by one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "util/result.h"

namespace yume::platform {

struct DirectoryEntry;
struct FileInfo;

class TreeFile {
 public:
  virtual ~TreeFile() = default;
  // The next bytes, as many as are there up to the room; 0 at the end.
  virtual Result<std::size_t> read(std::span<char> room) = 0;
};

class TreeDirectory {
 public:
  virtual ~TreeDirectory() = default;
  // Everything but "." and "..", in no order. Call once.
  virtual Result<std::vector<DirectoryEntry>> list() = 0;
  // A regular file in this directory; anything else is an error and never blocks.
  virtual Result<std::unique_ptr<TreeFile>> open_file(const std::string& name) const = 0;
  // Of an entry; a symbolic link is described itself.
  virtual Result<FileInfo> info(const std::string& name) const = 0;
};

class SearchTree {
 public:
  virtual ~SearchTree() = default;
  // `relative` to the root, "" the root itself.
  virtual Result<std::unique_ptr<TreeDirectory>> open_directory(
      const std::string& relative) const = 0;
};

}  // namespace yume::platform
