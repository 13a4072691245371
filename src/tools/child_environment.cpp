// SPDX-License-Identifier: MIT
#include "tools/bash.h"

#include "util/ascii.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace yume::tools {
namespace {

bool starts_with_any(std::string_view name, const auto& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [name](std::string_view prefix) { return name.starts_with(prefix); });
}

// Nobody is there to page or to answer.
constexpr std::array<std::pair<const char*, const char*>, 3> k_unattended = {
    {{"PAGER", "cat"}, {"GIT_PAGER", "cat"}, {"GIT_TERMINAL_PROMPT", "0"}}};

// A variable under its name in every case, where names have none.
class ChildVariables {
 public:
  explicit ChildVariables(bool ignores_case) : ignores_case_(ignores_case) {}

  // How the system compares the name.
  [[nodiscard]] std::string key(std::string_view name) const {
    return ignores_case_ ? ascii_upper(name) : std::string(name);
  }
  void set(const std::string& name, const std::string& value) {
    lines_.insert_or_assign(key(name), name + "=" + value);
  }
  void set_if_missing(const std::string& name, const std::string& value) {
    lines_.try_emplace(key(name), name + "=" + value);
  }
  [[nodiscard]] std::vector<std::string> list() const {
    std::vector<std::string> list;
    list.reserve(lines_.size());
    for (const auto& [name, line] : lines_) list.push_back(line);
    return list;
  }

 private:
  bool ignores_case_;
  std::map<std::string, std::string> lines_;
};

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
  const std::string upper = ascii_upper(name);
  return std::any_of(k_words.begin(), k_words.end(), [&upper](std::string_view word) {
    return upper.find(word) != std::string::npos;
  });
}

std::vector<std::string> child_environment(const platform::Variables& variables,
                                           const platform::CommandSystem& system) {
  ChildVariables kept(system.variables_ignore_case);
  for (const auto& [name, value] : variables) {
    if (!is_kept_from_children(kept.key(name))) kept.set(name, value);
  }
  for (const auto& [name, value] : system.default_variables) kept.set_if_missing(name, value);
  for (const auto& [name, value] : k_unattended) kept.set(name, value);
  return kept.list();
}

std::vector<std::string> terminal_environment(const platform::Variables& variables) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : k_unattended) lines.push_back(name + ("=" + std::string(value)));
  for (const auto& [name, value] : variables) {
    if (is_kept_from_children(name)) lines.push_back(name + "=");
  }
  return lines;
}

}  // namespace yume::tools
