// SPDX-License-Identifier: MIT
#include "config/permission_file.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::config {
namespace {

using core::PermissionMode;
using Change = core::RulesUpdate::Change;

std::string changed(const std::string& text, const core::PermissionUpdate& update) {
  const auto result = with_permission_update(text, update);
  return result.ok() ? *result : "error: " + result.error().message;
}

TEST(PermissionFile, BeginsANewOne) {
  EXPECT_EQ(changed("", core::RulesUpdate{.rules = {"Bash(make)"}}),
            "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(make)\"\n    ]\n  }\n}\n");
  EXPECT_EQ(changed(" \n", core::ModeUpdate{.mode = PermissionMode::plan}),
            "{\n  \"permissions\": {\n    \"defaultMode\": \"plan\"\n  }\n}\n");
}

TEST(PermissionFile, LeavesEverythingElseAsItIs) {
  const std::string before =
      "{\n  \"z\": 1,\n  \"permissions\": {\n    \"deny\": [\n      \"Bash(rm)\"\n    ],\n"
      "    \"allow\": [\n      \"Read\"\n    ]\n  },\n  \"a\": null\n}\n";
  const core::RulesUpdate add{.rules = {"Bash(make)", "Read"}};
  const std::string after = changed(before, add);
  EXPECT_EQ(
      after,
      "{\n  \"z\": 1,\n  \"permissions\": {\n    \"deny\": [\n      \"Bash(rm)\"\n    ],\n"
      "    \"allow\": [\n      \"Read\",\n      \"Bash(make)\"\n    ]\n  },\n  \"a\": null\n}\n");
  EXPECT_EQ(changed(after, core::RulesUpdate{.change = Change::remove, .rules = {"Bash(make)"}}),
            before);
  EXPECT_EQ(changed(after, add), after) << "nothing twice";
}

TEST(PermissionFile, ReplacesRulesAndChangesDirectories) {
  EXPECT_EQ(
      changed(R"({"permissions":{"ask":["Read","LS"]}})",
              core::RulesUpdate{.change = Change::replace, .effect = "ask", .rules = {"Glob"}}),
      "{\n  \"permissions\": {\n    \"ask\": [\n      \"Glob\"\n    ]\n  }\n}\n");
  const std::string with =
      changed(R"({"permissions":null})", core::DirectoriesUpdate{.directories = {"../lib"}});
  EXPECT_NE(with.find("\"additionalDirectories\": [\n      \"../lib\""), std::string::npos);
  EXPECT_EQ(changed(with, core::DirectoriesUpdate{.adds = false, .directories = {"../lib"}})
                .find("../lib"),
            std::string::npos);
}

TEST(PermissionFile, ChangesNothingThatItCannotRead) {
  const core::RulesUpdate add{.rules = {"Bash(make)"}};
  for (const char* text : {"{", "[]", R"({"permissions":[]})", R"({"permissions":{"allow":7}})"}) {
    EXPECT_EQ(changed(text, add).substr(0, 6), "error:") << text;
  }
}

}  // namespace
}  // namespace yume::config
