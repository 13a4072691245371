// SPDX-License-Identifier: MIT
#include "permissions/policy.h"

#include "support/event_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::permissions {
namespace {

using core::PermissionMode;

PolicySettings settings(PermissionMode mode, HostTrust trust = HostTrust::ask) {
  return {.mode = mode, .trust = trust, .roots = {"/w/app", "/w/extra"}, .home = "/home/u"};
}

std::vector<Rule> rules(RuleEffect effect, std::string_view list) {
  std::vector<Rule> out;
  for (const std::string& text : split_rules(list)) {
    auto rule = parse_rule(text, effect);
    EXPECT_TRUE(rule.ok()) << text;
    if (rule.ok()) out.push_back(*rule);
  }
  return out;
}

core::ReadsFile reads(const std::string& path) {
  return {.path = path, .given = path};
}
core::WritesFile writes(const std::string& path) {
  return {.path = path, .given = path};
}

std::string decide(const PolicySettings& with, const std::string& tool,
                   const core::Action& action) {
  return test::text_of(ModePolicy(with).decide({.id = "x", .name = tool, .input = {"{}"}}, action));
}

std::string verdict(const PolicySettings& with, const std::string& tool,
                    const core::Action& action) {
  const std::string text = decide(with, tool, action);
  return text.substr(0, text.find(':'));
}

struct Column {
  const char* name;
  const char* tool;
  core::Action action;
};

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {
      {"read inside", "Read", reads("/w/app/x")},
      {"read in an added directory", "Read", reads("/w/extra/x")},
      {"read outside", "Read", reads("/w/app-secret/x")},
      {"write inside", "Write", writes("/w/app/x")},
      {"write outside", "Write", writes("/etc/x")},
      {"write protected", "Edit", writes("/w/app/.git/config")},
      {"command", "Bash", core::RunsCommand{"make"}},
      {"vital removal", "Bash", core::RunsCommand{"rm -rf /"}},
  };
  return all;
}

struct Row {
  const char* name;
  PolicySettings with;
  std::vector<std::string> verdicts;  // one per column
};

TEST(ModePolicy, DecidesEveryActionInEveryMode) {
  const auto hosted = settings(PermissionMode::default_mode, HostTrust::runs_tools);
  const std::vector<Row> rows = {
      {"default",
       settings(PermissionMode::default_mode),
       {"allow", "allow", "ask", "ask", "ask", "ask", "ask", "ask"}},
      {"acceptEdits",
       settings(PermissionMode::accept_edits),
       {"allow", "allow", "ask", "allow", "ask", "ask", "ask", "ask"}},
      {"plan",
       settings(PermissionMode::plan),
       {"allow", "allow", "ask", "ask", "ask", "ask", "ask", "ask"}},
      {"bypassPermissions",
       settings(PermissionMode::bypass),
       {"allow", "allow", "allow", "allow", "allow", "allow", "allow", "ask"}},
      {"dontAsk",
       settings(PermissionMode::dont_ask),
       {"allow", "allow", "deny", "deny", "deny", "deny", "deny", "deny"}},
      {"--provider without a mode",
       hosted,
       {"allow", "allow", "allow", "allow", "deny", "deny", "allow", "deny"}},
  };
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < columns().size(); ++i) {
      const Column& column = columns()[i];
      EXPECT_EQ(verdict(row.with, column.tool, column.action), row.verdicts[i])
          << row.name << ", " << column.name;
    }
  }
}

TEST(ModePolicy, SaysWhatWouldAllowIt) {
  const auto plain = settings(PermissionMode::default_mode);
  EXPECT_EQ(decide(plain, "Write", writes("/w/app/x")),
            "ask: Claude requested permissions to write to /w/app/x, but you haven't granted it "
            "yet. Start with --permission-mode acceptEdits or --allowedTools Write to permit it.");
  EXPECT_EQ(decide(plain, "Write", writes("/etc/x")),
            "ask: Claude requested permissions to write to /etc/x, but you haven't granted it "
            "yet. Start with --allowedTools \"Edit(//etc/x)\" to permit it.");
  EXPECT_EQ(decide(plain, "Read", reads("/etc/ssl/x")),
            "ask: Claude requested permissions to read from /etc/ssl/x, but you haven't granted it "
            "yet. Start with --add-dir /etc/ssl or --allowedTools Read to permit it.");
  EXPECT_EQ(decide(plain, "Bash", core::RunsCommand{"make all"}),
            "ask: Claude requested permissions to use Bash with command make all, but you haven't "
            "granted it yet. Start with --allowedTools \"Bash(make all)\" or --permission-mode "
            "bypassPermissions to permit it.");
  EXPECT_EQ(decide(settings(PermissionMode::plan), "Write", writes("/w/app/x")),
            "ask: Cannot write to /w/app/x while in plan mode.");
  EXPECT_EQ(decide(settings(PermissionMode::dont_ask), "Bash", core::RunsCommand{"make"}),
            "deny: Permission to use Bash has been denied because yume-cli is running in don't ask "
            "mode. Add a matching rule to --allowedTools to permit it.");
  const auto hosted = settings(PermissionMode::default_mode, HostTrust::runs_tools);
  EXPECT_EQ(
      decide(hosted, "Write", writes("/etc/x")),
      "deny: Permission denied: /etc/x is outside the working directory. Start with --add-dir "
      "/etc or --permission-mode bypassPermissions to permit it.");
  EXPECT_TRUE(decide(hosted, "Write", writes("/w/app/.bashrc"))
                  .starts_with("deny: Permission denied: /w/app/.bashrc is a protected file"));
}

TEST(ModePolicy, LetsLongOutputsBeReadButNotWritten) {
  auto with = settings(PermissionMode::default_mode);
  with.readable = {"/home/u/.yume/tmp/s"};
  EXPECT_EQ(verdict(with, "Read", core::ReadsFile{.path = "/home/u/.yume/tmp/s/c1.txt"}), "allow");
  EXPECT_EQ(verdict(with, "Read", core::ReadsFile{.path = "/home/u/.yume/tmp/other/c1.txt"}),
            "ask");
  EXPECT_EQ(verdict(with, "Write", writes("/home/u/.yume/tmp/s/c1.txt")), "ask");
}

TEST(ModePolicy, LetsTheSessionLookAfterItsOwnCommands) {
  for (const auto mode : {PermissionMode::default_mode, PermissionMode::plan,
                          PermissionMode::dont_ask, PermissionMode::bypass}) {
    EXPECT_EQ(verdict(settings(mode), "KillShell", core::StaysInSession{}), "allow");
  }
  auto denied = settings(PermissionMode::bypass);
  denied.rules.deny = {Rule{.tool = "KillShell"}};
  EXPECT_EQ(verdict(denied, "KillShell", core::StaysInSession{}), "deny");
}

TEST(ModePolicy, TellsTheTruthAboutProtectedFiles) {
  EXPECT_EQ(decide(settings(PermissionMode::accept_edits), "Edit", writes("/w/app/.git/config")),
            "ask: Claude requested permissions to write to /w/app/.git/config, but you haven't "
            "granted it yet. It is a protected file; start with --permission-mode "
            "bypassPermissions to permit it.");
}

TEST(ModePolicy, LooksAtTheNameAndTheRealFile) {
  const auto hosted = settings(PermissionMode::default_mode, HostTrust::runs_tools);
  EXPECT_EQ(verdict(hosted, "Edit",
                    core::WritesFile{.path = "/w/app/hooks", .given = "/w/app/.git/hooks"}),
            "deny");
  EXPECT_EQ(verdict(hosted, "Edit", core::WritesFile{.path = "/etc/x", .given = "/w/app/link"}),
            "deny");
  EXPECT_EQ(verdict(settings(PermissionMode::default_mode), "Read",
                    core::ReadsFile{.path = "/etc/x", .given = "/w/app/link"}),
            "ask");
}

TEST(ModePolicy, KeepsItsPromiseAboutTheRuleThatWouldAllowIt) {
  auto with = settings(PermissionMode::default_mode);
  with.rules.allow = rules(RuleEffect::allow, "Bash(make all) Edit(//etc/x) Read");
  EXPECT_EQ(verdict(with, "Bash", core::RunsCommand{"make all"}), "allow");
  EXPECT_EQ(verdict(with, "Write", writes("/etc/x")), "allow");
  EXPECT_EQ(verdict(with, "Read", reads("/etc/ssl/x")), "allow");
  EXPECT_EQ(verdict(with, "Bash", core::RunsCommand{"make"}), "ask");
  with.mode = PermissionMode::dont_ask;
  EXPECT_EQ(verdict(with, "Bash", core::RunsCommand{"make all"}), "allow");
  EXPECT_EQ(verdict(with, "Bash", core::RunsCommand{"make"}), "deny");
}

TEST(ModePolicy, NeverLiftsCertainThingsByAnAllowRule) {
  auto with = settings(PermissionMode::default_mode);
  with.rules.allow = rules(RuleEffect::allow, "Bash Edit Write Read");
  EXPECT_EQ(verdict(with, "Edit", writes("/w/app/.git/config")), "ask");
  EXPECT_EQ(verdict(with, "Bash", core::RunsCommand{"rm -rf ~"}), "ask");
  with.mode = PermissionMode::plan;
  EXPECT_EQ(verdict(with, "Bash", core::RunsCommand{"make"}), "ask");
  EXPECT_EQ(verdict(with, "Write", writes("/w/app/x")), "ask");
}

TEST(ModePolicy, OpensOurCredentialsToNoTool) {
  // T-05
  PolicySettings with = settings(PermissionMode::bypass);
  with.roots.push_back("/");
  with.rules.allow = rules(RuleEffect::allow, "Read Edit");
  for (const char* path :
       {"/home/u/.config/gcloud/application_default_credentials.json",
        "/home/u/.config/gcloud/legacy_credentials/u/adc.json", "/run/user/1000/yume-cli/token",
        "/tmp/yume-cli-1000/token", "/proc/1/environ", "/proc/self/mem", "/proc/1/task/2/maps",
        "/proc/1/fd/3"}) {
    EXPECT_EQ(verdict(with, "Read", reads(path)), "deny") << path;
    EXPECT_EQ(verdict(with, "Edit", writes(path)), "deny") << path;
    EXPECT_TRUE(ModePolicy(with).hides(path)) << path;
  }
  for (const char* path :
       {"/home/u/.yume/sessions/s.jsonl", "/home/u/yume-cli/src/main.cpp", "/tmp/yume-cli-src/x",
        "/proc/1/status", "/proc/cpuinfo", "/w/app/gcloud/main.tf"}) {
    EXPECT_EQ(verdict(with, "Read", reads(path)), "allow") << path;
    EXPECT_FALSE(ModePolicy(with).hides(path)) << path;
  }
}

TEST(ModePolicy, LetsADenyRuleWinInEveryMode) {
  for (const auto mode : {PermissionMode::default_mode, PermissionMode::accept_edits,
                          PermissionMode::plan, PermissionMode::bypass, PermissionMode::dont_ask}) {
    auto with = settings(mode);
    with.rules.allow = rules(RuleEffect::allow, "Bash Read Edit");
    with.rules.deny = rules(RuleEffect::deny, "Bash(curl:*) Read(.env) Write");
    EXPECT_EQ(decide(with, "Bash", core::RunsCommand{"ls; curl x"}),
              "deny: Permission to use Bash with command ls; curl x has been denied.");
    EXPECT_EQ(decide(with, "Read", reads("/w/app/.env")),
              "deny: Permission to use Read has been denied by the rule Read(.env).");
    EXPECT_EQ(verdict(with, "Edit", writes("/w/app/.env")), "deny");
    EXPECT_EQ(verdict(with, "Write", writes("/w/app/x")), "deny");
  }
}

TEST(ModePolicy, NamesABareDenyRuleWithoutEmptyParentheses) {
  auto with = settings(PermissionMode::bypass);
  with.rules.deny = rules(RuleEffect::deny, "Write");
  EXPECT_EQ(decide(with, "Write", writes("/w/app/x")),
            "deny: Permission to use Write has been denied by the rule Write.");
}

TEST(ModePolicy, LetsNoCommandReadAFolderWithCredentials) {
  PolicySettings with;
  with.mode = core::PermissionMode::bypass;
  with.roots = {"/w/app"};
  with.home = "/home/me";
  with.closed_inside = [](const std::filesystem::path& folder) {
    return folder == "/home/me" || folder == "/";
  };
  const auto run = [&](const std::string& command) {
    return verdict(with, "Bash", core::RunsCommand{command});
  };
  const std::vector<std::string> refused = {"grep -r KEY ~", "tar czf - /home/me",
                                            "cp -r ~ copy",  "find ~ -name id_rsa -exec cat {} +",
                                            "rg key $HOME",  "d=$HOME; cp -r $d copy",
                                            "find ~",        "ls -R ~",
                                            "ls -laR ~/",    "find / -maxdepth 3 -name 'id_*'",
                                            "tree $HOME",    "sudo du -a ~"};
  for (const std::string& command : refused) EXPECT_EQ(run(command), "deny") << command;
  for (const char* command :
       {"grep -r KEY .", "ls ~", "grep KEY /home/me/x", "tar xzf a.tgz", "find . -name x",
        "ls -R src", "find ~ -maxdepth 1 -name x", "echo find ~"}) {
    EXPECT_EQ(run(command), "allow") << command;
  }
  with.walls_commands = [] { return true; };
  for (const std::string& command : refused) EXPECT_EQ(run(command), "allow") << command;
  with.leaves_sandbox = [](const std::string&, const std::filesystem::path&) { return true; };
  EXPECT_EQ(run("grep -r KEY ~"), "deny") << "outside the wall after all";
}

TEST(ModePolicy, FollowsVariablesToClosedFiles) {
  PolicySettings with;
  with.mode = core::PermissionMode::bypass;
  with.roots = {"/w/app"};
  with.home = "/home/me";
  with.closed = [](const std::filesystem::path& path) {
    return path.string().starts_with("/home/me/.ssh") ? Closed::personal : Closed::no;
  };
  for (const char* command :
       {"x=.ssh; cat ~/$x/id", "d=$HOME/.ssh; cat $d/id", "for f in ~/.ssh/id; do cat $f; done"}) {
    EXPECT_EQ(verdict(with, "Bash", core::RunsCommand{command}), "deny") << command;
  }
}

}  // namespace
}  // namespace yume::permissions
