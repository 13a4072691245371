// SPDX-License-Identifier: MIT
#include "platform/path_list.h"

namespace yume::platform {

char path_separator() {
  return ';';
}

std::vector<std::string> program_file_names(std::string_view name) {
  std::vector<std::string> names;
  for (const char* ending : {".exe", ".com", ".cmd", ".bat"})
    names.push_back(std::string(name) + ending);
  return names;
}

}  // namespace yume::platform
