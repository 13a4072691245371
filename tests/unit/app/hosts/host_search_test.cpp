// SPDX-License-Identifier: MIT
#include "app/hosts/host_search.h"

#include "app/hosts/host_report.h"
#include "app/hosts/quoting.h"
#include "support/memory_file_system.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>
#include <string>

namespace yume::app {
namespace {

platform::Environment a_machine(const std::string& os_name = "Linux 6.1.0 (x86_64)") {
  return {.variables = {{"PATH", "/usr/sbin:bin:/usr/bin"}},
          .home = "/home/me",
          .cwd = "/project",
          .executable = "/opt/yume/yume-cli",
          .os_name = os_name};
}

std::map<std::string, HostSetup> found_on(const platform::Environment& machine,
                                          const test::MemoryFileSystem& files) {
  std::map<std::string, HostSetup> found;
  for (HostSetup& setup : find_hosts(HostPlaces(machine, files), "/bin/yume-cli").found) {
    found.emplace(setup.id, setup);
  }
  return found;
}

TEST(FindHosts, NamesWhatIsNotThere) {
  const test::MemoryFileSystem files;
  const platform::Environment machine = a_machine();
  const HostSearch search = find_hosts(HostPlaces(machine, files), "/bin/yume-cli");
  EXPECT_TRUE(search.found.empty());
  EXPECT_EQ(hosts_text({}, search.missing),
            "Not found: Yume app, Zed, ACP extensions of VS Code, codecompanion.nvim, avante.nvim, "
            "claudecodeui, opcode, an Agent SDK program in this directory.\n");
}

TEST(FindHosts, FindsEachByWhatItLeavesOnTheDisk) {
  test::MemoryFileSystem files;
  files.add_file("/usr/bin/yume", "");
  files.add_file("/home/me/.config/zed/settings.json", "{}");
  files.add_file("/home/me/.vscode/extensions/formulahendry.acp-client-0.1.3/package.json", "{}");
  files.add_file("/home/me/.vscode-oss/extensions/strato-space.acp-plugin-0.1.22/package.json", "");
  files.add_file("/home/me/.local/share/nvim/lazy/codecompanion.nvim/README.md", "");
  files.add_file("/home/me/.local/share/nvim/site/pack/mine/opt/avante.nvim/README.md", "");
  files.add_file("/home/me/.cloudcli/auth.db", "");
  files.add_file("/home/me/.local/share/opcode.asterisk.so/agents.db", "");
  files.add_file("/project/package.json",
                 R"({"devDependencies": {"@anthropic-ai/claude-agent-sdk": "^0.2.0"}})");
  const auto found = found_on(a_machine(), files);
  std::map<std::string, std::string> snippets;
  for (const auto& [id, setup] : found) snippets.emplace(id, setup.snippet);
  ASSERT_EQ(found.size(), 9U);
  EXPECT_EQ(snippets["yume"], "YUME_CLI_BINARY=/bin/yume-cli yume");
  EXPECT_EQ(snippets["claudecodeui"], "CLAUDE_CLI_PATH=/bin/yume-cli cloudcli");
  EXPECT_EQ(snippets["opcode"], "ln -s /bin/yume-cli ~/.local/bin/claude");
  EXPECT_EQ(snippets["agent-sdk"], "pathToClaudeCodeExecutable: \"/bin/yume-cli\"");
  EXPECT_NE(snippets["codecompanion"].find("default = { \"/bin/yume-cli\", \"--acp\" }"),
            std::string::npos);
  EXPECT_NE(snippets["avante"].find("command = \"/bin/yume-cli\", args = { \"--acp\" }"),
            std::string::npos);
  const nlohmann::json zed = nlohmann::json::parse("{" + snippets["zed"] + "}");
  EXPECT_EQ(zed, nlohmann::json::parse(R"({"agent_servers": {"yume-cli":
      {"type": "custom", "command": "/bin/yume-cli", "args": ["--acp"], "env": {}}}})"));
  EXPECT_EQ(found.at("vscode-formulahendry.acp-client").file,
            "/home/me/.config/Code/User/settings.json");
  for (const auto& [id, setup] : found) {
    const bool writes = id == "zed" || id == "vscode-formulahendry.acp-client";
    EXPECT_EQ(setup.entry.has_value(), writes) << id;
    EXPECT_EQ(setup.unwritten.empty(), writes) << id;
  }
}

TEST(FindHosts, TakesNoOtherProgramForZed) {
  test::MemoryFileSystem files;
  files.add_file("/usr/sbin/zed", "the event daemon of ZFS");
  files.add_file("/project/bin/opcode", "in a relative folder of PATH");
  files.add_file("/project/package.json", R"({"dependencies": {"express": "4"}})");
  EXPECT_TRUE(found_on(a_machine(), files).empty());
  files.add_file("/usr/bin/zeditor", "");
  EXPECT_EQ(found_on(a_machine(), files).count("zed"), 1U);
}

TEST(FindHosts, LooksWhereTheSystemKeepsThings) {
  test::MemoryFileSystem files;
  files.add_file("/Applications/Zed.app/Contents/Info.plist", "");
  files.add_file("/home/me/Applications/opcode.app/Contents/Info.plist", "");
  files.add_file("/home/me/.yume-title-gen/x", "");
  files.add_file("/home/me/.vscode/extensions/formulahendry.acp-client-1.0.0/package.json", "");
  const auto found = found_on(a_machine("Darwin 23.0 (arm64)"), files);
  EXPECT_EQ(found.at("zed").file, "/home/me/.config/zed/settings.json");
  EXPECT_EQ(found.at("yume").snippet, "launchctl setenv YUME_CLI_BINARY /bin/yume-cli");
  EXPECT_EQ(found.at("vscode-formulahendry.acp-client").file,
            "/home/me/Library/Application Support/Code/User/settings.json");
  EXPECT_EQ(found.count("opcode"), 1U);
}

TEST(FindHosts, FollowsTheVariablesOfFolders) {
  test::MemoryFileSystem files;
  files.add_file("/cfg/zed/settings.json", "");
  files.add_file("/data/lazyvim/plugged/avante.nvim/README.md", "");
  platform::Environment machine = a_machine();
  machine.variables["XDG_CONFIG_HOME"] = "/cfg";
  machine.variables["XDG_DATA_HOME"] = "/data";
  machine.variables["NVIM_APPNAME"] = "lazyvim";
  const auto found = found_on(machine, files);
  EXPECT_EQ(found.at("zed").file, "/cfg/zed/settings.json");
  EXPECT_TRUE(found.at("avante").place.starts_with("/cfg/lazyvim/init.lua"));
  machine.home.clear();
  machine.variables.clear();
  EXPECT_TRUE(found_on(machine, files).empty());
}

TEST(LastingProgram, IsTheNameOnThePath) {
  test::MemoryFileSystem files;
  files.add_file("/opt/yume/yume-cli", "");
  files.add_file("/usr/sbin/yume-cli", "another one");
  EXPECT_EQ(lasting_program(a_machine(), files), "/opt/yume/yume-cli");
  files.add_symlink("/opt/yume/yume-cli", "/usr/bin/yume-cli");
  EXPECT_EQ(lasting_program(a_machine(), files), "/usr/bin/yume-cli");
}

TEST(Quoting, SurvivesOddPaths) {
  EXPECT_EQ(for_posix_shell("/usr/bin/yume-cli"), "/usr/bin/yume-cli");
  EXPECT_EQ(for_posix_shell("/it's here"), R"('/it'\''s here')");
  EXPECT_EQ(for_posix_shell("$(x)"), "'$(x)'");
  EXPECT_EQ(for_powershell("C:\\it's"), "'C:\\it''s'");
  EXPECT_EQ(for_lua("C:\\a \"b\"\n"), R"("C:\\a \"b\"\n")");
  EXPECT_EQ(for_javascript("C:\\a \"b\""), R"("C:\\a \"b\"")");
}

}  // namespace
}  // namespace yume::app
