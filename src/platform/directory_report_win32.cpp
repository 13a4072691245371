// SPDX-License-Identifier: MIT
#include "platform/directory_report_win32.h"

#include <array>
#include <utility>

#include "platform/command_system.h"
#include "platform/file_status_win32.h"
#include "platform/resolved_path_win32.h"
#include "platform/system_path_win32.h"
#include "util/path_text.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t k_longest_report = std::size_t{128} << 10U;  // the longest path in UTF-16

}  // namespace

Result<DirectoryReportFile> DirectoryReportFile::create(const std::string& what) {
  std::array<wchar_t, MAX_PATH + 1> folder{};
  std::array<wchar_t, MAX_PATH + 1> name{};
  if (::GetTempPathW(static_cast<DWORD>(folder.size()), folder.data()) == 0 ||
      ::GetTempFileNameW(folder.data(), L"yum", 0, name.data()) == 0) {
    return error_from_windows(what, ::GetLastError());
  }
  return DirectoryReportFile(fs::path(name.data()));
}

DirectoryReportFile::DirectoryReportFile(DirectoryReportFile&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

DirectoryReportFile& DirectoryReportFile::operator=(DirectoryReportFile&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

DirectoryReportFile::~DirectoryReportFile() {
  if (!path_.empty()) ::DeleteFileW(path_.c_str());
}

std::string DirectoryReportFile::variable() const {
  return std::string(k_directory_report) + "=" + to_utf8(path_);
}

fs::path DirectoryReportFile::directory() const {
  if (path_.empty()) return {};
  const Handle file = open_shared(path_, FILE_READ_DATA, Links::not_followed);
  std::string bytes(k_longest_report, '\0');
  const auto got = file.is_open() ? read_handle_at(file, 0, bytes, "cannot read a report")
                                  : Result<std::size_t>(std::size_t{0});
  if (!got.ok()) return {};
  bytes.resize(*got);
  const fs::path named = path_from_utf8(read_directory_report(bytes));
  if (!named.is_absolute() || !check_path("go to", named).ok()) return {};
  auto real = resolve_links(named);  // also of what is not there
  if (!real.ok()) return {};
  const DWORD attributes = ::GetFileAttributesW(system_path(*real).c_str());
  const bool is_directory =
      attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  return is_directory ? std::move(real).value() : fs::path();
}

}  // namespace yume::platform
