// SPDX-License-Identifier: MIT
#include "platform/handle_win32.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace yume::platform {
namespace {

constexpr DWORD k_elevation_required = 740;  // mingw's headers have no name for it

}  // namespace

Handle make_event() {
  return Handle(::CreateEventW(nullptr, TRUE, FALSE, nullptr));
}

bool is_raised(const Handle& event) {
  return ::WaitForSingleObject(event.get(), 0) == WAIT_OBJECT_0;
}

DWORD milliseconds_until(std::optional<SteadyTime> until) {
  if (!until) return INFINITE;
  using std::chrono::milliseconds;
  constexpr milliseconds k_longest = std::chrono::hours(1);
  const auto left = std::chrono::ceil<milliseconds>(*until - SteadyTime::clock::now());
  return static_cast<DWORD>(std::clamp(left, milliseconds(0), k_longest).count());
}

std::optional<std::wstring> to_wide(std::string_view text) {
  if (text.empty()) return std::wstring();
  const int size = static_cast<int>(text.size());
  const int needed =
      ::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), size, nullptr, 0);
  if (needed <= 0) return std::nullopt;
  std::wstring wide(static_cast<std::size_t>(needed), L'\0');
  ::MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), size, wide.data(), needed);
  return wide;
}

std::string from_wide(std::wstring_view text) {
  if (text.empty()) return {};
  const int size = static_cast<int>(text.size());
  const int needed =
      ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
  std::string narrow(static_cast<std::size_t>(needed), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, narrow.data(), needed, nullptr, nullptr);
  return narrow;
}

std::string describe_windows_error(DWORD code) {
  switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
      return "no such file or directory";
    case ERROR_ACCESS_DENIED:
    case ERROR_ACCESS_DISABLED_BY_POLICY:
      return "permission denied";
    case ERROR_DIRECTORY:
      return "not a directory";
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return "file exists";
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return "no space left on device";
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      return "it is open in another program";
    case ERROR_FILENAME_EXCED_RANGE:
      return "file name too long";
    case ERROR_DIR_NOT_EMPTY:
      return "directory not empty";
    case ERROR_WRITE_PROTECT:
      return "read-only file system";
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
      return "broken pipe";
    case ERROR_BAD_EXE_FORMAT:
    case ERROR_EXE_MACHINE_TYPE_MISMATCH:
      return "not a program for this system";
    case k_elevation_required:
      return "it must be run as administrator";
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
    case ERROR_COMMITMENT_LIMIT:
      return "cannot allocate memory";
    case ERROR_NO_SYSTEM_RESOURCES:
    case ERROR_TOO_MANY_OPEN_FILES:
      return "too many open files";
    default:
      break;
  }
  std::array<wchar_t, 512> text;
  const DWORD length =
      ::FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, code, 0,
                       text.data(), static_cast<DWORD>(text.size()), nullptr);
  std::string words = from_wide({text.data(), length});
  words.erase(words.find_last_not_of(" .\r\n") + 1);
  const std::string number = "Windows error " + std::to_string(code);
  return words.empty() ? number : words + " (" + number + ")";
}

Error error_from_windows(std::string_view what, DWORD code) {
  const std::string words = describe_windows_error(code);
  const ErrorCode kind = words == "no such file or directory" ? ErrorCode::not_found
                         : words == "permission denied" || words == "read-only file system"
                             ? ErrorCode::permission_denied
                         : words == "not a directory" || words == "file name too long"
                             ? ErrorCode::invalid_argument
                             : ErrorCode::io;
  return Error{.code = kind, .message = std::string(what) + ": " + words};
}

}  // namespace yume::platform
