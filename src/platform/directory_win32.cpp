// SPDX-License-Identifier: MIT
#include "platform/directory_win32.h"

#include <memory>
#include <string_view>
#include <utility>

#include "platform/file_status_win32.h"
#include "platform/system_path_win32.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

bool is_gone(DWORD reason) {
  return reason == ERROR_FILE_NOT_FOUND || reason == ERROR_PATH_NOT_FOUND;
}

// Calls visit(data) for each entry; what it returns ends the walk.
template <class Visit>
DWORD each_entry(const fs::path& directory, const Visit& visit) {
  WIN32_FIND_DATAW found{};
  const std::wstring pattern = system_path(directory) + LR"(\*)";
  const HANDLE search =
      ::FindFirstFileExW(pattern.c_str(), FindExInfoBasic, &found, FindExSearchNameMatch, nullptr,
                         FIND_FIRST_EX_LARGE_FETCH);
  if (search == INVALID_HANDLE_VALUE) {
    const DWORD reason = ::GetLastError();
    return reason == ERROR_FILE_NOT_FOUND ? ERROR_SUCCESS : reason;  // the root of an empty drive
  }
  const std::unique_ptr<void, BOOL(WINAPI*)(HANDLE)> owned(search, ::FindClose);
  do {
    const std::wstring_view name(&found.cFileName[0]);
    if (name != L"." && name != L"..") visit(found);
  } while (::FindNextFileW(search, &found) != 0);
  const DWORD reason = ::GetLastError();
  return reason == ERROR_NO_MORE_FILES ? ERROR_SUCCESS : reason;
}

DWORD remove_one(const fs::path& path, DWORD attributes) {
  const std::wstring name = system_path(path);
  if ((attributes & FILE_ATTRIBUTE_READONLY) != 0) {
    ::SetFileAttributesW(name.c_str(), attributes & ~static_cast<DWORD>(FILE_ATTRIBUTE_READONLY));
  }
  const bool directory = (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  const bool done =
      directory ? ::RemoveDirectoryW(name.c_str()) != 0 : ::DeleteFileW(name.c_str()) != 0;
  if (done) return ERROR_SUCCESS;
  const DWORD reason = ::GetLastError();
  return is_gone(reason) ? ERROR_SUCCESS : reason;
}

}  // namespace

Result<std::vector<DirectoryEntry>> list_directory(const fs::path& path) {
  std::vector<DirectoryEntry> entries;
  const DWORD reason = each_entry(path, [&entries](const WIN32_FIND_DATAW& found) {
    entries.push_back({.name = from_wide(std::wstring_view(&found.cFileName[0])),
                       .kind = kind_of_attributes(found.dwFileAttributes, found.dwReserved0)});
  });
  if (reason != ERROR_SUCCESS) return error_from_windows(cannot("list", path), reason);
  return entries;
}

Result<void> make_directories(const fs::path& path, SECURITY_ATTRIBUTES* access) {
  std::vector<fs::path> missing;
  for (fs::path at = path; at.has_relative_path(); at = at.parent_path()) {
    const DWORD attributes = ::GetFileAttributesW(system_path(at).c_str());
    if (attributes != INVALID_FILE_ATTRIBUTES) {
      if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) break;
      return error_from_windows(cannot("create directory", path), ERROR_DIRECTORY);
    }
    missing.push_back(at);
  }
  for (; !missing.empty(); missing.pop_back()) {
    if (::CreateDirectoryW(system_path(missing.back()).c_str(), access) != 0) continue;
    const DWORD reason = ::GetLastError();
    if (reason != ERROR_ALREADY_EXISTS) {
      return error_from_windows(cannot("create directory", path), reason);
    }
  }
  return {};
}

Result<void> remove_everything(const fs::path& path) {
  const DWORD top = ::GetFileAttributesW(system_path(path).c_str());
  if (top == INVALID_FILE_ATTRIBUTES) {
    const DWORD reason = ::GetLastError();
    if (is_gone(reason)) return {};
    return error_from_windows(cannot("remove", path), reason);
  }
  // Directories are seen twice: when their entries are taken, and when those are gone.
  struct Left {
    fs::path path;
    DWORD attributes;
    bool emptied;
  };
  std::vector<Left> left = {{path, top, false}};
  DWORD reason = ERROR_SUCCESS;
  while (!left.empty() && reason == ERROR_SUCCESS) {
    const Left one = left.back();
    constexpr DWORD k_kind = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT;
    if (!one.emptied && (one.attributes & k_kind) == FILE_ATTRIBUTE_DIRECTORY) {
      left.back().emptied = true;
      reason = each_entry(one.path, [&left, &one](const WIN32_FIND_DATAW& found) {
        left.push_back({one.path / &found.cFileName[0], found.dwFileAttributes, false});
      });
      continue;
    }
    left.pop_back();
    reason = remove_one(one.path, one.attributes);
  }
  if (reason == ERROR_SUCCESS || is_gone(reason)) return {};
  return error_from_windows(cannot("remove", path), reason);
}

}  // namespace yume::platform
