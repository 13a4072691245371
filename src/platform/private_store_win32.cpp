// SPDX-License-Identifier: MIT
#include "platform/private_store.h"

#include <chrono>
#include <utility>

#include "platform/clock.h"
#include "platform/directory_win32.h"
#include "platform/file_lock_win32.h"
#include "platform/file_status_win32.h"
#include "platform/private_access_win32.h"
#include "platform/replace_win32.h"
#include "platform/system_path_win32.h"
#include "util/path_text.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t k_largest_file = 64U * 1024U;
// A wait for a lock could not be cancelled, so a busy one is asked for again.
constexpr std::chrono::milliseconds k_lock_pause{10};
constexpr DWORD k_everybody = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

class HeldLock final : public StoreLock {
 public:
  explicit HeldLock(Handle file) : file_(std::move(file)) {}

 private:
  Handle file_;  // closing it frees the lock
};

// A folder whose handle keeps others from exchanging it while it is used.
struct Directory {
  fs::path path;
  Handle handle;
};

Result<Directory> open_directory(const fs::path& path) {
  PrivateAccess only_us;
  if (const auto made = make_directories(path.parent_path(), nullptr); !made) return made.error();
  if (::CreateDirectoryW(system_path(path).c_str(), only_us.attributes()) == 0 &&
      ::GetLastError() != ERROR_ALREADY_EXISTS) {
    return error_from_windows(cannot("make", path), ::GetLastError());
  }
  Handle handle(::CreateFileW(system_path(path).c_str(), READ_CONTROL | FILE_READ_ATTRIBUTES,
                              FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING,
                              FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  YUME_TRY(const FileStatus status, status_of_open(handle, cannot("use", path)));
  if (status.info.kind != FileKind::directory) {
    return error_from_windows(cannot("use", path), ERROR_DIRECTORY);
  }
  if (const auto safe = check_private(handle, path); !safe) return safe.error();
  return Directory{path, std::move(handle)};
}

class WindowsPrivateStore final : public PrivateStore {
 public:
  explicit WindowsPrivateStore(std::vector<fs::path> directories)
      : directories_(std::move(directories)) {}

  Result<std::optional<std::string>> read(const std::string& name) const override;
  Result<void> write(const std::string& name, std::string_view bytes) override;
  Result<void> remove(const std::string& name) override;
  Result<std::unique_ptr<StoreLock>> lock(const std::string& name,
                                          const CancelToken& cancel) override;

 private:
  Result<Directory> directory() const;

  std::vector<fs::path> directories_;
};

Result<Directory> WindowsPrivateStore::directory() const {
  Error last{.code = ErrorCode::not_found, .message = "there is no runtime directory"};
  for (const fs::path& path : directories_) {
    auto opened = open_directory(path);
    if (opened.ok()) return opened;
    last = opened.error();
  }
  return last;
}

Result<std::optional<std::string>> WindowsPrivateStore::read(const std::string& name) const {
  YUME_TRY(const Directory place, directory());
  const fs::path path = place.path / name;
  const std::string what = cannot("read", path);
  const Handle file =
      open_shared(path, FILE_READ_DATA | FILE_READ_ATTRIBUTES | READ_CONTROL, Links::not_followed);
  if (!file.is_open() && ::GetLastError() == ERROR_FILE_NOT_FOUND)
    return std::optional<std::string>();
  YUME_TRY(const FileStatus status, status_of_open(file, what));
  const auto refuse = [&path](const char* why) {
    return Error{.code = ErrorCode::permission_denied, .message = cannot("use", path) + ": " + why};
  };
  if (status.info.kind != FileKind::regular) return refuse("it is not a regular file");
  if (const auto safe = check_private(file, path); !safe) return safe.error();
  std::string bytes(k_largest_file + 1, '\0');
  YUME_TRY(const std::size_t got, read_handle_at(file, 0, bytes, what));
  if (got > k_largest_file) return refuse("it is too large");
  bytes.resize(got);
  return std::optional(std::move(bytes));
}

Result<void> WindowsPrivateStore::write(const std::string& name, std::string_view bytes) {
  YUME_TRY(const Directory place, directory());
  const fs::path path = place.path / name;
  const fs::path fresh = place.path / (name + ".new");
  const std::string what = cannot("write", path);
  // Left over when a writer was killed; it may be anything, so it is not written through.
  if (const auto removed = remove_everything(fresh); !removed) return removed;
  PrivateAccess only_us;
  Handle file(::CreateFileW(system_path(fresh).c_str(), GENERIC_WRITE | DELETE, 0,
                            only_us.attributes(), CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr));
  if (!file.is_open()) return error_from_windows(what, ::GetLastError());
  auto written = write_handle(file, bytes, what);
  if (written.ok()) {
    const DWORD reason = rename_over(file, path);
    if (reason != ERROR_SUCCESS) written = error_from_windows(what, reason);
  }
  file.close();
  if (!written.ok()) ::DeleteFileW(system_path(fresh).c_str());
  return written;
}

Result<void> WindowsPrivateStore::remove(const std::string& name) {
  YUME_TRY(const Directory place, directory());
  return remove_everything(place.path / name);
}

Result<std::unique_ptr<StoreLock>> WindowsPrivateStore::lock(const std::string& name,
                                                             const CancelToken& cancel) {
  YUME_TRY(const Directory place, directory());
  const std::string what = cannot("lock", place.path / name);
  PrivateAccess only_us;
  Handle file(::CreateFileW(system_path(place.path / (name + ".lock")).c_str(),
                            GENERIC_READ | GENERIC_WRITE, k_everybody, only_us.attributes(),
                            OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT,
                            nullptr));
  if (!file.is_open()) return error_from_windows(what, ::GetLastError());
  for (;;) {
    const DWORD reason = try_lock(file, LockKind::exclusive);
    if (reason == ERROR_SUCCESS) break;
    if (reason != ERROR_LOCK_VIOLATION) return error_from_windows(what, reason);
    if (!SystemClock().sleep_for(k_lock_pause, cancel)) {
      return Error{.code = ErrorCode::cancelled, .message = what + ": cancelled"};
    }
  }
  return std::unique_ptr<StoreLock>(std::make_unique<HeldLock>(std::move(file)));
}

}  // namespace

std::vector<fs::path> private_directories(const Environment& environment) {
  std::vector<fs::path> directories;
  for (const char* name : {"LOCALAPPDATA", "TEMP"}) {
    const fs::path folder = path_from_utf8(environment.get(name).value_or(""));
    if (folder.is_absolute()) directories.push_back(folder / "yume-cli" / "run");
  }
  return directories;
}

std::unique_ptr<PrivateStore> make_private_store(std::vector<fs::path> directories) {
  return std::make_unique<WindowsPrivateStore>(std::move(directories));
}

}  // namespace yume::platform
