// SPDX-License-Identifier: MIT
#include "app/build_info.h"

#include <commit.h>

#include <string_view>

namespace yume::app {

std::string build_text() {
  std::string text = YUME_CLI_VERSION " (" YUME_CLI_TARGET;
  constexpr std::string_view k_commit = YUME_CLI_COMMIT;
  if (!k_commit.empty()) text.append(", ").append(k_commit);
  return text + ")";
}

}  // namespace yume::app
