// SPDX-License-Identifier: MIT
// Permission rules as hosts write them: `Bash`, `Bash(git diff:*)`, `Edit(src/**)`,
// `Read(//etc/**)`, `WebFetch(domain:example.com)`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/permission.h"
#include "core/tool_call.h"

namespace yume::permissions {

struct Rule {
  std::string tool;
  std::string spec;  // empty: the whole tool

  friend bool operator==(const Rule&, const Rule&) = default;
};

// A list separated by commas or spaces outside parentheses. `Tool(*)` means `Tool`.
std::vector<Rule> parse_rules(std::string_view list);

struct RuleScope {
  std::filesystem::path cwd;
  std::filesystem::path home;
};

// An allow rule must cover the whole call; when in doubt it does not.
bool rule_allows(const Rule& rule, const core::ToolCall& call, const core::Action& action,
                 const RuleScope& scope);
// A deny rule applies when any part of the call matches; when in doubt it does.
bool rule_denies(const Rule& rule, const core::ToolCall& call, const core::Action& action,
                 const RuleScope& scope);

// `WebFetch(domain:HOST)` and nothing wider.
bool rule_names_host(const Rule& rule, std::string_view host);

}  // namespace yume::permissions
