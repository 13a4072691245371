// SPDX-License-Identifier: MIT
// How rules are read, and what is said about those that cannot be.
#include "permissions/rule.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::permissions {
namespace {

std::string read(std::string_view text, RuleEffect effect = RuleEffect::deny) {
  const auto rule = parse_rule(text, effect);
  return rule.ok() ? rule->text() : "error: " + rule.error().message;
}

bool is_refused(std::string_view text, RuleEffect effect, std::string_view because) {
  const std::string said = read(text, effect);
  return said.starts_with("error: ") && said.find(because) != std::string::npos;
}

TEST(RuleText, KnowsToolsByEveryName) {
  EXPECT_EQ(read("Bash"), "Bash");
  EXPECT_EQ(read(" Bash "), "Bash");
  EXPECT_EQ(read("Bash(*)"), "Bash");
  EXPECT_EQ(read("bash(rm:*)"), "Bash(rm:*)");
  EXPECT_EQ(read("BASH(rm:*)"), "Bash(rm:*)");
  EXPECT_EQ(read("run_shell_command(rm:*)"), "Bash(rm:*)");
  EXPECT_EQ(read("RUN_SHELL_COMMAND(rm:*)"), "Bash(rm:*)");
  EXPECT_EQ(read("write_file"), "Write");
  EXPECT_EQ(read("replace(x)"), "Edit(x)");
  EXPECT_EQ(read("multiedit"), "MultiEdit");
  EXPECT_EQ(read("webfetch(domain:a.com)"), "WebFetch(domain:a.com)");
  EXPECT_EQ(read("*"), "*");
  EXPECT_EQ(read("mcp__server__tool"), "mcp__server__tool");
  EXPECT_EQ(read("mcp__*"), "mcp__*");
  EXPECT_EQ(read("Bash(echo (a) (b))"), "Bash(echo (a) (b))");
}

TEST(RuleText, RefusesWhatItCannotRead) {
  const std::vector<std::pair<const char*, const char*>> wrong = {
      {"", "names no tool"},
      {"   ", "names no tool"},
      {"(x)", "names no tool"},
      {"Bash(rm:*", "not closed"},
      {"Bash(rm:*) x", "not closed"},
      {"Bash)", ") without a ("},
      {"Bash(a))", "without partners"},
      {"Bash(a)(b)", "without partners"},
      {"Bash()", "nothing in its parentheses"},
      {"Bash( )", "nothing in its parentheses"},
      {"Bsh(rm:*)", "did you mean 'Bash'?"},
      {"Raed(.env)", "did you mean 'Read'?"},
      {"Quux", "there is no 'Quux'"},
      {"mcp__", "mcp__server__tool"},
      {"mcp__a b", "mcp__server__tool"},
      {"*(x)", "can have no parentheses"},
      {"WebSearch(x)", "needs no parentheses"},
      {"WebFetch(a.com)", "WebFetch(domain:HOST)"},
      {"WebFetch(domain:)", "WebFetch(domain:HOST)"},
  };
  for (const auto& [text, because] : wrong) {
    EXPECT_TRUE(is_refused(text, RuleEffect::deny, because)) << text << " -> " << read(text);
    EXPECT_TRUE(is_refused(text, RuleEffect::ask, because)) << text;
  }
  EXPECT_TRUE(is_refused("Bash(" + std::string(5000, 'a') + ")", RuleEffect::deny, "4,096"));
  EXPECT_TRUE(is_refused(std::string_view("Bash(a\0b)", 9), RuleEffect::deny, "NUL"));
}

TEST(RuleText, LetsAnAllowanceCoverNoServersOfTomorrow) {
  EXPECT_TRUE(is_refused("*", RuleEffect::allow, "allows everything"));
  EXPECT_TRUE(is_refused("mcp__*", RuleEffect::allow, "must name the server"));
  EXPECT_TRUE(is_refused("mcp__ser*__x", RuleEffect::allow, "must name the server"));
  EXPECT_EQ(read("mcp__server__*", RuleEffect::allow), "mcp__server__*");
  EXPECT_EQ(read("mcp__server", RuleEffect::allow), "mcp__server");
  EXPECT_EQ(read("WebSearch(x)", RuleEffect::allow), "WebSearch(x)");
}

TEST(RuleText, SplitsListsOutsideParentheses) {
  using List = std::vector<std::string>;
  EXPECT_EQ(split_rules("Bash(a, b) Read,Edit\tLS\nGrep"),
            (List{"Bash(a, b)", "Read", "Edit", "LS", "Grep"}));
  EXPECT_EQ(split_rules("Bash(rm:*, Read"), (List{"Bash(rm:*, Read"}))
      << "for parse_rule to refuse";
  EXPECT_EQ(split_rules("a) b"), (List{"a)", "b"}));
  EXPECT_EQ(split_rules(" , "), List{});
}

TEST(RuleText, NamesEffects) {
  EXPECT_EQ(to_string(RuleEffect::deny), "deny");
  EXPECT_EQ(to_string(RuleEffect::ask), "ask");
  EXPECT_EQ(to_string(RuleEffect::allow), "allow");
}

}  // namespace
}  // namespace yume::permissions
