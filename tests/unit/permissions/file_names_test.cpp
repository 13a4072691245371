// SPDX-License-Identifier: MIT
#include "permissions/file_names.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "permissions/policy.h"

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

// /w/app/link leads to /secret/deep.
std::vector<fs::path> names_with_link(const fs::path& given) {
  const std::string text = given.generic_string();
  constexpr std::string_view k_link = "/w/app/link";
  if (!text.starts_with(k_link)) return {given, given.lexically_normal()};
  const fs::path behind = "/secret/deep" + text.substr(k_link.size());
  return {given, behind.lexically_normal()};
}

PolicySettings settings() {
  return {.mode = core::PermissionMode::default_mode,
          .roots = {"/w/app"},
          .home = "/home/u",
          .file_names = names_with_link};
}

bool runs_unasked(const PolicySettings& with, const std::string& command) {
  const core::Decision decision = ModePolicy(with).decide(
      {.id = "x", .name = "Bash", .input = {"{}"}}, core::RunsCommand{command});
  return std::holds_alternative<core::Allow>(decision);
}

TEST(AllNames, AreThoseOfTheTextAndThoseBehindLinks) {
  EXPECT_EQ(all_names("/w/app/link/../x", names_with_link),
            (std::vector<fs::path>{"/w/app/x", "/secret/x"}));
  EXPECT_EQ(all_names("/w/app/a/../x", nullptr), (std::vector<fs::path>{"/w/app/x"}));
}

TEST(AllNames, LeavesAProcessItsDescriptors) {
  const auto leads_elsewhere = [](const fs::path& given) {
    return std::vector<fs::path>{given, "/proc/1/fd/1"};
  };
  for (const char* own : {"/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/3"}) {
    EXPECT_EQ(all_names(own, leads_elsewhere), (std::vector<fs::path>{own}));
  }
  for (const char* other : {"/dev/fd", "/dev/fd/../x", "/dev/fd/3x", "/dev/stdout2"}) {
    EXPECT_EQ(all_names(other, leads_elsewhere).size(), 2U) << other;
  }
}

TEST(WithParentsKept, DropsOnlyWhatChangesNothing) {
  EXPECT_EQ(with_parents_kept("/a/./b//c/"), "/a/b/c");
  EXPECT_EQ(with_parents_kept("/a/./b/../c/."), "/a/b/../c");
}

TEST(FolderAboveALink, IsWhereTheLinkLeads) {
  for (const char* command :
       {"cat link/../id", "cat ./link/../id", "head -1 link/../id", "cd link/.. && cat id",
        "cd link && cat ../id", "ls link/..", "grep -r x link/.."}) {
    EXPECT_FALSE(runs_unasked(settings(), command)) << command;
  }
  for (const char* command : {"cat id", "cat a/../id", "cd a && cat ../id"}) {
    EXPECT_TRUE(runs_unasked(settings(), command)) << command;
  }
}

TEST(FolderAboveALink, DoesNotHideAFileFromADenial) {
  PolicySettings with = settings();
  with.mode = core::PermissionMode::bypass;
  with.rules.deny.push_back(*parse_rule("Read(//secret/**)", RuleEffect::deny));
  for (const char* command :
       {"cat link/../id", "cp link/../id x", "cd link && cat ../id", "cat < link/../id"}) {
    EXPECT_FALSE(runs_unasked(with, command)) << command;
  }
  EXPECT_TRUE(runs_unasked(with, "cat a/../id"));
}

}  // namespace
}  // namespace yume::permissions
