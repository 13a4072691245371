// SPDX-License-Identifier: MIT
#include "platform/replace_win32.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/file_attributes_win32.h"
#include "platform/file_status_win32.h"
#include "platform/private_access_win32.h"
#include "platform/resolved_path_win32.h"
#include "platform/system_path_win32.h"
#include "platform/temporary_file_win32.h"
#include "util/path_text.h"
#include "util/uuid.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

Error refuse(const fs::path& path, std::string_view reason) {
  return Error{.code = ErrorCode::invalid_argument,
               .message = cannot("write", path) + ": " + std::string(reason)};
}

// One replacement on its way.
class Replacement {
 public:
  Replacement(const fs::path& target, std::string_view bytes, const ReplaceOptions& options)
      : target_(target), bytes_(bytes), options_(options) {}

  Result<Replaced> run() {
    if (!target_.has_filename()) return refuse(target_, "is a directory");
    if (const auto made = open_directory(); !made) return made.error();
    YUME_TRY(old_, existing_file());
    if (const auto same = check_expected(old_); !same) return same.error();
    const fs::path directory = target_.parent_path();
    remove_abandoned_files(directory);
    // Private until it has the old file's access list; a new file has its folder's.
    PrivateAccess only_us;
    auto fresh = TemporaryFile::create(directory, old_ ? only_us.attributes() : nullptr, target_);
    if (!fresh) return without_rename(fresh.error());
    if (old_ && !take_over_attributes(fresh->file(), open_old(READ_CONTROL | FILE_READ_ATTRIBUTES),
                                      *old_)) {
      if (may_write_in_place()) return in_place();
      // Only files of our own are replaced without being looked at before.
      if (options_.expected) {
        return refuse(target_,
                      "its access list or attributes could not be kept, and there is no place "
                      "for its old content");
      }
    }
    const std::string what = cannot("write", target_);
    if (const auto written = write_handle(fresh->file(), bytes_, what); !written)
      return written.error();
    if (::FlushFileBuffers(fresh->file().get()) == 0)
      return error_from_windows(what, ::GetLastError());
    YUME_TRY(const auto meanwhile, existing_file());
    if (const auto same = check_expected(meanwhile); !same) return same.error();
    if (const DWORD reason = fresh->rename_to(target_); reason != ERROR_SUCCESS) {
      return without_rename(error_from_windows(what, reason));
    }
    return Replaced{.other_names = old_ ? old_->info.hard_links - 1 : 0};
  }

 private:
  // Held open, so that nobody exchanges it, and checked to be the one that was decided on.
  Result<void> open_directory() {
    const fs::path path = target_.parent_path();
    if (const auto made = make_directories(path); !made) return made.error();
    directory_ =
        Handle(::CreateFileW(system_path(path).c_str(), FILE_READ_ATTRIBUTES,
                             FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr, OPEN_EXISTING,
                             FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
    const std::string what = cannot("write", target_);
    YUME_TRY(const FileStatus status, status_of_open(directory_, what));
    if (status.info.kind == FileKind::symlink) return link_in_the_way();
    if (status.info.kind != FileKind::directory) {
      return Error{.code = ErrorCode::invalid_argument, .message = what + ": not a directory"};
    }
    return check_opened(directory_, path, what);
  }

  Result<void> make_directories(const fs::path& path) const {
    std::vector<fs::path> missing;
    fs::path at = path;
    while (at.has_relative_path() &&
           ::GetFileAttributesW(system_path(at).c_str()) == INVALID_FILE_ATTRIBUTES) {
      missing.push_back(at);
      at = at.parent_path();
    }
    if (missing.empty()) return {};
    if (options_.new_directories == 0) {
      return error_from_windows(cannot("write", target_), ERROR_PATH_NOT_FOUND);
    }
    if (missing.size() > static_cast<std::size_t>(options_.new_directories)) {
      return refuse(target_, "too many directories would have to be made");
    }
    const Handle top = open_shared(at, FILE_READ_ATTRIBUTES, Links::not_followed);
    if (const auto same = check_opened(top, at, cannot("write", target_)); !same)
      return same.error();
    for (; !missing.empty(); missing.pop_back()) {
      if (::CreateDirectoryW(system_path(missing.back()).c_str(), nullptr) == 0 &&
          ::GetLastError() != ERROR_ALREADY_EXISTS) {
        return error_from_windows(cannot("write", target_), ::GetLastError());
      }
    }
    return {};
  }

  Error link_in_the_way() const {
    return Error{
        .code = ErrorCode::permission_denied,
        .message = cannot("write", target_) +
                   ": a symbolic link is in the way that was not there when the path was judged"};
  }

  // The file as it is now; nullopt when the target does not exist yet.
  Result<std::optional<FileStatus>> existing_file() const {
    const auto status = status_of("write", target_, Links::not_followed);
    if (!status) {
      if (status.error().code == ErrorCode::not_found) return std::optional<FileStatus>();
      return status.error();
    }
    switch (status->info.kind) {
      case FileKind::regular:
        return std::optional(*status);
      case FileKind::symlink:
        return link_in_the_way();
      case FileKind::directory:
        return refuse(target_, "is a directory");
      case FileKind::other:
        break;
    }
    return refuse(target_, "not a regular file");
  }

  Result<void> check_expected(const std::optional<FileStatus>& found) const {
    if (!options_.expected) return {};
    const Expected there = found ? Expected(found->info) : Expected(NothingThere{});
    if (there == *options_.expected) return {};
    return refuse(target_, "somebody else has just changed it");
  }

  Handle open_old(DWORD access) const { return open_shared(target_, access, Links::not_followed); }

  bool may_write_in_place() const { return old_ && !options_.backups.empty(); }

  // For what cannot be renamed over: a directory that may not be changed, a file that others hold
  // open.
  Result<Replaced> without_rename(Error reason) const {
    const bool may_help =
        reason.code == ErrorCode::permission_denied || reason.code == ErrorCode::io;
    if (!may_help || !may_write_in_place()) return reason;
    return in_place();
  }

  Result<Replaced> in_place() const {
    const std::string what = cannot("write", target_);
    const Handle file = open_old(GENERIC_READ | GENERIC_WRITE);
    YUME_TRY(const FileStatus status, status_of_open(file, what));
    if (status.volume != old_->volume || status.info.inode != old_->info.inode) {
      return refuse(target_, "somebody else has just changed it");
    }
    std::string before(status.info.size, '\0');
    YUME_TRY(const std::size_t size, read_handle_at(file, 0, before, what));
    before.resize(size);
    const auto kept = keep(before);
    if (!kept) {
      return refuse(target_,
                    "it can only be written in place, and its old content cannot be kept: " +
                        kept.error().message);
    }
    if (const auto written = overwrite(file, bytes_); !written) {
      [[maybe_unused]] const auto restored = overwrite(file, before);
      return Error{
          .code = written.error().code,
          .message = written.error().message + "; its old content is in " + to_utf8(*kept)};
    }
    return Replaced{.other_names = 0, .backup = *kept};
  }

  Result<fs::path> keep(std::string_view before) const {
    std::error_code ignored;
    fs::create_directories(options_.backups, ignored);
    fs::path backup = options_.backups / ("before-edit-" + random_hex(16) + ".bak");
    PrivateAccess only_us;
    const Handle file(::CreateFileW(system_path(backup).c_str(), GENERIC_WRITE, 0,
                                    only_us.attributes(), CREATE_NEW, FILE_ATTRIBUTE_NORMAL,
                                    nullptr));
    const std::string what = cannot("write", backup);
    if (!file.is_open()) return error_from_windows(what, ::GetLastError());
    const auto written = write_handle(file, before, what);
    if (!written) return written.error();
    if (::FlushFileBuffers(file.get()) == 0) return error_from_windows(what, ::GetLastError());
    return backup;
  }

  Result<void> overwrite(const Handle& file, std::string_view bytes) const {
    const std::string what = cannot("write", target_);
    if (auto written = write_handle_at(file, 0, bytes, what); !written) return written;
    LARGE_INTEGER end{};
    end.QuadPart = static_cast<LONGLONG>(bytes.size());
    const bool done = ::SetFilePointerEx(file.get(), end, nullptr, FILE_BEGIN) != 0 &&
                      ::SetEndOfFile(file.get()) != 0 && ::FlushFileBuffers(file.get()) != 0;
    if (!done) return error_from_windows(what, ::GetLastError());
    return {};
  }

  const fs::path& target_;
  std::string_view bytes_;
  const ReplaceOptions& options_;
  Handle directory_;
  std::optional<FileStatus> old_;
};

}  // namespace

Result<Replaced> replace_file(const fs::path& real_path, std::string_view bytes,
                              const ReplaceOptions& options) {
  return Replacement(real_path, bytes, options).run();
}

}  // namespace yume::platform
