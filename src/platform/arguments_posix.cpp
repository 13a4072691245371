// SPDX-License-Identifier: MIT
#include "platform/arguments.h"

namespace yume::platform {

std::vector<std::string> program_arguments(int argc, const char* const* argv) {
  return {argv, argv + argc};
}

}  // namespace yume::platform
