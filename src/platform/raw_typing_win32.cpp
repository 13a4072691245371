// SPDX-License-Identifier: MIT
#include "platform/raw_typing.h"

#include <windows.h>

namespace yume::platform {
namespace {

class WindowsRawTyping final : public RawTyping {
 public:
  WindowsRawTyping(HANDLE console, DWORD before) : console_(console), before_(before) {
    ::SetConsoleMode(console, before & ~static_cast<DWORD>(ENABLE_LINE_INPUT | ENABLE_ECHO_INPUT));
  }
  ~WindowsRawTyping() override { ::SetConsoleMode(console_, before_); }

 private:
  HANDLE console_;
  DWORD before_;
};

}  // namespace

std::unique_ptr<RawTyping> begin_raw_typing(Pastes /*pastes*/) {
  const HANDLE console = ::GetStdHandle(STD_INPUT_HANDLE);
  DWORD before = 0;
  if (::GetConsoleMode(console, &before) == 0) return nullptr;
  return std::make_unique<WindowsRawTyping>(console, before);
}

}  // namespace yume::platform
