// SPDX-License-Identifier: MIT
#include "permissions/policy.h"

#include <gtest/gtest.h>

namespace yume::permissions {
namespace {

using core::PermissionMode;

const core::ToolCall k_write{.id = "1", .name = "Write", .input = {"{}"}};
const core::Action k_writes = core::WritesFile{.path = "/w/a.txt", .given = "/w/a.txt"};

ModePolicy policy_in(PermissionMode mode, RuleSet rules = {}) {
  PolicySettings settings;
  settings.mode = mode;
  settings.roots = {"/w"};
  settings.rules = std::move(rules);
  return ModePolicy(std::move(settings));
}

bool allows(const core::Decision& decision) {
  return std::holds_alternative<core::Allow>(decision);
}

TEST(NarrowedMode, PermitsLess) {
  const ModePolicy policy = policy_in(PermissionMode::accept_edits);
  EXPECT_TRUE(allows(policy.decide(k_write, k_writes)));
  EXPECT_FALSE(allows(policy.decide_within(PermissionMode::plan, k_write, k_writes)));
  EXPECT_FALSE(allows(policy.decide_within(PermissionMode::default_mode, k_write, k_writes)));
}

TEST(NarrowedMode, NeverPermitsMore) {
  const ModePolicy policy = policy_in(PermissionMode::default_mode);
  for (const PermissionMode mode : {PermissionMode::accept_edits, PermissionMode::bypass}) {
    EXPECT_FALSE(allows(policy.decide_within(mode, k_write, k_writes)));
    EXPECT_TRUE(permits_less(policy.mode(), mode));
  }
}

TEST(AgentRules, AreAboutTheAgentsName) {
  RuleSet rules;
  rules.deny = {*parse_rule("Task(Explore)", RuleEffect::deny)};
  rules.ask = {*parse_rule("Agent(Plan)", RuleEffect::ask)};
  const ModePolicy policy = policy_in(PermissionMode::default_mode, rules);
  const core::ToolCall call{.id = "1", .name = "Agent", .input = {"{}"}};
  EXPECT_TRUE(std::holds_alternative<core::Deny>(
      policy.decide(call, core::StartsAgent{.type = "Explore"})));
  EXPECT_TRUE(
      std::holds_alternative<core::Ask>(policy.decide(call, core::StartsAgent{.type = "Plan"})));
  EXPECT_TRUE(allows(policy.decide(call, core::StartsAgent{.type = "general-purpose"})));
}

}  // namespace
}  // namespace yume::permissions
