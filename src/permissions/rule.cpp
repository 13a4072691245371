// SPDX-License-Identifier: MIT
#include "permissions/rule.h"

#include "core/tool_names.h"
#include "util/ascii.h"

#include <algorithm>
#include <array>

namespace yume::permissions {
namespace {

constexpr std::size_t k_longest_spec = 4096;
constexpr std::string_view k_mcp = "mcp__";
constexpr std::string_view k_domain = "domain:";

// Their calls have nothing that a spec could be about.
constexpr std::array<std::string_view, 4> k_without_spec = {"WebSearch", "TodoWrite",
                                                            "AskUserQuestion", "ExitPlanMode"};

Error wrong(std::string_view text, const std::string& why) {
  return {.code = ErrorCode::invalid_argument,
          .message = "the rule '" + std::string(text.substr(0, 200)) + "' " + why};
}

// `bash`, `READ` and `run_shell_command` name tools, too.
std::string tool_of(std::string_view called) {
  const std::string_view name = core::tool_name_for(called);
  if (core::is_known_tool(name) || name.starts_with(k_mcp) || name == "*") return std::string(name);
  const std::string in_lower_case = ascii_lower(called);
  const std::string_view lower = core::tool_name_for(in_lower_case);
  if (core::is_known_tool(lower)) return std::string(lower);
  const auto near = core::nearest_tool(called);
  const bool same_but_case = near && ascii_lower(*near) == ascii_lower(called);
  return same_but_case ? *near : std::string(called);
}

bool is_mcp_name(std::string_view tool) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-.*").find(c) != std::string_view::npos;
  };
  return tool.starts_with(k_mcp) && tool.size() > k_mcp.size() &&
         std::all_of(tool.begin(), tool.end(), allowed);
}

// An allowance must name the server: `mcp__*` would cover servers of tomorrow.
bool allows_too_much(std::string_view tool) {
  const std::size_t star = tool.find('*');
  if (star == std::string_view::npos) return false;
  const std::string_view server_and_rest = tool.substr(k_mcp.size());
  const std::size_t separator = server_and_rest.find("__");
  return separator == std::string_view::npos || star < k_mcp.size() + separator + 2;
}

Result<void> check_tool(const Rule& rule, std::string_view text, RuleEffect effect) {
  if (rule.tool == "*") {
    if (effect != RuleEffect::allow) return {};
    return wrong(text, "allows everything; use --permission-mode bypassPermissions for that");
  }
  if (rule.tool.starts_with(k_mcp)) {
    if (!is_mcp_name(rule.tool)) return wrong(text, "is not of the form mcp__server__tool");
    if (effect == RuleEffect::allow && allows_too_much(rule.tool)) {
      return wrong(text, "has a * before the name of the tool; an allow rule must name the server");
    }
    return {};
  }
  if (core::is_known_tool(rule.tool)) return {};
  const auto near = core::nearest_tool(rule.tool);
  return wrong(text, "names no tool: there is no '" + rule.tool + "'" +
                         (near ? "; did you mean '" + *near + "'?" : ""));
}

Result<void> check_spec(const Rule& rule, std::string_view text, RuleEffect effect) {
  if (rule.spec.empty()) return {};
  if (rule.spec.size() > k_longest_spec) return wrong(text, "is longer than 4,096 characters");
  if (rule.spec.find('\0') != std::string::npos) return wrong(text, "contains a NUL byte");
  if (rule.tool == "*") return wrong(text, "is for every tool, so it can have no parentheses");
  if (effect == RuleEffect::allow) return {};
  const bool pointless =
      std::find(k_without_spec.begin(), k_without_spec.end(), rule.tool) != k_without_spec.end();
  if (pointless)
    return wrong(text, "needs no parentheses: '" + rule.tool + "' is denied as a whole");
  if (rule.tool == "WebFetch" &&
      (!rule.spec.starts_with(k_domain) || rule.spec.size() == k_domain.size())) {
    return wrong(text, "is not of the form WebFetch(domain:HOST)");
  }
  return {};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view k_blank = " \t\r\n";
  const std::size_t from = text.find_first_not_of(k_blank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(k_blank) - from + 1);
}

// Parentheses inside a spec belong to it as long as they have partners.
bool is_balanced(std::string_view spec) {
  int depth = 0;
  for (const char c : spec) {
    if (c == '(') ++depth;
    if (c == ')' && --depth < 0) return false;
  }
  return depth == 0;
}

}  // namespace

std::string_view to_string(RuleEffect effect) {
  switch (effect) {
    case RuleEffect::deny:
      return "deny";
    case RuleEffect::ask:
      return "ask";
    case RuleEffect::allow:
      return "allow";
  }
  return "";
}

std::string Rule::text() const {
  return spec.empty() ? tool : tool + "(" + spec + ")";
}

Result<Rule> parse_rule(std::string_view given, RuleEffect effect) {
  const std::string_view text = trimmed(given);
  const std::size_t open = text.find('(');
  const std::string_view name = trimmed(text.substr(0, open));
  if (name.empty()) return wrong(text, "names no tool");
  Rule rule;
  if (open == std::string_view::npos) {
    if (text.find(')') != std::string_view::npos) return wrong(text, "has a ) without a (");
  } else {
    if (!text.ends_with(')')) return wrong(text, "has a ( that is not closed at its end");
    const std::string_view spec = text.substr(open + 1, text.size() - open - 2);
    if (!is_balanced(spec)) return wrong(text, "has parentheses without partners");
    if (trimmed(spec).empty()) return wrong(text, "has nothing in its parentheses");
    if (spec != "*") rule.spec = std::string(spec);
  }
  rule.tool = tool_of(name);
  if (const auto tool = check_tool(rule, text, effect); !tool.ok()) return tool.error();
  if (const auto spec = check_spec(rule, text, effect); !spec.ok()) return spec.error();
  return rule;
}

std::vector<std::string> split_rules(std::string_view list) {
  std::vector<std::string> entries;
  int depth = 0;
  std::string current;
  const auto finish = [&] {
    if (!current.empty()) entries.push_back(std::move(current));
    current.clear();
  };
  for (const char c : list) {
    if (depth == 0 && (c == ',' || c == ' ' || c == '\t' || c == '\n')) {
      finish();
      continue;
    }
    if (c == '(') ++depth;
    if (c == ')') depth = std::max(0, depth - 1);
    current.push_back(c);
  }
  finish();
  return entries;
}

}  // namespace yume::permissions
