// SPDX-License-Identifier: MIT
#include "platform/arguments.h"

#include "platform/handle_win32.h"

#include <shellapi.h>

#include <memory>

namespace yume::platform {

// main() is given them in the user's code page, which has no place for most characters.
std::vector<std::string> program_arguments(int /*argc*/, const char* const* /*argv*/) {
  int count = 0;
  const std::unique_ptr<LPWSTR, HLOCAL (*)(HLOCAL)> wide(
      ::CommandLineToArgvW(::GetCommandLineW(), &count), ::LocalFree);
  std::vector<std::string> arguments;
  for (int i = 0; wide != nullptr && i < count; ++i) arguments.push_back(from_wide(wide.get()[i]));
  return arguments;
}

}  // namespace yume::platform
