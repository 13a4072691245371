// SPDX-License-Identifier: MIT
// Permission rules as people and hosts write them: `Bash`, `Bash(git diff:*)`, `Edit(src/**)`,
// `Read(//etc/**)`, `WebFetch(domain:example.com)`, `mcp__server__tool`. Here they are read; what
// they match is in rule_match.h. Pure.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "util/result.h"

namespace yume::permissions {

enum class RuleEffect { deny, ask, allow };
std::string_view to_string(RuleEffect effect);

// Who wrote it: power goes down this list.
enum class RuleSource { managed, command_line, local_file, project_file, user_file, session };

struct RuleOrigin {
  RuleSource source = RuleSource::command_line;
  std::string name = {};  // for people: a file, "--disallowedTools", "this session"

  friend bool operator==(const RuleOrigin&, const RuleOrigin&) = default;
};

struct Rule {
  std::string tool;       // by our name for it
  std::string spec = {};  // empty: the whole tool
  RuleOrigin origin = {};
  std::filesystem::path anchor = {};  // where `/x` in its spec begins; empty: the working directory

  // As it is written.
  [[nodiscard]] std::string text() const;

  friend bool operator==(const Rule&, const Rule&) = default;
};

// One rule. The message quotes it and says what is wrong and what was probably meant. Whoever adds
// a denial or a question must not go on without it; an allowance that cannot be read permits
// nothing, and leaving it out is safe.
Result<Rule> parse_rule(std::string_view text, RuleEffect effect);

// The entries of a flag's list: separated by commas or spaces outside parentheses. A parenthesis
// that is never closed is part of its entry, for parse_rule() to refuse.
std::vector<std::string> split_rules(std::string_view list);

}  // namespace yume::permissions
