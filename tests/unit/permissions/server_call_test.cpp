// SPDX-License-Identifier: MIT
// Calls of MCP servers, of agents and of skills: what decides about them in each mode, and what a
// host could answer so that it is not asked again.
#include "permissions/policy.h"
#include "unit/permissions/command_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace yume::permissions {
namespace {

using core::PermissionMode;

const core::ToolCall k_move{.id = "1", .name = "mcp__files__move", .input = {"{}"}};
const core::Action k_moves = core::CallsServer{.server = "files", .tool = "move"};
const core::ToolCall k_agent{.id = "1", .name = "Task", .input = {"{}"}};
const core::Action k_starts = core::StartsAgent{.type = "Plan"};

PolicySettings in_mode(PermissionMode mode) {
  return {.mode = mode, .roots = {"/w"}, .home = "/home/u"};
}

PolicySettings with_rule(PermissionMode mode, RuleEffect effect, const std::string& rule) {
  PolicySettings settings = in_mode(mode);
  settings.rules.of(effect).push_back(test::rule_of(rule, effect));
  return settings;
}

std::string outcome(const core::Decision& decision) {
  if (std::holds_alternative<core::Allow>(decision)) return "allow";
  return std::holds_alternative<core::Deny>(decision) ? "deny" : "ask";
}

std::string outcome(PolicySettings settings, const core::ToolCall& call,
                    const core::Action& action) {
  return outcome(ModePolicy(std::move(settings)).decide(call, action));
}

TEST(ServerCalls, AreAskedForInEveryModeThatAsks) {
  const std::vector<std::pair<PermissionMode, std::string>> rows = {
      {PermissionMode::default_mode, "ask"}, {PermissionMode::accept_edits, "ask"},
      {PermissionMode::plan, "ask"},         {PermissionMode::dont_ask, "deny"},
      {PermissionMode::bypass, "allow"},
  };
  for (const auto& [mode, expected] : rows) {
    EXPECT_EQ(outcome(in_mode(mode), k_move, k_moves), expected) << core::to_string(mode);
    // Its own calls are decided one by one.
    EXPECT_EQ(outcome(in_mode(mode), k_agent, k_starts), "allow") << core::to_string(mode);
  }
}

TEST(ServerCalls, RunWhereYumeExpectsTools) {
  PolicySettings settings = in_mode(PermissionMode::default_mode);
  settings.trust = HostTrust::runs_tools;
  EXPECT_EQ(outcome(std::move(settings), k_move, k_moves), "allow");
}

TEST(ServerCalls, FollowRulesThatNameServerOrTool) {
  for (const std::string rule :
       {"mcp__files", "mcp__files__*", "mcp__files__move", "mcp__files__mo*"}) {
    for (const PermissionMode mode : {PermissionMode::default_mode, PermissionMode::dont_ask,
                                      PermissionMode::plan, PermissionMode::bypass}) {
      EXPECT_EQ(outcome(with_rule(mode, RuleEffect::deny, rule), k_move, k_moves), "deny") << rule;
      EXPECT_EQ(outcome(with_rule(mode, RuleEffect::allow, rule), k_move, k_moves), "allow")
          << rule;
    }
  }
  EXPECT_EQ(outcome(with_rule(PermissionMode::default_mode, RuleEffect::allow, "mcp__files__read"),
                    k_move, k_moves),
            "ask");
  EXPECT_EQ(
      outcome(with_rule(PermissionMode::bypass, RuleEffect::ask, "mcp__files"), k_move, k_moves),
      "ask");
}

TEST(ServerCalls, SuggestARuleForThatTool) {
  const ModePolicy policy(in_mode(PermissionMode::default_mode));
  const core::Decision decision = policy.decide(k_move, k_moves);
  ASSERT_TRUE(std::holds_alternative<core::Ask>(decision));
  const auto& suggestions = std::get<core::Ask>(decision).suggestions;
  ASSERT_EQ(suggestions.size(), 1U);
  EXPECT_EQ(std::get<core::RulesUpdate>(suggestions.front()).rules,
            std::vector<std::string>{"mcp__files__move"});
}

TEST(SkillRules, DenyThatSkillAlone) {
  const PolicySettings settings = with_rule(PermissionMode::bypass, RuleEffect::deny, "Skill(pdf)");
  const auto call = [](const char* skill) {
    return core::ToolCall{
        .id = "1", .name = "Skill", .input = {std::string(R"({"skill":")") + skill + "\"}"}};
  };
  EXPECT_EQ(outcome(settings, call("pdf"), core::StaysInSession{}), "deny");
  EXPECT_EQ(outcome(settings, call("docx"), core::StaysInSession{}), "allow");
}

TEST(ReadablePlaces, AreReadUnaskedOnceTheyAreAdded) {
  ModePolicy policy(in_mode(PermissionMode::default_mode));
  const core::ToolCall read{.id = "1", .name = "Read", .input = {"{}"}};
  const core::Action reads = core::ReadsFile{.path = "/out/long.txt"};
  EXPECT_EQ(outcome(policy.decide(read, reads)), "ask");
  policy.add_readable("/out");
  EXPECT_EQ(outcome(policy.decide(read, reads)), "allow");
  EXPECT_EQ(policy.roots(), std::vector<std::filesystem::path>{"/w"});
}

// What tests and subagents put in a policy's place.
class Permissive final : public PermissionPolicy {
 public:
  [[nodiscard]] core::Decision decide(const core::ToolCall& /*call*/,
                                      const core::Action& /*action*/) const override {
    return core::Allow{};
  }
  void set_mode(core::PermissionMode mode) override { mode_ = mode; }
  PermissionMode mode_ = PermissionMode::default_mode;
};

TEST(PermissionPolicy, HidesNothingByItselfAndTakesModes) {
  Permissive policy;
  EXPECT_FALSE(policy.hides_files());
  EXPECT_FALSE(policy.hides("/etc/shadow"));
  EXPECT_FALSE(policy.names_host("localhost"));
  EXPECT_EQ(policy.apply(core::ModeUpdate{.mode = PermissionMode::plan}), UpdateOutcome{});
  EXPECT_EQ(policy.apply(core::RulesUpdate{.rules = {"Read"}}), UpdateOutcome{});
  EXPECT_EQ(policy.mode_, PermissionMode::plan);
}

TEST(PermitsLess, OrdersTheModes) {
  const std::vector<PermissionMode> order = {PermissionMode::plan, PermissionMode::dont_ask,
                                             PermissionMode::default_mode,
                                             PermissionMode::accept_edits, PermissionMode::bypass};
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      EXPECT_EQ(permits_less(order[i], order[j]), i < j) << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace yume::permissions
