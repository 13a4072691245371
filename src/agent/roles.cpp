// SPDX-License-Identifier: MIT
#include "agent/roles.h"

#include <string>

#include "agent/prompt_texts.h"

namespace yume::agent {

std::string_view role_text(std::string_view role) {
  return prompt_text("role_" + std::string(role));
}

}  // namespace yume::agent
