// SPDX-License-Identifier: MIT
#include "platform/temporary_file_win32.h"

#include <algorithm>
#include <utility>

#include "platform/replace_win32.h"
#include "platform/system_path_win32.h"
#include "util/uuid.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t k_random_digits = 16;
constexpr std::wstring_view k_prefix = L".yume-";
constexpr std::wstring_view k_suffix = L".tmp";

bool is_temporary_name(std::wstring_view name) {
  if (!name.starts_with(k_prefix) || !name.ends_with(k_suffix)) return false;
  name.remove_prefix(k_prefix.size());
  name.remove_suffix(std::min(name.size(), k_suffix.size()));
  return name.size() == k_random_digits && name.find_first_not_of(L"0123456789abcdef") == name.npos;
}

}  // namespace

Result<TemporaryFile> TemporaryFile::create(const fs::path& directory, SECURITY_ATTRIBUTES* access,
                                            const fs::path& target) {
  // Recognisable, so that one left by a kill can be removed; short, whatever the target is called.
  fs::path path = directory / (".yume-" + random_hex(k_random_digits) + ".tmp");
  constexpr DWORD k_access = GENERIC_READ | GENERIC_WRITE | DELETE | WRITE_DAC | READ_CONTROL;
  Handle file(::CreateFileW(system_path(path).c_str(), k_access, FILE_SHARE_READ, access,
                            CREATE_NEW, FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT,
                            nullptr));
  if (!file.is_open()) return error_from_windows(cannot("write", target), ::GetLastError());
  return TemporaryFile(std::move(path), std::move(file));
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), file_(std::move(other.file_)) {}

TemporaryFile::~TemporaryFile() {
  if (path_.empty()) return;
  file_.close();
  const std::wstring name = system_path(path_);
  ::SetFileAttributesW(name.c_str(), FILE_ATTRIBUTE_NORMAL);  // what is read-only stays
  ::DeleteFileW(name.c_str());
}

DWORD TemporaryFile::rename_to(const fs::path& target) {
  const DWORD reason = rename_over(file_, target);
  if (reason == ERROR_SUCCESS) path_.clear();
  return reason;
}

void remove_abandoned_files(const fs::path& directory) {
  WIN32_FIND_DATAW found{};
  const HANDLE search =
      ::FindFirstFileExW((system_path(directory) + LR"(\.yume-*.tmp)").c_str(), FindExInfoBasic,
                         &found, FindExSearchNameMatch, nullptr, 0);
  if (search == INVALID_HANDLE_VALUE) return;
  do {
    // Not that of a writer, who shares it with nobody that removes.
    if (is_temporary_name(found.cFileName))
      ::DeleteFileW(system_path(directory / found.cFileName).c_str());
  } while (::FindNextFileW(search, &found) != 0);
  ::FindClose(search);
}

}  // namespace yume::platform
