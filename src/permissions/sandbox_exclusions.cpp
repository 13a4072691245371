// SPDX-License-Identifier: MIT
#include "permissions/sandbox_exclusions.h"

#include "permissions/command_cover.h"
#include "permissions/protected_paths.h"

#include <algorithm>
#include <utility>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

RuleSet rules_for(const std::vector<std::string>& patterns) {
  RuleSet rules;
  for (const std::string& pattern : patterns) {
    const bool is_word = pattern.find_first_of(" \t*:") == std::string::npos;
    auto rule = parse_rule("Bash(" + pattern + (is_word ? ":*)" : ")"), RuleEffect::allow);
    if (rule.ok()) rules.allow.push_back(std::move(rule).value());
  }
  return rules;
}

PatternPlaces pattern_places(const ExclusionPlaces& places) {
  return {.cwd = places.roots.empty() ? fs::path("/") : places.roots.front(), .home = places.home};
}

}  // namespace

SandboxExclusions::SandboxExclusions(const std::vector<std::string>& patterns,
                                     ExclusionPlaces places)
    : places_(std::move(places)), rules_(rules_for(patterns), pattern_places(places_)) {}

bool SandboxExclusions::cover(const std::string& command, const fs::path& cwd) const {
  const ShellPlaces places{.cwd = cwd, .home = places_.home};
  const CommandFacts facts = command_facts(command, places, places_.file_names);
  const auto of_workspace = [this](const fs::path& path) { return is_of_workspace(path); };
  return cover_of(
             facts, rules_, places,
             {.may_read = of_workspace,
              .may_write =
                  [&](const fs::path& path) { return of_workspace(path) && !is_protected(path); }})
      .whole;
}

bool SandboxExclusions::is_of_workspace(const fs::path& given) const {
  const std::vector<fs::path> names = all_names(given, places_.file_names);
  return std::all_of(names.begin(), names.end(), [this](const fs::path& name) {
    return std::any_of(places_.roots.begin(), places_.roots.end(),
                       [&name](const fs::path& root) { return is_inside(name, root); });
  });
}

}  // namespace yume::permissions
