// SPDX-License-Identifier: MIT
#include "tools/wall.h"

#include <utility>

namespace yume::tools {

void put_behind(const CommandWall& wall, platform::ProcessSpec& spec) {
  spec.environment = with_variables(std::move(spec.environment), wall.environment);
  spec.sandbox = wall.sandbox;
}

std::vector<std::string> with_variables(std::vector<std::string> environment,
                                        const std::vector<std::string>& variables) {
  for (const std::string& variable : variables) {
    const std::string_view name = std::string_view(variable).substr(0, variable.find('=') + 1);
    std::erase_if(environment,
                  [name](const std::string& entry) { return entry.starts_with(name); });
    environment.push_back(variable);
  }
  return environment;
}

}  // namespace yume::tools
