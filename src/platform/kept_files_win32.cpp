// SPDX-License-Identifier: MIT
#include "platform/kept_files.h"

#include <algorithm>

#include "platform/directory_win32.h"
#include "platform/file_lock_win32.h"
#include "platform/file_status_win32.h"
#include "platform/private_access_win32.h"
#include "platform/replace_win32.h"
#include "platform/system_path_win32.h"
#include "platform/temporary_file_win32.h"
#include "util/uuid.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

// A wait for a lock could not be bounded, so a busy one is asked for again.
constexpr std::chrono::milliseconds k_lock_pause{5};
constexpr DWORD k_everybody = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

class WindowsFileLock final : public FileLock {
 public:
  explicit WindowsFileLock(Handle file) : file_(std::move(file)) {}

 private:
  Handle file_;  // closing it frees the lock
};

class WindowsReplacement final : public PrivateReplacement {
 public:
  WindowsReplacement(fs::path path, TemporaryFile fresh)
      : path_(std::move(path)), fresh_(std::move(fresh)) {}

  Result<void> write(std::string_view piece) override {
    return write_handle(fresh_.file(), piece, cannot("write", path_));
  }

  Result<void> finish(Durability durability) override {
    if (durability == Durability::survives_power_cut &&
        ::FlushFileBuffers(fresh_.file().get()) == 0) {
      return error_from_windows(cannot("save", path_), ::GetLastError());
    }
    const DWORD reason = fresh_.rename_to(path_);
    if (reason == ERROR_SUCCESS) return {};
    return error_from_windows(cannot("write", path_), reason);
  }

 private:
  fs::path path_;
  TemporaryFile fresh_;
};

}  // namespace

Result<std::unique_ptr<FileLock>> lock_file(const fs::path& path,
                                            std::chrono::milliseconds patience,
                                            const Clock& clock) {
  PrivateAccess only_us;
  Handle file(::CreateFileW(system_path(path).c_str(), GENERIC_READ | GENERIC_WRITE, k_everybody,
                            only_us.attributes(), OPEN_ALWAYS,
                            FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  if (!file.is_open()) return error_from_windows(cannot("lock", path), ::GetLastError());
  const SteadyTime give_up = clock.steady_now() + patience;
  for (;;) {
    const DWORD reason = try_lock(file, LockKind::exclusive);
    if (reason == ERROR_SUCCESS) break;
    if (reason != ERROR_LOCK_VIOLATION) return error_from_windows(cannot("lock", path), reason);
    if (clock.steady_now() >= give_up) {
      return Error{.code = ErrorCode::busy,
                   .message = cannot("lock", path) + ": another process does not let go of it"};
    }
    clock.sleep_for(k_lock_pause, {});
  }
  return std::unique_ptr<FileLock>(std::make_unique<WindowsFileLock>(std::move(file)));
}

bool is_locked(const fs::path& path) {
  const Handle file = open_shared(path, GENERIC_READ, Links::followed);
  return file.is_open() && try_lock(file, LockKind::shared) == ERROR_LOCK_VIOLATION;
}

std::optional<std::int64_t> lock_holder(const fs::path& path) {
  if (!check_path("read", path).ok()) return std::nullopt;
  const auto file = status_of("read", path, Links::followed);
  return file.ok() ? number_left(*file) : std::nullopt;
}

Result<std::string> read_part(const fs::path& path, std::uint64_t from, std::size_t max_bytes) {
  const std::string what = cannot("read", path);
  const Handle file = open_shared(path, FILE_READ_DATA | FILE_READ_ATTRIBUTES, Links::followed);
  YUME_TRY(const FileStatus status, status_of_open(file, what));
  if (status.info.kind != FileKind::regular) {
    return Error{.code = ErrorCode::invalid_argument, .message = what + ": not a regular file"};
  }
  const std::uint64_t left = status.info.size > from ? status.info.size - from : 0;
  std::string part(static_cast<std::size_t>(std::min<std::uint64_t>(left, max_bytes)), '\0');
  YUME_TRY(const std::size_t got, read_handle_at(file, from, part, what));
  part.resize(got);
  return part;
}

// Conversations are nobody else's business.
Result<void> make_private_directories(const fs::path& path) {
  PrivateAccess only_us;
  return make_directories(path, only_us.attributes());
}

Result<std::unique_ptr<PrivateReplacement>> begin_replacing(const fs::path& path) {
  PrivateAccess only_us;
  auto fresh = TemporaryFile::create(path.parent_path(), only_us.attributes(), path);
  if (!fresh) return fresh.error();
  return std::unique_ptr<PrivateReplacement>(
      std::make_unique<WindowsReplacement>(path, std::move(fresh).value()));
}

Result<void> replace_private(const fs::path& path, std::string_view bytes, Durability durability) {
  YUME_TRY(const auto replacement, begin_replacing(path));
  if (auto written = replacement->write(bytes); !written) return written;
  return replacement->finish(durability);
}

Result<void> rename_file(const fs::path& from, const fs::path& to) {
  const Handle file = open_shared(from, DELETE | FILE_READ_ATTRIBUTES, Links::not_followed);
  DWORD reason = file.is_open() ? ERROR_SUCCESS : ::GetLastError();
  if (reason == ERROR_SUCCESS) reason = rename_over(file, to);
  if (reason == ERROR_SUCCESS) return {};
  return error_from_windows(cannot("rename", from), reason);
}

Result<void> remove_tree(const fs::path& path) {
  return remove_everything(path);
}

}  // namespace yume::platform
