// SPDX-License-Identifier: MIT
#include "platform/temporary_directory.h"

#include <array>

#include "platform/handle_win32.h"
#include "util/path_text.h"

namespace yume::platform {

std::filesystem::path temporary_directory(const Environment& environment) {
  if (const auto named = environment.get("TEMP")) return path_from_utf8(*named);
  std::array<wchar_t, MAX_PATH + 1> path{};
  const DWORD length = ::GetTempPathW(static_cast<DWORD>(path.size()), path.data());
  return std::wstring(path.data(), length < path.size() ? length : 0);
}

}  // namespace yume::platform
