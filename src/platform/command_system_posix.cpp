// SPDX-License-Identifier: MIT
#include "platform/command_system.h"

namespace yume::platform {

CommandSystem command_system(const Environment& /*environment*/) {
  return {};
}

std::vector<std::string> plain_command(const std::string& command) {
  return {"/bin/sh", "-c", command};
}

}  // namespace yume::platform
