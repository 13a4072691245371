// SPDX-License-Identifier: MIT
#include "permissions/rules.h"

#include "permissions/hosts.h"
#include "util/glob_match.h"
#include "util/path_text.h"

#include <algorithm>
#include <optional>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

Rule parse_rule(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return {std::string(text), {}};
  std::string_view spec = text.substr(open + 1, text.size() - open - 2);
  if (spec == "*") spec = {};
  return {std::string(text.substr(0, open)), std::string(spec)};
}

bool names_tool(const Rule& rule, const core::ToolCall& call, const core::Action& action) {
  if (rule.tool == call.name || rule.tool == "*") return true;
  if (rule.tool == "Edit") return std::holds_alternative<core::WritesFile>(action);
  if (rule.tool == "Read") return std::holds_alternative<core::ReadsFile>(action);
  return false;
}

// The file's real path and the path it was named by; empty for a command.
std::vector<fs::path> paths_of(const core::Action& action) {
  if (const auto* read = std::get_if<core::ReadsFile>(&action)) return {read->path, read->given};
  if (const auto* write = std::get_if<core::WritesFile>(&action)) {
    return {write->path, write->given};
  }
  return {};
}

// Claude's anchors: `//x` is absolute, `~/x` below home, `/x` and `x` below the working directory;
// a bare name matches at any depth.
bool path_matches(const std::string& spec, const fs::path& path, const RuleScope& scope) {
  std::string pattern;
  if (spec.starts_with("//")) {
    pattern = spec.substr(1);
  } else if (spec.starts_with("~/")) {
    pattern = to_utf8(scope.home / spec.substr(2));
  } else if (spec.find('/') == std::string::npos) {
    pattern = "/**/" + spec;
  } else {
    const std::size_t skip = spec.starts_with("./") ? 2 : spec.starts_with("/") ? 1 : 0;
    pattern = to_utf8(scope.cwd / spec.substr(skip));
  }
  return glob_match(pattern, to_utf8(path)) || glob_match(pattern + "/**", to_utf8(path));
}

// `git diff:*` and `git diff *` end at a word: they match `git diff x`, not `git difftool`.
bool command_matches(std::string_view spec, std::string_view command) {
  std::optional<std::string_view> stem;
  if (spec.ends_with(":*") || spec.ends_with(" *")) stem = spec.substr(0, spec.size() - 2);
  if (stem) {
    return command == *stem ||
           (command.starts_with(*stem) && command.substr(stem->size()).starts_with(' '));
  }
  return wildcard_match(spec, command);
}

constexpr std::string_view k_domain = "domain:";

// The host pattern of `WebFetch(domain:PATTERN)`; nullopt for every other rule.
std::optional<std::string_view> host_pattern(const Rule& rule) {
  if (!rule.spec.starts_with(k_domain)) return std::nullopt;
  return std::string_view(rule.spec).substr(k_domain.size());
}

// One plain command: nothing that starts, joins, redirects or expands.
bool is_simple(std::string_view command) {
  return command.find_first_of("\n\r;|&<>()`$\\\"'{}[]*?~#!=^") == std::string_view::npos;
}

// The command as the shell would see its words: white space joined, quotes and escapes gone.
std::string plain_words(std::string_view command) {
  std::string out;
  for (const char c : command) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (space) {
      if (!out.empty() && out.back() != ' ') out.push_back(' ');
    } else if (c != '"' && c != '\'' && c != '\\') {
      out.push_back(c);
    }
  }
  return out;
}

bool any_part_matches(const std::string& spec, std::string_view command) {
  constexpr std::string_view k_borders = " ;|&()<>`/{}$";
  for (std::size_t at = 0; at < command.size(); ++at) {
    if (at > 0 && k_borders.find(command[at - 1]) == std::string_view::npos) continue;
    const std::string_view rest = command.substr(at);
    if (command_matches(spec, rest)) return true;
    // An exact rule also covers the command at the start of a chain.
    for (std::size_t end = 0; (end = rest.find_first_of(k_borders, end)) != rest.npos; ++end) {
      std::string_view part = rest.substr(0, end);
      if (command_matches(spec, part)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Rule> parse_rules(std::string_view list) {
  std::vector<Rule> rules;
  int depth = 0;
  std::string current;
  const auto finish = [&] {
    if (!current.empty()) rules.push_back(parse_rule(current));
    current.clear();
  };
  for (const char c : list) {
    if (depth == 0 && (c == ',' || c == ' ')) {
      finish();
      continue;
    }
    if (c == '(') ++depth;
    if (c == ')') depth = std::max(0, depth - 1);
    current.push_back(c);
  }
  finish();
  return rules;
}

bool rule_allows(const Rule& rule, const core::ToolCall& call, const core::Action& action,
                 const RuleScope& scope) {
  if (!names_tool(rule, call, action)) return false;
  if (rule.spec.empty()) return true;
  if (const auto* run = std::get_if<core::RunsCommand>(&action)) {
    return run->command == rule.spec ||
           (is_simple(run->command) && command_matches(rule.spec, run->command));
  }
  if (const auto* reach = std::get_if<core::ReachesHost>(&action)) {
    const auto pattern = host_pattern(rule);
    return pattern && host_matches(*pattern, reach->host);
  }
  const std::vector<fs::path> paths = paths_of(action);
  return !paths.empty() && std::all_of(paths.begin(), paths.end(), [&](const fs::path& path) {
    return path.empty() || path_matches(rule.spec, path, scope);
  });
}

bool rule_denies(const Rule& rule, const core::ToolCall& call, const core::Action& action,
                 const RuleScope& scope) {
  // What may not be read may not be changed either.
  const bool read_rule_on_write =
      rule.tool == "Read" && !rule.spec.empty() && std::holds_alternative<core::WritesFile>(action);
  if (!names_tool(rule, call, action) && !read_rule_on_write) return false;
  if (rule.spec.empty()) return true;
  if (const auto* run = std::get_if<core::RunsCommand>(&action)) {
    return any_part_matches(rule.spec, run->command) ||
           any_part_matches(rule.spec, plain_words(run->command));
  }
  if (const auto* reach = std::get_if<core::ReachesHost>(&action)) {
    // A rule that cannot be read was meant to keep something out: nothing gets by it.
    const auto pattern = host_pattern(rule);
    return !pattern || host_matches(*pattern, reach->host);
  }
  if (std::holds_alternative<core::SearchesWeb>(action)) return true;
  const std::vector<fs::path> paths = paths_of(action);
  return std::any_of(paths.begin(), paths.end(), [&](const fs::path& path) {
    return !path.empty() && path_matches(rule.spec, path, scope);
  });
}

bool rule_names_host(const Rule& rule, std::string_view host) {
  const auto pattern = host_pattern(rule);
  return rule.tool == "WebFetch" && pattern && !pattern->starts_with('*') &&
         host_matches(*pattern, host);
}

}  // namespace yume::permissions
