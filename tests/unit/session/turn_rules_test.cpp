// SPDX-License-Identifier: MIT
#include "session/prompt/turn_rules.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::session {
namespace {

std::vector<std::string> allowed(const permissions::ModePolicy& policy) {
  std::vector<std::string> texts;
  for (const permissions::Rule& rule : policy.rules().allow) texts.push_back(rule.text());
  return texts;
}

using Strings = std::vector<std::string>;

TEST(TurnRules, HoldForAsLongAsTheyLive) {
  permissions::ModePolicy policy({.roots = {"/w"}});
  policy.apply(core::RulesUpdate{.rules = {"Read(a)"}});
  Strings problems;
  {
    TurnRules outer;
    {
      TurnRules rules(policy, {"Read(a)", "Bash(make:*)", "Nonsense("}, problems);
      EXPECT_EQ(allowed(policy), (Strings{"Read(a)", "Bash(make:*)"}));
      outer = std::move(rules);
    }
    EXPECT_EQ(allowed(policy), (Strings{"Read(a)", "Bash(make:*)"}));
  }
  EXPECT_EQ(allowed(policy), Strings{"Read(a)"});
  EXPECT_EQ(problems.size(), 1U);
}

}  // namespace
}  // namespace yume::session
