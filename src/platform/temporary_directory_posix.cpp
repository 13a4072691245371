// SPDX-License-Identifier: MIT
#include "platform/temporary_directory.h"

namespace yume::platform {

std::filesystem::path temporary_directory(const Environment& environment) {
  return environment.get("TMPDIR").value_or("/tmp");
}

}  // namespace yume::platform
