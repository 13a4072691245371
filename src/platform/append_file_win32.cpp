// SPDX-License-Identifier: MIT
#include "platform/append_file.h"

#include <algorithm>
#include <string>

#include "platform/clock.h"
#include "platform/file_lock_win32.h"
#include "platform/file_status_win32.h"
#include "platform/kept_files.h"
#include "platform/private_access_win32.h"
#include "platform/system_path_win32.h"
#include "util/path_text.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

// A line longer than this was never ours; looking for its beginning could take minutes.
constexpr std::uint64_t k_longest_tail = 256U << 20U;
constexpr std::size_t k_block = 64U << 10U;
constexpr std::chrono::milliseconds k_glance{1'000};

class WindowsAppendFile final : public AppendFile {
 public:
  WindowsAppendFile(fs::path path, Handle file) : path_(std::move(path)), file_(std::move(file)) {}

  Result<void> repair(const std::function<Tail(std::string_view)>& classify_tail);
  using AppendFile::append;
  Result<void> append(std::span<const std::string_view> pieces) override;
  Result<void> sync() override;
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  Result<std::string> read_part(std::uint64_t from, std::uint64_t to) const;
  Result<std::string> read_tail(std::uint64_t end) const;
  Result<void> cut_back();

  fs::path path_;
  Handle file_;
  std::uint64_t size_ = 0;  // of whole lines
  bool overhang_ = false;   // something of a failed write may lie behind them
};

Result<std::string> WindowsAppendFile::read_part(std::uint64_t from, std::uint64_t to) const {
  std::string part(static_cast<std::size_t>(to - from), '\0');
  YUME_TRY(const std::size_t got, read_handle_at(file_, from, part, cannot("read", path_)));
  if (got < part.size()) return error_from_windows(cannot("read", path_), ERROR_HANDLE_EOF);
  return part;
}

// What follows the last newline, which is looked for backwards block by block.
Result<std::string> WindowsAppendFile::read_tail(std::uint64_t end) const {
  for (std::uint64_t at = end; at > 0 && end - at <= k_longest_tail;) {
    const std::uint64_t from = at - std::min<std::uint64_t>(at, k_block);
    YUME_TRY(const std::string block, read_part(from, at));
    const std::size_t newline = block.rfind('\n');
    if (newline != std::string::npos) return read_part(from + newline + 1, end);
    at = from;
  }
  if (end <= k_longest_tail) return read_part(0, end);
  return Error{.code = ErrorCode::too_large,
               .message = cannot("use", path_) + ": its last line is longer than 256 MB"};
}

Result<void> WindowsAppendFile::repair(const std::function<Tail(std::string_view)>& classify_tail) {
  YUME_TRY(const FileStatus status, status_of_open(file_, cannot("read", path_)));
  size_ = status.info.size;
  YUME_TRY(const std::string tail, read_tail(size_));
  if (tail.empty()) return {};
  if (classify_tail(tail) == Tail::whole) return append("\n");
  size_ -= tail.size();
  overhang_ = true;
  return cut_back();
}

Result<void> WindowsAppendFile::cut_back() {
  if (!overhang_) return {};
  LARGE_INTEGER end{};
  end.QuadPart = static_cast<LONGLONG>(size_);
  if (::SetFilePointerEx(file_.get(), end, nullptr, FILE_BEGIN) == 0 ||
      ::SetEndOfFile(file_.get()) == 0) {
    return error_from_windows(cannot("write", path_), ::GetLastError());
  }
  overhang_ = false;
  return {};
}

Result<void> WindowsAppendFile::append(std::span<const std::string_view> pieces) {
  std::size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  if (pieces.size() > 1 && size <= k_block) {  // one call for what is short
    std::string joined;
    joined.reserve(size);
    for (const std::string_view piece : pieces) joined += piece;
    return append(std::string_view(joined));
  }
  if (const auto clean = cut_back(); !clean) return clean.error();
  std::uint64_t end = size_;
  for (const std::string_view piece : pieces) {
    if (const auto written = write_handle_at(file_, end, piece, cannot("write", path_)); !written) {
      overhang_ = true;
      (void)cut_back();
      return written.error();
    }
    end += piece.size();
  }
  size_ = end;
  return {};
}

Result<void> WindowsAppendFile::sync() {
  if (::FlushFileBuffers(file_.get()) != 0) return {};
  return error_from_windows(cannot("save", path_), ::GetLastError());
}

// `patience`: who asks whether a file is locked holds it for a moment.
DWORD take_lock(const Handle& file, std::chrono::milliseconds patience) {
  const SystemClock clock;
  const SteadyTime give_up = clock.steady_now() + patience;
  for (;;) {
    const DWORD reason = try_lock(file, LockKind::exclusive);
    if (reason != ERROR_LOCK_VIOLATION || clock.steady_now() >= give_up) return reason;
    clock.sleep_for(std::chrono::milliseconds(1), {});
  }
}

Result<Handle> open_locked(const AppendFileSpec& spec) {
  const bool creating = spec.purpose == OpenFor::creating;
  const std::string what = cannot("open", spec.path);
  if (const auto checked = check_path("open", spec.path); !checked) return checked.error();
  PrivateAccess only_us;
  Handle file(::CreateFileW(system_path(spec.path).c_str(), GENERIC_READ | GENERIC_WRITE,
                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                            creating ? only_us.attributes() : nullptr,
                            creating ? CREATE_NEW : OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!file.is_open()) {
    const DWORD reason = ::GetLastError();
    Error error = error_from_windows(what, reason);
    if (creating && reason == ERROR_FILE_EXISTS) error.code = ErrorCode::invalid_argument;
    return error;
  }
  YUME_TRY(const FileStatus status, status_of_open(file, what));
  if (status.info.kind != FileKind::regular) {
    return Error{.code = ErrorCode::invalid_argument, .message = what + ": not a regular file"};
  }
  const DWORD reason = take_lock(file, creating ? k_glance : std::chrono::milliseconds(0));
  if (reason == ERROR_LOCK_VIOLATION) {
    return Error{.code = ErrorCode::busy,
                 .message = to_utf8(spec.path) + " is open in another process"};
  }
  if (reason != ERROR_SUCCESS) return error_from_windows(cannot("lock", spec.path), reason);
  const auto named = status_of("open", spec.path, Links::followed);
  if (named.ok() && named->info.inode == status.info.inode && named->volume == status.volume)
    return file;
  return Error{.code = ErrorCode::busy,
               .message = to_utf8(spec.path) + " is being replaced by another process"};
}

}  // namespace

Result<std::unique_ptr<AppendFile>> open_append_file(const AppendFileSpec& spec) {
  if (spec.purpose == OpenFor::creating) {
    if (const auto made = make_private_directories(spec.path.parent_path()); !made)
      return made.error();
  }
  YUME_TRY(Handle opened, open_locked(spec));
  auto file = std::make_unique<WindowsAppendFile>(spec.path, std::move(opened));
  if (const auto repaired = file->repair(spec.classify_tail); !repaired) return repaired.error();
  return std::unique_ptr<AppendFile>(std::move(file));
}

}  // namespace yume::platform
