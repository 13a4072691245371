// SPDX-License-Identifier: MIT
#include "permissions/parameter_rule.h"

#include <gtest/gtest.h>

namespace yume::permissions {
namespace {

core::ToolCall skill(const char* input) {
  return {.id = "1", .name = "Skill", .input = {input}};
}

TEST(SkillRule, NamesASkill) {
  EXPECT_TRUE(matches_skill("pdf", skill(R"({"skill":"pdf"})")));
  EXPECT_TRUE(matches_skill("pdf", skill(R"({"skill":"/pdf"})")));
  EXPECT_TRUE(matches_skill("p*", skill(R"({"skill":"pdf"})")));
  EXPECT_FALSE(matches_skill("pdf", skill(R"({"skill":"pdfs"})")));
  EXPECT_FALSE(matches_skill("pdf", skill(R"({"skill":3})")));
  EXPECT_FALSE(matches_skill("pdf", skill(R"(["pdf"])")));
  EXPECT_FALSE(matches_skill("pdf", skill(R"({"skill":)")));
  EXPECT_FALSE(matches_skill("pdf", {.id = "1", .name = "Task", .input = {R"({"skill":"pdf"})"}}));
}

}  // namespace
}  // namespace yume::permissions
