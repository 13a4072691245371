// SPDX-License-Identifier: MIT
// The corners of rules, names and closed places.
#include "permissions/closed_set.h"
#include "permissions/file_names.h"
#include "permissions/hosts.h"
#include "permissions/name_folding.h"
#include "permissions/never_opened.h"
#include "permissions/parameter_rule.h"
#include "permissions/policy.h"
#include "permissions/protected_paths.h"
#include "permissions/sandbox_exclusions.h"
#include "permissions/vital_paths.h"
#include "support/event_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::permissions {
namespace {

using core::PermissionMode;
namespace fs = std::filesystem;

PolicySettings settings(PermissionMode mode = PermissionMode::default_mode) {
  return {.mode = mode, .roots = {"/w"}, .home = "/home/u"};
}

PolicySettings with_rules(std::string_view list, RuleEffect effect,
                          PolicySettings with = settings()) {
  for (const std::string& text : split_rules(list)) {
    auto rule = parse_rule(text, effect);
    EXPECT_TRUE(rule.ok()) << text;
    if (rule.ok()) with.rules.of(effect).push_back(*rule);
  }
  return with;
}
PolicySettings denying(std::string_view list, PolicySettings with = settings()) {
  return with_rules(list, RuleEffect::deny, std::move(with));
}
PolicySettings allowing(std::string_view list, PolicySettings with = settings()) {
  return with_rules(list, RuleEffect::allow, std::move(with));
}

// "allow", "ask" or "deny".
std::string verdict(const PolicySettings& with, const core::Action& action,
                    const std::string& tool = "Bash", const std::string& input = "{}") {
  const std::string text =
      test::text_of(ModePolicy(with).decide({.id = "x", .name = tool, .input = {input}}, action));
  return text.substr(0, text.find(':'));
}
core::RunsCommand run(const std::string& command) {
  return {.command = command};
}

TEST(RuleCorners, AToolThatIsDeniedHidesNoFileFromOthers) {
  EXPECT_TRUE(ModePolicy(denying("Read")).hides("/w/x"));
  for (const char* tool : {"Grep", "Glob", "LS", "Write", "Bash"}) {
    EXPECT_FALSE(ModePolicy(denying(tool)).hides("/w/x")) << tool;
  }
  EXPECT_TRUE(ModePolicy(denying("Grep(secret)")).hides("/w/secret"));
  EXPECT_FALSE(ModePolicy(denying("Grep(secret)")).hides("/w/x"));
}

TEST(RuleCorners, ServersOfMcpAreNamedAsAWholeOrByTool) {
  const core::ReachesHost action{"x"};
  for (const char* rule : {"mcp__a", "mcp__a__*", "mcp__a__b", "*"}) {
    EXPECT_EQ(verdict(denying(rule), action, "mcp__a__b"), "deny") << rule;
  }
  for (const char* rule : {"mcp__ab", "mcp__b__*", "mcp__a__c"}) {
    EXPECT_NE(verdict(denying(rule), action, "mcp__a__b"), "deny") << rule;
  }
  EXPECT_EQ(verdict(allowing("mcp__a__b"), action, "mcp__a__b"), "allow");
}

TEST(RuleCorners, HostsAreDeniedByName) {
  const core::ReachesHost action{"a.com"};
  EXPECT_EQ(verdict(denying("WebFetch(domain:a.com)"), action, "WebFetch"), "deny");
  EXPECT_NE(verdict(denying("WebFetch(domain:b.com)"), action, "WebFetch"), "deny");
}

TEST(RuleCorners, ParametersAreFieldsOfTheCall) {
  const auto matches = [](std::string_view spec, const std::string& input) {
    return matches_parameter(spec, {.id = "x", .name = "T", .input = {input}});
  };
  EXPECT_TRUE(matches("A_b:1", R"({"A_b":1})"));
  EXPECT_FALSE(matches(":1", R"({"":1})"));
  EXPECT_FALSE(matches("a-b:1", R"({"a-b":1})"));
  EXPECT_FALSE(matches("a1:1", R"({"a1":1})"));
  EXPECT_FALSE(matches("a{:1", R"({"a{":1})"));
  EXPECT_FALSE(matches("a:1", R"({"a":[1]})"));
  EXPECT_FALSE(matches("a:1", "[]"));
  EXPECT_FALSE(matches("a:1", "{"));
  EXPECT_FALSE(matches("command:x", R"({"command":"x"})"));
}

TEST(RuleCorners, ARuleIsAboutOneKindOfAction) {
  const core::ReadsFile reads{.path = "/w/x"};
  EXPECT_EQ(verdict(denying("Edit(x)"), reads, "Read"), "allow");
  EXPECT_EQ(verdict(denying("Edit(x)"), core::WritesFile{.path = "/w/x"}, "Write"), "deny");
  EXPECT_EQ(verdict(denying("Read(x)"), core::WritesFile{.path = "/w/x"}, "Write"), "deny");
  EXPECT_EQ(verdict(denying("Bash(x)"), core::StaysInSession{}, "Bash"), "allow");
  EXPECT_EQ(verdict(allowing("Read(x)"), core::ReachesHost{"a.com"}, "Read"), "ask");
}

TEST(RuleCorners, NamesOfMcpAreLettersDigitsAndDashes) {
  for (const char* name : {"mcp__a", "mcp__A9-x_y__*"}) {
    EXPECT_TRUE(parse_rule(name, RuleEffect::allow).ok()) << name;
  }
  for (const char* name : {"mcp__", "mcp__a`", "mcp__a:b", "mcp__a@b", "mcp__a{b"}) {
    EXPECT_FALSE(parse_rule(name, RuleEffect::allow).ok()) << name;
  }
}

TEST(RuleCorners, RulesAreEqualWhenAllOfThemIs) {
  const Rule rule = *parse_rule("Read(x)", RuleEffect::deny);
  EXPECT_EQ(rule, rule);
  Rule other = rule;
  other.tool = "Edit";
  EXPECT_NE(rule, other);
  other = rule;
  other.spec = "y";
  EXPECT_NE(rule, other);
  other = rule;
  other.anchor = "/x";
  EXPECT_NE(rule, other);
  other = rule;
  other.origin.source = RuleSource::user_file;
  EXPECT_NE(rule, other);
  other = rule;
  other.origin.name = "elsewhere";
  EXPECT_NE(rule, other);
}

TEST(RuleCorners, ProtectedPlacesAreProtectedLikeNames) {
  PolicySettings with = settings(PermissionMode::accept_edits);
  with.protected_places = {"/w/gitdir"};
  EXPECT_EQ(verdict(with, core::WritesFile{.path = "/w/gitdir/config"}, "Write"), "ask");
  EXPECT_EQ(verdict(with, core::WritesFile{.path = "/w/other"}, "Write"), "allow");
  EXPECT_TRUE(is_protected("/w/.git/"));
}

TEST(RuleCorners, ReadingMustBeAllowedForEveryName) {
  EXPECT_EQ(verdict(allowing("Read(/x/**)"), core::ReadsFile{.path = "/w2/y"}, "Read"), "ask");
  EXPECT_EQ(verdict(allowing("Read(//w2/**)"), core::ReadsFile{.path = "/w2/y"}, "Read"), "allow");
  EXPECT_EQ(verdict(allowing("Read(//w2/**)"), core::ReadsFile{.path = "/etc/y", .given = "/w2/y"},
                    "Read"),
            "ask");
  EXPECT_EQ(verdict(allowing("Write(//w2/**)"), core::WritesFile{.path = "/w2/y"}, "Write"),
            "allow");
}

TEST(RuleCorners, SlashesAloneAreTheRoot) {
  EXPECT_TRUE(ModePolicy(denying("Read(/)")).hides("/w/x"));
  EXPECT_TRUE(ModePolicy(denying("Read(a/b)")).hides("/w/a/b"));
  for (const char* rule : {"Read(//)", "Read(///)"}) {
    EXPECT_TRUE(ModePolicy(denying(rule)).hides("/etc/x")) << rule;
  }
  EXPECT_TRUE(ModePolicy(denying("Read(secrets/**)")).hides("/w/a/secrets/x"));
  EXPECT_FALSE(ModePolicy(denying("Read(a/secrets/**)")).hides("/w/b/a/secrets/x"));
  EXPECT_FALSE(ModePolicy(denying("Read(x/)")).hides("/w/y/"));
}

TEST(RuleCorners, ASetKnowsWhichToolsAreGone) {
  const RuleSet rules = denying("Bash,Read(x)").rules;
  EXPECT_TRUE(rules.denies_tool("Bash"));
  EXPECT_FALSE(rules.denies_tool("Read")) << "only one file of it";
  EXPECT_FALSE(rules.denies_tool("Write"));
  EXPECT_TRUE(denying("*").rules.denies_tool("Write"));
  for (const RuleEffect effect : {RuleEffect::deny, RuleEffect::ask, RuleEffect::allow}) {
    const RuleSet one = with_rules("Bash", effect).rules;
    EXPECT_EQ(one.of(effect).size(), 1U);
  }
}

TEST(RuleCorners, CommandsNeedARuleForEachPart) {
  const auto allowed = [](std::string_view rules, const std::string& command) {
    return verdict(allowing(rules, settings(PermissionMode::accept_edits)), run(command)) ==
           "allow";
  };
  EXPECT_TRUE(allowed("Bash(npx tsc:*)", "npx tsc -p ."));
  EXPECT_FALSE(allowed("Bash(npx:*)", "npx tsc -p ."));
  EXPECT_FALSE(allowed("Bash(npx -y:*)", "npx -y tsc"));
  EXPECT_FALSE(allowed("Bash(npx *)", "npx tsc"));
  EXPECT_TRUE(allowed("Bash(npx tsc)", "npx tsc"));
  for (const char* runner : {"bunx", "pnpx", "uvx"}) {
    EXPECT_FALSE(allowed("Bash(" + std::string(runner) + ":*)", std::string(runner) + " x"));
  }
  EXPECT_FALSE(allowed("Bash(fdfind:*)", "fdfind . -x rm"));
  EXPECT_FALSE(allowed("Bash(fdfind:*)", "fdfind . --exec-batch rm"));
  EXPECT_TRUE(allowed("Bash(fdfind:*)", "fdfind x"));
  EXPECT_TRUE(allowed("Bash(make:*)", "cd src && make"));
  EXPECT_FALSE(allowed("Bash(make:*)", "cd /etc && make"));
  EXPECT_FALSE(allowed("Bash(make:*)", "cd -P src && make"));
  EXPECT_FALSE(allowed("Bash(make:*)", "cd - && make"));
  EXPECT_FALSE(allowed("Bash(make:*)", "cd $X && make"));
  EXPECT_FALSE(allowed("Bash(make:*)", "cd a; cd b; cd c; cd d; cd e; make"));
  EXPECT_FALSE(allowed("Bash(make:*)", "cd src && git log; make"));
  EXPECT_FALSE(allowed("Bash(make:*),Read(x)", "ls ~/x && make"));
  EXPECT_TRUE(allowed("Bash(make:*)", "make > log"));
  EXPECT_TRUE(allowed("Bash(make:*)", "make > /dev/null"));
  EXPECT_FALSE(allowed("Bash(make:*)", "make > /etc/log"));
  EXPECT_FALSE(allowed("Bash(make:*)", "make < /etc/passwd"));
  EXPECT_FALSE(allowed("Bash(make:*)", "make > $X"));
  EXPECT_FALSE(allowed("Bash(make:*)", "'make x' y"));
  EXPECT_FALSE(allowed("Bash(make:*)", "'make\tx'"));
  EXPECT_FALSE(allowed("Bash(make:*)", "'make\nx'"));
}

TEST(RuleCorners, ClosedAndDeniedFilesAreNotReadByProvenCommands) {
  PolicySettings with = settings(PermissionMode::accept_edits);
  with.closed = [](const fs::path& path) {
    return path == "/w/closed" ? Closed::personal : Closed::no;
  };
  EXPECT_NE(verdict(with, run("cat closed")), "allow");
  EXPECT_NE(verdict(with, run("rm closed")), "allow");
  EXPECT_NE(verdict(with, run("rm .git")), "allow");
  EXPECT_EQ(verdict(with, run("rm x")), "allow");
  EXPECT_NE(verdict(denying("Read(secret)", with), run("cat secret")), "allow");
  EXPECT_EQ(verdict(allowing("Read(//etc/x)", with), run("cat /etc/x")), "allow");
  EXPECT_EQ(verdict(allowing("Edit(//etc/x)", with), run("touch /etc/x")), "allow");
}

TEST(RuleCorners, CommandsAreJudgedFromWhereTheShellStands) {
  PolicySettings with = settings();
  EXPECT_NE(verdict(with, core::RunsCommand{.command = "cat x", .cwd = "/etc"}), "allow");
  EXPECT_EQ(verdict(with, core::RunsCommand{.command = "cat x", .cwd = "/w/sub"}), "allow");
  EXPECT_EQ(verdict(allowing("Bash(make)"), core::RunsCommand{.command = "make", .cwd = "/w/sub"}),
            "allow");
  with.sandboxed_commands_run = true;
  with.leaves_sandbox = [](const std::string&, const fs::path& cwd) { return cwd == "/w/out"; };
  EXPECT_EQ(verdict(with, core::RunsCommand{.command = "make", .cwd = "/w/in"}), "allow");
  EXPECT_EQ(verdict(with, core::RunsCommand{.command = "make", .cwd = "/w/out"}), "ask");
}

TEST(RuleCorners, WhatTheShellAloneKnowsIsAskedForWhenSomethingIsDenied) {
  PolicySettings with = denying("Read(secret)", settings(PermissionMode::accept_edits));
  EXPECT_EQ(verdict(with, run("cat $X")), "ask");
  EXPECT_EQ(verdict(with, run("rm x*")), "ask");
}

TEST(RuleCorners, AYumeCommandMayDropItsOutput) {
  PolicySettings with = settings();
  with.trust = HostTrust::runs_tools;
  EXPECT_EQ(verdict(with, run("make > /dev/null")), "allow");
  EXPECT_EQ(verdict(with, run("make > .git/config")), "deny");
}

TEST(RuleCorners, QuestionsToThePersonAreAskedInEveryMode) {
  EXPECT_EQ(verdict(settings(PermissionMode::bypass), core::AsksPerson{}, "AskUserQuestion"),
            "ask");
  EXPECT_EQ(verdict(denying("AskUserQuestion"), core::AsksPerson{}, "AskUserQuestion"), "deny");
}

TEST(RuleCorners, APlanIsAskedAboutInPlanModeAlone) {
  const core::AsksPerson plan{.then = PermissionMode::default_mode};
  EXPECT_EQ(verdict(settings(PermissionMode::plan), plan, "ExitPlanMode"), "ask");
  for (const PermissionMode mode :
       {PermissionMode::default_mode, PermissionMode::accept_edits, PermissionMode::bypass}) {
    EXPECT_EQ(verdict(settings(mode), plan, "ExitPlanMode"), "deny");
  }
}

TEST(RuleCorners, AFileIsKnownByItsRealNameAlone) {
  EXPECT_EQ(
      verdict(settings(PermissionMode::accept_edits), core::WritesFile{.path = "/w/x"}, "Write"),
      "allow");
  EXPECT_EQ(verdict(settings(PermissionMode::accept_edits),
                    core::WritesFile{.path = "/w/x", .given = "/w/y"}, "Write"),
            "allow");
}

TEST(RuleCorners, APolicyWithoutRootsStandsAtTheRoot) {
  PolicySettings nowhere;
  EXPECT_EQ(nowhere.cwd(), "/");
  nowhere.roots = {"/w"};
  EXPECT_EQ(nowhere.cwd(), "/w");
}

TEST(RuleCorners, NothingButTheExactCommandIsSuggested) {
  const auto suggestions = [](const std::string& command) {
    const core::Decision decision =
        ModePolicy(settings()).decide({.id = "x", .name = "Bash", .input = {"{}"}}, run(command));
    return std::get<core::Ask>(decision).suggestions.size();
  };
  EXPECT_EQ(suggestions("make"), 1U);
  for (const char* command : {"make '*'", "make '('", "make a:", "make $X"}) {
    EXPECT_EQ(suggestions(command), 0U) << command;
  }
}

TEST(NeverOpened, CoversTokensAndProcessesAndNothingThatLooksAlike) {
  for (const char* path :
       {"/run/user/1000/yume-cli/x", "/run/user/1000/yume-cli", "/tmp/yume-cli-1000/x",
        "/proc/1/environ", "/proc/self/task/1/mem", "/x/gcloud/credentials.db"}) {
    EXPECT_TRUE(is_never_opened(path)) << path;
  }
  for (const char* path :
       {"/run/user/1000/x/yume-cli", "/run/x/1000/yume-cli", "/home/u/a/b/yume-cli", "/w/yume-cli",
        "/yume-cli", "/tmp/yume-cli-x", "/tmp/yume-cli", "/w/yume-cli-1000", "/proc/sys/fs/fd",
        "/proc/", "/x/proc/1/environ", "/proc/1/status", "/x/gcloud/other"}) {
    EXPECT_FALSE(is_never_opened(path)) << path;
  }
}

TEST(NamesOfFiles, LeaveDescriptorsAlone) {
  int asked = 0;
  const FileNames names = [&asked](const fs::path& given) {
    ++asked;
    return std::vector<fs::path>{given};
  };
  for (const char* path : {"/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/3"}) {
    (void)all_names(path, names);
  }
  EXPECT_EQ(asked, 0);
  for (const char* path : {"/dev/fd/", "/dev/fd/x", "/dev/tty"}) (void)all_names(path, names);
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(with_parents_kept("/a/./../b/"), "/a/../b");
  EXPECT_EQ(with_parents_kept("/a/./b/"), "/a/b");
}

TEST(Hosts, BracketsBelongToAddresses) {
  EXPECT_TRUE(host_matches("::1", "[::1]"));
  EXPECT_FALSE(host_matches("::1", "[::1"));
}

TEST(NameFolding, DropsWhatFileSystemsDrop) {
  EXPECT_EQ(fold_name(".GIT. "), ".git");
  EXPECT_EQ(fold_name(" "), "");
  EXPECT_TRUE(has_hidden_characters("a\xC2\x85"));
  EXPECT_FALSE(has_hidden_characters("a\xC3\xA9\n\t"));
  EXPECT_TRUE(has_hidden_characters("a\x7F"));
}

TEST(ClosedSet, KeepsOwnPlacesInsideThoseOfTheUser) {
  const platform::Environment environment{
      .variables = {{"APPDATA", "/data"},
                    {"GOOGLE_APPLICATION_CREDENTIALS", "/home/u/.aws/key.json"}},
      .home = "/home/u",
      .cwd = "/w",
      .executable = "/usr/bin/yume-cli",
      .os_name = "Linux"};
  const ClosedSet set = ClosedSet::from(
      {.environment = environment, .real_path = [](const fs::path&) { return fs::path("odd"); }});
  EXPECT_TRUE(set.covers("/home/u/.aws/key.json")->own);
  EXPECT_FALSE(set.covers("/home/u/.aws/other")->own);
  EXPECT_TRUE(set.covers("/data/gcloud/x")->own);
  EXPECT_FALSE(set.covers("relative").has_value());
}

TEST(SandboxExclusions, AreOfTheWorkspace) {
  const SandboxExclusions nowhere({"docker", "Bash(", ""}, {});
  EXPECT_TRUE(nowhere.cover("docker ps", "/"));
  EXPECT_FALSE(nowhere.cover("make", "/"));
}

TEST(Updates, ReplaceAndRemoveOnlyTheirOwn) {
  ModePolicy policy(allowing("Bash(a)"));
  using Change = core::RulesUpdate::Change;
  const auto change = [&](Change how, std::vector<std::string> rules) {
    EXPECT_TRUE(policy.apply(core::RulesUpdate{.change = how, .rules = std::move(rules)}).holds);
    return policy.rules().allow.size();
  };
  EXPECT_EQ(change(Change::add, {"Bash(b)", "Bash(c)"}), 3U);
  EXPECT_EQ(change(Change::remove, {"Bash(a)", "Bash(b)", "Bash(d)"}), 2U);
  EXPECT_EQ(change(Change::replace, {"Bash(e)"}), 2U);
}

TEST(Updates, NameDirectoriesAsTheyAreGivenWhereLinksAreNotKnown) {
  ModePolicy policy(settings());
  EXPECT_TRUE(policy.apply(core::DirectoriesUpdate{.directories = {"../extra"}}).holds);
  EXPECT_EQ(test::text_of(policy.decide({.id = "x", .name = "Read", .input = {"{}"}},
                                        core::ReadsFile{.path = "/extra/x"})),
            "allow");
}

TEST(Updates, OfAPolicyThatKnowsOnlyModes) {
  struct Modes final : PermissionPolicy {
    core::Decision decide(const core::ToolCall&, const core::Action&) const override {
      return core::Allow{};
    }
    void set_mode(PermissionMode mode) override { last = mode; }
    std::optional<PermissionMode> last;
  };
  Modes policy;
  EXPECT_TRUE(policy.apply(core::RulesUpdate{}).holds);
  EXPECT_EQ(policy.last, std::nullopt);
  EXPECT_TRUE(policy.apply(core::ModeUpdate{.mode = PermissionMode::plan}).holds);
  EXPECT_EQ(policy.last, PermissionMode::plan);
}

TEST(VitalPaths, KnowWhatAVariableCouldStandFor) {
  const VitalPaths vital("/w/app", "/home/u");
  const auto covers = [&](const std::string& text, const std::optional<fs::path>& at) {
    return vital.covers({.text = text, .literal = false}, at);
  };
  EXPECT_TRUE(covers("/$X", "/w/app"));
  EXPECT_TRUE(covers("/${X}", "/w/app"));
  EXPECT_TRUE(covers("/${X", "/w/app"));
  EXPECT_TRUE(covers("/home/$Xy_9Z", "/w/app"));
  EXPECT_FALSE(covers("/home/u/a$X-b", "/w/app"));
  EXPECT_FALSE(covers("/home/u/a$X}", "/w/app"));
  EXPECT_FALSE(covers("/home/u/a$X[", "/w/app"));
  EXPECT_FALSE(covers("/x/y$", "/w/app"));
  EXPECT_FALSE(covers("", "/w/app"));
  EXPECT_FALSE(covers("/x/y{a,b}", "/w/app"));
  EXPECT_TRUE(covers("/x/y{a{b{c{d{e{f{g}}}}}}}", "/w/app"));
  EXPECT_FALSE(covers("*", "/w/app"));
  EXPECT_TRUE(covers("$X", std::nullopt));
  EXPECT_TRUE(vital.covers({.text = "~", .literal = true, .tilde = true}, std::nullopt));
  EXPECT_TRUE(vital.covers_contents({.text = "x", .literal = true}, std::nullopt));
  EXPECT_FALSE(vital.covers_contents({.text = "/x/y", .literal = true}, std::nullopt));
  EXPECT_EQ(vital.directory_after("x", std::nullopt), std::nullopt);
  EXPECT_EQ(vital.directory_after("/x", std::nullopt), fs::path("/x"));
}

}  // namespace
}  // namespace yume::permissions
