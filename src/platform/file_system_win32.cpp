// SPDX-License-Identifier: MIT
#include "platform/file_system.h"

#include <algorithm>
#include <optional>

#include "platform/directory_win32.h"
#include "platform/file_status_win32.h"
#include "platform/private_access_win32.h"
#include "platform/replace_win32.h"
#include "platform/resolved_path_win32.h"
#include "platform/system_path_win32.h"
#include "util/path_text.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

Error refuse(std::string_view verb, const fs::path& path, std::string_view reason,
             ErrorCode code = ErrorCode::invalid_argument) {
  return Error{.code = code, .message = cannot(verb, path) + ": " + std::string(reason)};
}

// For a caller who asks whether something is there: below a file there is nothing.
Result<FileStatus> checked_status(std::string_view verb, const fs::path& path) {
  if (const auto checked = check_path(verb, path); !checked) return checked.error();
  return status_of(verb, path, Links::followed);
}

Result<void> require_regular(std::string_view verb, const fs::path& path, FileKind kind) {
  if (kind == FileKind::regular) return {};
  return refuse(verb, path, kind == FileKind::directory ? "is a directory" : "not a regular file");
}

Error too_large(const fs::path& path, std::uint64_t max_bytes) {
  return refuse("read", path, "larger than " + std::to_string(max_bytes) + " bytes",
                ErrorCode::too_large);
}

// `size` is a hint: any file may grow or shrink meanwhile.
Result<std::string> read_all(const Handle& file, const fs::path& path, std::uint64_t size,
                             std::uint64_t max_bytes) {
  std::string bytes;
  std::size_t used = 0;
  for (;;) {
    bytes.resize(used == 0 ? static_cast<std::size_t>(size) + 1 : used * 2);
    const std::span<char> room = std::span<char>(bytes).subspan(used);
    YUME_TRY(const std::size_t got, read_handle_at(file, used, room, cannot("read", path)));
    used += got;
    if (used > max_bytes) return too_large(path, max_bytes);
    if (got < room.size()) break;
  }
  bytes.resize(used);
  return bytes;
}

FileOwner owner_of_open(const Handle& file) {
  const auto access = access_of(file, "");
  // What cannot be told is not trusted.
  if (!access) return {.is_root = false, .is_self = false, .others_may_write = true};
  return {.is_root = access->is_system,
          .is_self = access->is_self,
          .others_may_write = access->others_may_write};
}

class WindowsOpenFile final : public OpenFile {
 public:
  WindowsOpenFile(Handle file, fs::path path, FileInfo info)
      : file_(std::move(file)), path_(std::move(path)), info_(info), owner_(owner_of_open(file_)) {}

  const FileInfo& info() const override { return info_; }
  const FileOwner& owner() const override { return owner_; }

  Result<std::size_t> read(std::span<char> into) override {
    YUME_TRY(const std::size_t got, read_at(position_, into));
    position_ += got;
    return got;
  }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    return read_handle_at(file_, offset, into, cannot("read", path_));
  }

 private:
  Handle file_;
  fs::path path_;
  FileInfo info_;
  FileOwner owner_;
  std::uint64_t position_ = 0;
};

class WindowsGrowingFile final : public GrowingFile {
 public:
  WindowsGrowingFile(Handle file, fs::path path) : file_(std::move(file)), path_(std::move(path)) {}

  Result<void> append(std::string_view bytes) override {
    return write_handle(file_, bytes, cannot("write", path_));
  }

 private:
  Handle file_;
  fs::path path_;
};

class WindowsFileSystem final : public FileSystem {
 public:
  Result<FileInfo> info(const fs::path& path) const override {
    YUME_TRY(const FileStatus status, checked_status("inspect", path));
    return status.info;
  }

  Result<std::string> read(const fs::path& path, std::uint64_t max_bytes) const override;
  Result<void> replace(const fs::path& path, std::string_view bytes) override;
  Result<std::unique_ptr<GrowingFile>> create_private(const fs::path& path) override;
  Result<std::unique_ptr<OpenFile>> open_real(const fs::path& real_path) const override;
  Result<Replaced> replace_real(const fs::path& real_path, std::string_view bytes,
                                const ReplaceOptions& options) override;
  Result<void> create_directories(const fs::path& path) override;
  Result<std::vector<DirectoryEntry>> list(const fs::path& path) const override;
  Result<fs::path> real_path(const fs::path& path) const override;
  Result<FileOwner> owner_of(const fs::path& path) const override;
  std::vector<fs::path> names_of(const fs::path& path) const override {
    if (!check_path("resolve", path).ok() || !path.is_absolute()) return {path};
    return names_on_the_way(path);
  }
};

Result<std::string> WindowsFileSystem::read(const fs::path& path, std::uint64_t max_bytes) const {
  if (const auto checked = check_path("read", path); !checked) return checked.error();
  const Handle file = open_shared(path, FILE_READ_DATA | FILE_READ_ATTRIBUTES, Links::followed);
  YUME_TRY(const FileStatus status, status_of_open(file, cannot("read", path)));
  if (const auto ok = require_regular("read", path, status.info.kind); !ok) return ok.error();
  if (status.info.size > max_bytes) return too_large(path, max_bytes);
  return read_all(file, path, status.info.size, max_bytes);
}

Result<void> WindowsFileSystem::replace(const fs::path& path, std::string_view bytes) {
  if (const auto checked = check_path("write", path); !checked) return checked.error();
  YUME_TRY(const fs::path target, real_path(path));
  if (!path.has_filename()) return refuse("write", path, "is a directory");
  const auto replaced = replace_file(target, bytes, {.expected = std::nullopt});
  if (!replaced) return replaced.error();
  return {};
}

Result<std::unique_ptr<OpenFile>> WindowsFileSystem::open_real(const fs::path& real_path) const {
  if (const auto checked = check_path("read", real_path); !checked) return checked.error();
  const std::string what = cannot("read", real_path);
  constexpr DWORD k_access = FILE_READ_DATA | FILE_READ_ATTRIBUTES | READ_CONTROL;
  Handle file = open_shared(real_path, k_access, Links::not_followed);
  YUME_TRY(const FileStatus status, status_of_open(file, what));
  if (status.info.kind == FileKind::symlink) {
    return Error{.code = ErrorCode::permission_denied,
                 .message = what +
                            ": a symbolic link is in the way that was not there when the path was "
                            "judged"};
  }
  if (const auto ok = require_regular("read", real_path, status.info.kind); !ok) return ok.error();
  if (const auto same = check_opened(file, real_path, what); !same) return same.error();
  return std::unique_ptr<OpenFile>(
      std::make_unique<WindowsOpenFile>(std::move(file), real_path, status.info));
}

Result<Replaced> WindowsFileSystem::replace_real(const fs::path& real_path, std::string_view bytes,
                                                 const ReplaceOptions& options) {
  if (const auto checked = check_path("write", real_path); !checked) return checked.error();
  return replace_file(real_path, bytes, options);
}

Result<std::unique_ptr<GrowingFile>> WindowsFileSystem::create_private(const fs::path& path) {
  if (const auto checked = check_path("write", path); !checked) return checked.error();
  if (const auto made = create_directories(path.parent_path()); !made) return made.error();
  PrivateAccess only_us;
  if (const auto closed = only_us.apply_to(path.parent_path()); !closed) return closed.error();
  const std::wstring name = system_path(path);
  if (::DeleteFileW(name.c_str()) == 0 && ::GetLastError() != ERROR_FILE_NOT_FOUND) {
    return error_from_windows(cannot("write", path), ::GetLastError());
  }
  Handle file(::CreateFileW(name.c_str(), FILE_APPEND_DATA, FILE_SHARE_READ | FILE_SHARE_DELETE,
                            only_us.attributes(), CREATE_NEW,
                            FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  if (!file.is_open()) return error_from_windows(cannot("write", path), ::GetLastError());
  return std::unique_ptr<GrowingFile>(std::make_unique<WindowsGrowingFile>(std::move(file), path));
}

Result<void> WindowsFileSystem::create_directories(const fs::path& path) {
  if (const auto checked = check_path("create directory", path); !checked) return checked.error();
  return make_directories(path, nullptr);
}

Result<std::vector<DirectoryEntry>> WindowsFileSystem::list(const fs::path& path) const {
  YUME_TRY(const FileStatus status, checked_status("list", path));
  if (status.info.kind != FileKind::directory) return refuse("list", path, "not a directory");
  YUME_TRY(auto entries, list_directory(path));
  std::sort(entries.begin(), entries.end(),
            [](const auto& left, const auto& right) { return left.name < right.name; });
  return entries;
}

Result<FileOwner> WindowsFileSystem::owner_of(const fs::path& path) const {
  if (const auto checked = check_path("look at", path); !checked) return checked.error();
  const Handle file = open_shared(path, READ_CONTROL | FILE_READ_ATTRIBUTES, Links::followed);
  if (!file.is_open()) return error_from_windows(cannot("look at", path), ::GetLastError());
  return owner_of_open(file);
}

Result<fs::path> WindowsFileSystem::real_path(const fs::path& path) const {
  if (const auto checked = check_path("resolve", path); !checked) return checked.error();
  if (path.is_absolute()) return resolve_links(path);
  std::error_code failed;
  const fs::path cwd = fs::current_path(failed);
  if (failed) return refuse("resolve", path, "the current folder is not known", ErrorCode::io);
  return resolve_links(cwd / path);
}

}  // namespace

std::unique_ptr<FileSystem> make_system_file_system() {
  return std::make_unique<WindowsFileSystem>();
}

}  // namespace yume::platform
