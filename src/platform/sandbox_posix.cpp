// SPDX-License-Identifier: MIT
#include "platform/sandbox_posix.h"

#include <unistd.h>

namespace yume::platform {

std::filesystem::path sandbox_folder(const Environment& environment) {
  const std::filesystem::path named = environment.get("TMPDIR").value_or("");
  return (named.is_absolute() ? named : std::filesystem::path("/tmp")) /
         ("yume-commands-" + std::to_string(::geteuid()));
}

}  // namespace yume::platform
