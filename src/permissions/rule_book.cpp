// SPDX-License-Identifier: MIT
#include "permissions/rule_book.h"

#include "permissions/hosts.h"
#include "permissions/parameter_rule.h"
#include "util/glob_match.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_domain = "domain:";
constexpr std::string_view k_local = "local:";
constexpr std::array<std::string_view, 4> k_readers = {"Read", "Grep", "Glob", "LS"};
constexpr std::array<std::string_view, 4> k_writers = {"Edit", "Write", "MultiEdit",
                                                       "NotebookEdit"};

bool among(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The host pattern of `WebFetch(domain:PATTERN)` and `WebFetch(local:PATTERN)`.
std::optional<std::string_view> host_pattern(const Rule& rule) {
  for (const std::string_view prefix : {k_domain, k_local}) {
    if (rule.spec.starts_with(prefix)) return std::string_view(rule.spec).substr(prefix.size());
  }
  return std::nullopt;
}

bool any_path(const RuleBook::Compiled& rule, const std::vector<fs::path>& paths) {
  return std::any_of(paths.begin(), paths.end(),
                     [&](const fs::path& path) { return rule.paths->matches(path); });
}

bool names_tool(const Rule& rule, const CallFacts& facts) {
  const std::string& name = facts.call.name;
  if (rule.tool == name || rule.tool == "*") return true;
  if (rule.tool.starts_with("mcp__")) {
    return wildcard_match(rule.tool, name) || name.starts_with(rule.tool + "__");
  }
  if (rule.tool == "Edit") return std::holds_alternative<core::WritesFile>(facts.action);
  if (rule.tool == "Read") return std::holds_alternative<core::ReadsFile>(facts.action);
  return false;
}

// A denial that names files. It is about what happens to the file, whichever tool does it.
bool restricts_files(const RuleBook::Compiled& rule, const CallFacts& facts) {
  const bool reads = among(k_readers, rule.rule.tool);
  if (facts.command != nullptr) {
    const CommandFacts& command = *facts.command;
    if (!reads && command.read_only) return false;
    if (any_path(rule, command.mentioned) || any_path(rule, command.written)) return true;
    return reads && std::any_of(command.directories.begin(), command.directories.end(),
                                [&](const fs::path& one) { return rule.paths->reaches_into(one); });
  }
  // What may not be read may not be changed either.
  const bool writes = std::holds_alternative<core::WritesFile>(facts.action);
  if (!reads && !writes) return false;
  return any_path(rule, facts.paths);
}

bool restricts_command(const RuleBook::Compiled& rule, const CommandFacts& command) {
  return rule.command->found_in(command.text) || rule.command->found_in(command.plain);
}

bool restricts(const RuleBook::Compiled& rule, const CallFacts& facts) {
  if (rule.paths) return restricts_files(rule, facts);
  if (!names_tool(rule.rule, facts)) return false;
  if (rule.rule.spec.empty()) return true;
  if (matches_parameter(rule.rule.spec, facts.call)) return true;
  if (matches_skill(rule.rule.spec, facts.call)) return true;
  if (rule.command && facts.command != nullptr) return restricts_command(rule, *facts.command);
  if (const auto* starts = std::get_if<core::StartsAgent>(&facts.action)) {
    return rule.rule.spec == starts->type;
  }
  if (const auto* reach = std::get_if<core::ReachesHost>(&facts.action)) {
    const auto pattern = host_pattern(rule.rule);
    return pattern && host_matches(*pattern, reach->host);
  }
  return false;
}

const Rule* first_restriction(const std::vector<RuleBook::Compiled>& rules,
                              const CallFacts& facts) {
  for (const RuleBook::Compiled& one : rules) {
    if (restricts(one, facts)) return &one.rule;
  }
  return nullptr;
}

}  // namespace

const std::vector<Rule>& RuleSet::of(RuleEffect effect) const {
  return effect == RuleEffect::deny ? deny : effect == RuleEffect::ask ? ask : allow;
}

std::vector<Rule>& RuleSet::of(RuleEffect effect) {
  return effect == RuleEffect::deny ? deny : effect == RuleEffect::ask ? ask : allow;
}

bool RuleSet::denies_tool(std::string_view tool) const {
  return std::any_of(deny.begin(), deny.end(), [tool](const Rule& rule) {
    return rule.spec.empty() && (rule.tool == tool || rule.tool == "*");
  });
}

bool is_path_rule(std::string_view tool) {
  return among(k_readers, tool) || among(k_writers, tool);
}

std::vector<RuleBook::Compiled> RuleBook::compile(const std::vector<Rule>& rules, RuleEffect effect,
                                                  const PatternPlaces& places) {
  std::vector<Compiled> out;
  for (const Rule& rule : rules) {
    Compiled& one = out.emplace_back(Compiled{.rule = rule});
    if (rule.spec.empty()) continue;
    if (rule.tool == "Bash") one.command.emplace(rule.spec);
    if (is_path_rule(rule.tool)) one.paths.emplace(rule, effect, places);
  }
  return out;
}

RuleBook::RuleBook(RuleSet rules, const PatternPlaces& places)
    : rules_(std::move(rules)),
      deny_(compile(rules_.deny, RuleEffect::deny, places)),
      ask_(compile(rules_.ask, RuleEffect::ask, places)),
      allow_(compile(rules_.allow, RuleEffect::allow, places)) {
  has_scoped_denials_ = std::any_of(deny_.begin(), deny_.end(), [](const Compiled& one) {
    return one.command.has_value() || one.paths.has_value();
  });
}

const Rule* RuleBook::find_denial(const CallFacts& facts) const {
  return first_restriction(deny_, facts);
}

const Rule* RuleBook::find_question(const CallFacts& facts) const {
  return first_restriction(ask_, facts);
}

const Rule* RuleBook::find_allowance(const CallFacts& facts) const {
  for (const Compiled& one : allow_) {
    if (!names_tool(one.rule, facts)) continue;
    if (one.rule.spec.empty()) return &one.rule;
    if (one.paths && !facts.paths.empty() &&
        std::all_of(facts.paths.begin(), facts.paths.end(),
                    [&](const fs::path& path) { return one.paths->matches(path); })) {
      return &one.rule;
    }
    const auto* reach = std::get_if<core::ReachesHost>(&facts.action);
    const auto pattern = host_pattern(one.rule);
    if (reach != nullptr && pattern && host_matches(*pattern, reach->host)) return &one.rule;
  }
  return nullptr;
}

const Rule* RuleBook::allows_path(std::string_view tool, const std::vector<fs::path>& names) const {
  for (const Compiled& one : allow_) {
    if (!one.paths || one.rule.tool != tool) continue;
    if (std::all_of(names.begin(), names.end(),
                    [&](const fs::path& path) { return one.paths->matches(path); })) {
      return &one.rule;
    }
  }
  return nullptr;
}

bool RuleBook::hides(const fs::path& path) const {
  return std::any_of(deny_.begin(), deny_.end(), [&](const Compiled& one) {
    // Without a path it is about one tool, and only Read is about all reading.
    if (!one.paths) return one.rule.tool == "Read";
    return among(k_readers, one.rule.tool) && one.paths->matches(path);
  });
}

bool RuleBook::names_host(std::string_view host) const {
  return std::any_of(allow_.begin(), allow_.end(), [host](const Compiled& one) {
    if (one.rule.tool != "WebFetch") return false;
    const auto pattern = host_pattern(one.rule);
    if (!pattern || pattern->starts_with('*') || !host_matches(*pattern, host)) return false;
    return one.rule.spec.starts_with(k_local) || is_own_name(host);
  });
}

}  // namespace yume::permissions
