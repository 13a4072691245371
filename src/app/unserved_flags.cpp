// SPDX-License-Identifier: MIT
#include "app/unserved_flags.h"

#include <array>
#include <string_view>

namespace yume::app {
namespace {

struct UnservedFlag {
  std::string_view name;
  std::string_view consequence;
};

constexpr std::array<UnservedFlag, 1> k_without_effect = {{
    {"plugin-dir", "no plugin is loaded"},
}};

constexpr std::array<UnservedFlag, 3> k_restrictions = {{
    {"restricted", "nothing would be restricted"},
    {"safe-mode", "nothing would be restricted"},
    {"worktree", "files would change in the working directory itself"},
}};

}  // namespace

UnservedFlags find_unserved(const Arguments& arguments) {
  UnservedFlags found;
  for (const auto& [name, consequence] : k_without_effect) {
    if (!arguments.has(name)) continue;
    found.notices.push_back("--" + std::string(name) +
                            " has no effect yet: " + std::string(consequence) + ".");
  }
  const auto asker = arguments.value("permission-prompt-tool");
  if (asker && *asker != "stdio" && !asker->starts_with("mcp__")) {
    found.notices.push_back("--permission-prompt-tool " + *asker +
                            " has no effect: stdio or a tool mcp__server__tool can be asked, and "
                            "what is not allowed is denied.");
  }
  for (const auto& [name, consequence] : k_restrictions) {
    if (!arguments.has(name) || found.refusal) continue;
    found.refusal = "error: --" + std::string(name) + " is not supported yet, and " +
                    std::string(consequence) + "; leave it out to go on without";
  }
  return found;
}

}  // namespace yume::app
