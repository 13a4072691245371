// SPDX-License-Identifier: MIT
#include "tools/bash.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace yume::tools {
namespace {

bool starts_with_any(std::string_view name, const auto& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [name](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

bool is_kept_from_children(std::string_view name) {
  constexpr std::array<std::string_view, 7> k_prefixes = {
      "CLOUDSDK_", "ANTHROPIC_", "CLAUDE_CODE_", "LD_", "DYLD_", "BASH_FUNC_", "GOOGLE_OAUTH"};
  constexpr std::array<std::string_view, 7> k_names = {"BASH_ENV",
                                                       "ENV",
                                                       "PROMPT_COMMAND",
                                                       "GIT_ASKPASS",
                                                       "SSH_ASKPASS",
                                                       "GOOGLE_APPLICATION_CREDENTIALS",
                                                       "GEMINI_CLI_CUSTOM_HEADERS"};
  constexpr std::array<std::string_view, 6> k_words = {"KEY",   "TOKEN",      "SECRET",
                                                       "PASSW", "CREDENTIAL", "AUTH"};
  // A socket and a person's name: no secrets, and git needs them.
  if (name == "SSH_AUTH_SOCK" || name.starts_with("GIT_AUTHOR_")) return false;
  if (starts_with_any(name, k_prefixes)) return true;
  if (std::find(k_names.begin(), k_names.end(), name) != k_names.end()) return true;
  std::string upper(name);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return std::any_of(k_words.begin(), k_words.end(), [&upper](std::string_view word) {
    return upper.find(word) != std::string::npos;
  });
}

std::vector<std::string> child_environment(
    const std::map<std::string, std::string, std::less<>>& variables) {
  std::map<std::string, std::string, std::less<>> kept;
  for (const auto& [name, value] : variables) {
    if (!is_kept_from_children(name)) kept[name] = value;
  }
  // Without it bash looks into the user database for it, at a twentieth of its start-up time.
  kept.try_emplace("SHELL", "/bin/bash");
  // Nobody is there to page or to answer.
  kept["PAGER"] = "cat";
  kept["GIT_PAGER"] = "cat";
  kept["GIT_TERMINAL_PROMPT"] = "0";
  std::vector<std::string> list;
  list.reserve(kept.size());
  for (const auto& [name, value] : kept) list.push_back(name + "=" + value);
  return list;
}

}  // namespace yume::tools
