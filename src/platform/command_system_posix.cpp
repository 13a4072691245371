// SPDX-License-Identifier: MIT
#include "platform/command_system.h"

namespace yume::platform {

CommandSystem command_system(const Environment& /*environment*/) {
  return {};
}

}  // namespace yume::platform
