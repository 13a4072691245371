// SPDX-License-Identifier: MIT
#include "platform/path_list.h"

namespace yume::platform {

char path_separator() {
  return ':';
}

std::vector<std::string> program_file_names(std::string_view name) {
  return {std::string(name)};
}

}  // namespace yume::platform
