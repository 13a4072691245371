// SPDX-License-Identifier: MIT
#include "platform/locked_file.h"

#include <string>

#include "platform/clock.h"
#include "platform/file_lock_win32.h"
#include "platform/file_status_win32.h"
#include "platform/private_access_win32.h"
#include "platform/system_path_win32.h"
#include "util/path_text.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds k_glance{1'000};

class WindowsLockedFile final : public LockedFile {
 public:
  WindowsLockedFile(fs::path path, Handle file, Handle note)
      : path_(std::move(path)), file_(std::move(file)), note_(std::move(note)) {}

  [[nodiscard]] Result<std::uint64_t> size() const override;
  [[nodiscard]] Result<std::string> read(std::uint64_t from, std::uint64_t to) const override;
  Result<void> write(std::uint64_t at, std::string_view bytes) override;
  Result<void> cut(std::uint64_t size) override;
  Result<void> sync() override;

 private:
  fs::path path_;
  Handle file_;
  Handle note_;
};

Result<std::uint64_t> WindowsLockedFile::size() const {
  YUME_TRY(const FileStatus status, status_of_open(file_, cannot("read", path_)));
  return status.info.size;
}

Result<std::string> WindowsLockedFile::read(std::uint64_t from, std::uint64_t to) const {
  std::string part(static_cast<std::size_t>(to - from), '\0');
  YUME_TRY(const std::size_t got, read_handle_at(file_, from, part, cannot("read", path_)));
  if (got < part.size()) return error_from_windows(cannot("read", path_), ERROR_HANDLE_EOF);
  return part;
}

Result<void> WindowsLockedFile::write(std::uint64_t at, std::string_view bytes) {
  return write_handle_at(file_, at, bytes, cannot("write", path_));
}

Result<void> WindowsLockedFile::cut(std::uint64_t size) {
  LARGE_INTEGER end{};
  end.QuadPart = static_cast<LONGLONG>(size);
  if (::SetFilePointerEx(file_.get(), end, nullptr, FILE_BEGIN) != 0 &&
      ::SetEndOfFile(file_.get()) != 0) {
    return {};
  }
  return error_from_windows(cannot("write", path_), ::GetLastError());
}

Result<void> WindowsLockedFile::sync() {
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

}  // namespace

Result<std::unique_ptr<LockedFile>> open_locked_file(const fs::path& path, OpenFor purpose) {
  const bool creating = purpose == OpenFor::creating;
  const std::string what = cannot("open", path);
  if (const auto checked = check_path("open", path); !checked) return checked.error();
  PrivateAccess only_us;
  Handle file(::CreateFileW(system_path(path).c_str(), GENERIC_READ | GENERIC_WRITE,
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
    const auto holder = number_left(status);
    return Error{.code = ErrorCode::busy,
                 .message = to_utf8(path) + " is open in " +
                            (holder ? "process " + std::to_string(*holder) : "another process")};
  }
  if (reason != ERROR_SUCCESS) return error_from_windows(cannot("lock", path), reason);
  const auto named = status_of("open", path, Links::followed);
  const bool same =
      named.ok() && named->info.inode == status.info.inode && named->volume == status.volume;
  if (!same) {
    return Error{.code = ErrorCode::busy,
                 .message = to_utf8(path) + " is being replaced by another process"};
  }
  return std::unique_ptr<LockedFile>(
      std::make_unique<WindowsLockedFile>(path, std::move(file), leave_number(status)));
}

}  // namespace yume::platform
