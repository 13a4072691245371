// SPDX-License-Identifier: MIT
// Lists of commands that lie beside the tests: a line each, `#` begins a comment, control
// characters are escaped.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "permissions/policy.h"
#include "support/tests_folder.h"

namespace yume::permissions::test {

struct CommandLine {
  std::string verdict = {};  // empty where the list has none
  std::string command = {};
};

inline std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out.push_back(text[i]);
      continue;
    }
    const char c = text[++i];
    if (c == 'x' && i + 2 < text.size()) {
      out.push_back(static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16)));
      i += 2;
    } else {
      out.push_back(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
    }
  }
  return out;
}

inline std::vector<CommandLine> read_command_lines(const std::string& name) {
  std::ifstream file(yume::test::tests_folder() + "/unit/permissions/" + name);
  EXPECT_TRUE(file.is_open()) << name;
  std::vector<CommandLine> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) {
      lines.push_back({.command = unescaped(line)});
    } else {
      lines.push_back({.verdict = line.substr(0, tab), .command = unescaped(line.substr(tab + 1))});
    }
  }
  return lines;
}

inline Rule rule_of(std::string_view text, RuleEffect effect) {
  auto rule = parse_rule(text, effect);
  EXPECT_TRUE(rule.ok()) << text;
  return rule.ok() ? *rule : Rule{};
}

inline bool allows(const ModePolicy& policy, const std::string& command) {
  const core::ToolCall call{.id = "x", .name = "Bash", .input = {"{}"}};
  return std::holds_alternative<core::Allow>(policy.decide(call, core::RunsCommand{command}));
}

}  // namespace yume::permissions::test
