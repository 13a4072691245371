// SPDX-License-Identifier: MIT
// What the Windows implementations share: owned handles, UTF-16, and the system's errors in words.
// Private to src/platform; not a seam.
#pragma once

#include <windows.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "platform/clock.h"
#include "util/result.h"

namespace yume::platform {

class Handle {
 public:
  Handle() = default;
  // Takes what the system returned; both of its ways to say "none" become nullptr.
  explicit Handle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      close();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  ~Handle() { close(); }

  HANDLE get() const { return handle_; }
  bool is_open() const { return handle_ != nullptr; }
  void close() {
    if (handle_ != nullptr) ::CloseHandle(std::exchange(handle_, nullptr));
  }

 private:
  HANDLE handle_ = nullptr;
};

// Raised by hand. Not open when the system has none left.
Handle make_event();
bool is_raised(const Handle& event);

// For the system's waits: rounded up, so that the time has come when they return. nullopt: no
// limit.
DWORD milliseconds_until(std::optional<SteadyTime> until);

// nullopt when `text` is not UTF-8.
std::optional<std::wstring> to_wide(std::string_view text);
// Lone surrogates become U+FFFD.
std::string from_wide(std::wstring_view text);

// "no such file or directory": the same words as on POSIX where there are any.
std::string describe_windows_error(DWORD code);

// `what` names the object: error_from_windows("cannot start C:\\x.exe", ERROR_FILE_NOT_FOUND).
Error error_from_windows(std::string_view what, DWORD code);

}  // namespace yume::platform
