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
  constexpr std::array<std::string_view, 11> k_taken = {"-tools",  "-tool", "-network", "-write",
                                                        "-writes", "-edit", "-edits",   "-shell",
                                                        "-bash",   "-exec", "-commands"};
  const bool takes_tools_away =
      name.starts_with("no-") &&
      std::any_of(k_taken.begin(), k_taken.end(),
                  [&name](std::string_view taken) { return name.ends_with(taken); });
  // `--exclude-tools`, `--disable-bash`, `--only-tools`: that something is kept away, and what.
  constexpr std::array<std::string_view, 7> k_takes = {"exclude", "disable", "without", "limit",
                                                       "only",    "dont-",   "never-"};
  constexpr std::array<std::string_view, 11> k_powers = {
      "tool",    "bash",    "shell", "exec",     "write",     "edit",
      "network", "command", "allow", "internet", "permission"};
  constexpr std::array<std::string_view, 6> k_exact = {
      "plan", "plan-mode", "offline", "noexec", "permission", "strict-permissions"};
  // Of Claude Code: says nothing about what may run.
  constexpr std::array<std::string_view, 1> k_harmless = {"disable-slash-commands"};
  const auto has_any = [&name](const auto& words) {
    return std::any_of(words.begin(), words.end(), [&name](std::string_view word) {
      return name.find(word) != std::string::npos;
    });
  };
  const auto is_one_of = [&name](const auto& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_one_of(k_harmless)) return false;
  return takes_tools_away || (has_any(k_takes) && has_any(k_powers)) || is_one_of(k_exact) ||
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
