// SPDX-License-Identifier: MIT
// A file that is only ever added to, by one process at a time: what a session is kept in. A single
// write is not safe against kill -9 (its end may be missing afterwards), so opening cuts back to
// the last whole line, and a line counts as written only when append() has returned. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "util/result.h"

namespace yume::platform {

class AppendFile {
 public:
  virtual ~AppendFile() = default;

  // All of it, or nothing: what a failing write left behind is cut off again, now or with the next
  // append. `pieces` follow each other, and the last ends with a newline.
  virtual Result<void> append(std::span<const std::string_view> pieces) = 0;
  Result<void> append(std::string_view bytes) { return append(std::span(&bytes, 1)); }
  // Returns when everything so far would survive a power cut.
  virtual Result<void> sync() = 0;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
};

enum class OpenFor { creating, appending };  // creating: must not exist; appending: must exist

enum class Tail {
  whole,  // a line that only lacks its newline, which is added
  torn,   // cut off
};

struct AppendFileSpec {
  std::filesystem::path path;
  OpenFor purpose = OpenFor::appending;
  // Asked about bytes after the last newline. May keep them elsewhere: they are still in the file.
  std::function<Tail(std::string_view bytes)> classify_tail;
};

// Locked until destroyed; the system frees it when the process dies. Missing directories are made,
// for this user only. Error busy names the process that holds it; invalid_argument when the file
// exists but must not; not_found when it must and does not.
Result<std::unique_ptr<AppendFile>> open_append_file(const AppendFileSpec& spec);

}  // namespace yume::platform
