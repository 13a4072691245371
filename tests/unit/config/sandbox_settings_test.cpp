// SPDX-License-Identifier: MIT
#include "config/sandbox_settings.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/settings.h"

namespace yume::config {
namespace {

using Strings = std::vector<std::string>;

SandboxSettings read(const std::string& text) {
  auto settings = parse_sandbox_settings({text});
  EXPECT_TRUE(settings.ok()) << settings.error().message;
  return settings.ok() ? *settings : SandboxSettings();
}

TEST(SandboxSettings, HaveTheShapeOfClaude) {
  const SandboxSettings settings = read(R"({
    "enabled": true, "autoAllowBashIfSandboxed": false, "failIfUnavailable": true,
    "allowUnsandboxedCommands": false, "excludedCommands": ["docker *", "git push"],
    "filesystem": {"allowWrite": ["~/.npm", "/var/x", "out/**"], "denyWrite": ["conf"],
                   "allowRead": ["~/.kube"], "denyRead": ["~/private"]},
    "network": {"allowUnixSockets": ["/run/docker.sock"], "allowLocalBinding": true}})");
  EXPECT_EQ(settings, (SandboxSettings{.enabled = true,
                                       .auto_allow_bash = false,
                                       .must_be_there = true,
                                       .excluded_commands = {"docker *", "git push"},
                                       .allow_write = {"~/.npm", "/var/x", "out"},
                                       .deny_write = {"conf"},
                                       .allow_read = {"~/.kube"},
                                       .deny_read = {"~/private"},
                                       .allow_sockets = {"/run/docker.sock"}}));
}

TEST(SandboxSettings, SayNothingWhenTheyAreEmpty) {
  EXPECT_EQ(read("{}"), SandboxSettings());
}

TEST(SandboxSettings, DenyTheNetworkAndTakeHostsForALimit) {
  EXPECT_TRUE(read(R"({"network":{"allowed":false}})").denies_network);
  EXPECT_FALSE(read(R"({"network":{"allowed":true}})").denies_network);
  for (const char* key : {"allowedDomains", "deniedDomains", "allowManagedDomainsOnly",
                          "httpProxyPort", "socksProxyPort"}) {
    EXPECT_TRUE(read(R"({"network":{")" + std::string(key) + R"(":[]}})").limits_domains) << key;
  }
  EXPECT_TRUE(read(R"({"network":{"allowAllUnixSockets":true}})").allow_all_sockets);
}

TEST(SandboxSettings, NameWhatTheyDoNotKnow) {
  EXPECT_EQ(read(R"({"strict":1,"filesystem":{"allowExec":[]},"network":{"quota":1},
                     "enableWeakerNetworkIsolation":true})")
                .not_known,
            (Strings{"sandbox.strict", "sandbox.filesystem.allowExec", "sandbox.network.quota",
                     "sandbox.enableWeakerNetworkIsolation"}));
}

TEST(SandboxSettings, RefuseWhatTheyCannotRead) {
  struct Row {
    const char* text;
    const char* message;
  };
  const std::vector<Row> rows = {
      {"[]", "sandbox is not an object"},
      {R"({"enabled":"yes"})", "sandbox.enabled is not true or false"},
      {R"({"excludedCommands":"docker"})", "sandbox.excludedCommands is not a list"},
      {R"({"excludedCommands":[1]})", "sandbox.excludedCommands has an entry that is not a text"},
      {R"({"filesystem":[]})", "sandbox.filesystem is not an object"},
      {R"({"filesystem":{"denyRead":"x"}})", "sandbox.filesystem.denyRead is not a list"},
      {R"({"filesystem":{"denyRead":[""]}})",
       "sandbox.filesystem.denyRead has an entry that is not a text"},
      {R"({"filesystem":{"denyRead":["**/.env"]}})",
       "sandbox.filesystem.denyRead has a pattern; name the file or the folder itself"},
      {R"({"filesystem":{"allowWrite":["/**"]}})",
       "sandbox.filesystem.allowWrite has a pattern; name the file or the folder itself"},
      {R"({"filesystem":{"allowWrite":["~you/x"]}})",
       "sandbox.filesystem.allowWrite names the home folder of somebody else"},
      {R"({"filesystem":{"denyWrites":["x"]}})",
       "sandbox.filesystem.denyWrites is not known, and its name promises a restriction "
       "(docs/sandbox.md)"},
      {R"({"blockNetwork":true})",
       "sandbox.blockNetwork is not known, and its name promises a restriction (docs/sandbox.md)"},
      {R"({"excludedCommands":["docker (x"]})",
       "sandbox.excludedCommands has an entry that is no command: the rule 'Bash(docker (x)' has "
       "parentheses without partners"},
      {R"({"network":1})", "sandbox.network is not an object"},
      {R"({"network":{"allowed":0}})", "sandbox.network.allowed is not true or false"},
  };
  for (const Row& row : rows) {
    const auto settings = parse_sandbox_settings({row.text});
    ASSERT_FALSE(settings.ok()) << row.text;
    EXPECT_EQ(settings.error().message, row.message);
  }
  const auto all = parse_settings(R"({"sandbox":{"enabled":1}})");
  ASSERT_FALSE(all.ok());
  EXPECT_EQ(all.error().message, "sandbox.enabled is not true or false");
}

TEST(SandboxSettings, AddUpAndKeepWhatRestricts) {
  SandboxSettings settings = read(R"({"enabled":true,"autoAllowBashIfSandboxed":true,
      "failIfUnavailable":true,"filesystem":{"denyRead":["a"],"allowWrite":["w"]},
      "network":{"allowed":false}})");
  settings.add(read(R"({"enabled":false,"filesystem":{"denyRead":["b"]},
      "network":{"allowed":true,"allowedDomains":["x"]}})"));
  EXPECT_EQ(settings, (SandboxSettings{.enabled = false,
                                       .auto_allow_bash = true,
                                       .must_be_there = true,
                                       .allow_write = {"w"},
                                       .deny_read = {"a", "b"},
                                       .denies_network = true,
                                       .limits_domains = true}));
}

TEST(SandboxSettings, SayWhatOpensSomething) {
  const SandboxSettings settings = read(R"({"enabled":true,"autoAllowBashIfSandboxed":true,
      "filesystem":{"allowWrite":["w"],"denyWrite":["d"],"allowRead":["r"],"denyRead":["p"]},
      "network":{"allowed":false,"allowUnixSockets":["/s"],"allowAllUnixSockets":true}})");
  EXPECT_EQ(settings.grants(), (Strings{"sandbox autoAllowBashIfSandboxed", "sandbox allowWrite w",
                                        "sandbox allowRead r", "sandbox allowUnixSockets /s",
                                        "sandbox allowAllUnixSockets"}));
  EXPECT_EQ(settings.restrictions(),
            (SandboxSettings{
                .enabled = true, .deny_write = {"d"}, .deny_read = {"p"}, .denies_network = true}));
}

TEST(SandboxMode, HasAName) {
  for (const SandboxMode mode :
       {SandboxMode::off, SandboxMode::workspace_write, SandboxMode::read_only}) {
    EXPECT_EQ(sandbox_mode_from(to_string(mode)), mode);
  }
  EXPECT_EQ(to_string(SandboxMode::workspace_write), "workspace-write");
  EXPECT_EQ(sandbox_mode_from("on"), std::nullopt);
}

}  // namespace
}  // namespace yume::config
