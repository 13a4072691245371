// SPDX-License-Identifier: MIT
#include "platform/sandbox.h"

namespace yume::platform {

bool has_sandbox() {
  return false;
}

SandboxSupport sandbox_support() {
  return {};
}

std::filesystem::path sandbox_folder(const Environment&) {
  return {};
}

}  // namespace yume::platform
