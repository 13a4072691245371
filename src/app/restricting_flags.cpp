// SPDX-License-Identifier: MIT
#include "app/restricting_flags.h"

#include "util/ascii.h"
#include "util/nearest_word.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace yume::app {
namespace {

// Words that say that something is kept from happening.
constexpr std::array<std::string_view, 17> k_promises = {
    "restrict", "read-only", "readonly", "deny",      "denied",    "disallow",
    "forbid",   "block",     "sandbox",  "untrusted", "isolat",    "secure",
    "safe",     "protect",   "confine",  "jail",      "ask-before"};

// Those of ours that restrict, in both spellings.
const std::vector<std::string_view>& our_restrictions() {
  static const std::vector<std::string_view> flags = {
      "disallowed-tools", "disallowedtools",  "permission-mode",        "tools",
      "allowed-tools",    "allowedtools",     "permission-prompt-tool", "max-turns",
      "max-budget-usd",   "settings",         "managed-settings",       "setting-sources",
      "sandbox",          "strict-mcp-config"};
  return flags;
}

bool promises_restriction(const std::string& name) {
  const bool takes_tools_away =
      name.starts_with("no-") &&
      (name.ends_with("-tools") || name.ends_with("-tool") || name.ends_with("-network") ||
       name.ends_with("-write") || name.ends_with("-edit") || name.ends_with("-bash"));
  return takes_tools_away ||
         std::any_of(k_promises.begin(), k_promises.end(), [&name](std::string_view promise) {
           return name.find(promise) != std::string::npos;
         });
}

}  // namespace

std::optional<std::string> unknown_restriction(const std::vector<std::string>& unknown_flags) {
  for (const std::string& flag : unknown_flags) {
    const std::size_t begin = flag.find_first_not_of('-');
    if (begin == std::string::npos || begin < 2) continue;
    const std::string name = ascii_lower(flag.substr(begin));
    const auto meant = nearest_word(name, our_restrictions());
    if (!meant && !promises_restriction(name)) continue;
    return "error: unknown option '" + flag +
           "': its name promises a restriction, which nothing would keep. " +
           (meant ? "Did you mean '--" + *meant + "'? " : "") +
           "`yume-cli --help` lists the options.";
  }
  return std::nullopt;
}

}  // namespace yume::app
