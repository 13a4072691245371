// SPDX-License-Identifier: MIT
// What a host or a person changes while a session runs, and what they are offered to change.
#include "permissions/policy.h"
#include "support/event_text.h"
#include "unit/permissions/command_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::permissions {
namespace {

using core::PermissionMode;
using core::RulesUpdate;
using Change = core::RulesUpdate::Change;

PolicySettings settings(PermissionMode mode = PermissionMode::default_mode) {
  return {.mode = mode, .roots = {"/w/app"}, .home = "/home/u"};
}

std::string verdict(const ModePolicy& policy, const std::string& tool, const core::Action& action) {
  const std::string text =
      yume::test::text_of(policy.decide({.id = "x", .name = tool, .input = {"{}"}}, action));
  return text.substr(0, text.find(':'));
}
std::string run(const ModePolicy& policy, const std::string& command) {
  return verdict(policy, "Bash", core::RunsCommand{command});
}
core::WritesFile writes(const std::string& path) {
  return {.path = path, .given = path};
}
core::ReadsFile reads(const std::string& path) {
  return {.path = path, .given = path};
}

TEST(PolicyUpdates, AddReplaceAndRemoveRulesOfThisSession) {
  PolicySettings with = settings();
  with.rules.allow = {test::rule_of("Bash(make)", RuleEffect::allow)};
  ModePolicy policy(with);
  EXPECT_EQ(run(policy, "npm test"), "ask");
  EXPECT_EQ(policy.apply(RulesUpdate{.rules = {"Bash(npm test)"}}), UpdateOutcome{});
  EXPECT_EQ(run(policy, "npm test"), "allow");
  EXPECT_EQ(policy.apply(RulesUpdate{.change = Change::replace, .rules = {"Bash(npm ci)"}}),
            UpdateOutcome{});
  EXPECT_EQ(run(policy, "npm test"), "ask");
  EXPECT_EQ(run(policy, "npm ci"), "allow");
  EXPECT_EQ(run(policy, "make"), "allow") << "a file's rule stays";
  EXPECT_EQ(
      policy.apply(RulesUpdate{.change = Change::remove, .rules = {"Bash(npm ci)", "Bash(make)"}}),
      UpdateOutcome{});
  EXPECT_EQ(run(policy, "npm ci"), "ask");
  EXPECT_EQ(run(policy, "make"), "allow") << "a file's rule is not a host's to take away";
  EXPECT_EQ(policy.apply(RulesUpdate{.effect = "deny", .rules = {"Bash(make)"}}), UpdateOutcome{});
  EXPECT_EQ(run(policy, "make"), "deny");
  EXPECT_EQ(policy.apply(RulesUpdate{.effect = "ask", .rules = {"Read(x)"}}), UpdateOutcome{});
  EXPECT_EQ(verdict(policy, "Read", reads("/w/app/x")), "ask");
  EXPECT_EQ(policy.rules().deny.front().origin.source, RuleSource::session);
}

TEST(PolicyUpdates, ChangeNothingWhenTheyCannotBeRead) {
  ModePolicy policy(settings());
  EXPECT_EQ(policy.apply(RulesUpdate{.effect = "maybe", .rules = {"Bash"}}),
            (UpdateOutcome{.holds = false, .problem = "unknown behavior 'maybe'"}));
  const UpdateOutcome outcome = policy.apply(RulesUpdate{.rules = {"Bash(make)", "Bash(x"}});
  EXPECT_FALSE(outcome.holds);
  EXPECT_NE(outcome.problem.find("not closed"), std::string::npos);
  EXPECT_EQ(run(policy, "make"), "ask") << "all or nothing";
}

TEST(PolicyUpdates, ChangeTheModeAtOnce) {
  ModePolicy policy(settings(PermissionMode::bypass));
  EXPECT_EQ(run(policy, "make"), "allow");
  policy.set_mode(PermissionMode::dont_ask);
  EXPECT_EQ(run(policy, "make"), "deny");
  EXPECT_EQ(policy.apply(core::ModeUpdate{.mode = PermissionMode::accept_edits}), UpdateOutcome{});
  EXPECT_EQ(policy.mode(), PermissionMode::accept_edits);
  EXPECT_EQ(verdict(policy, "Write", writes("/w/app/x")), "allow");
  EXPECT_EQ(run(policy, "mkdir x"), "allow");
  EXPECT_EQ(run(policy, "mv a b"), "allow");
  EXPECT_EQ(run(policy, "cp a b"), "allow");
  EXPECT_EQ(run(policy, "cp /etc/passwd b"), "ask");
  EXPECT_EQ(run(policy, "mv a .git/x"), "ask");
  EXPECT_EQ(run(policy, "echo x > y"), "ask") << "single simple commands only";
}

TEST(PolicyUpdates, BypassOnlyWhenItWasPermittedFromTheStart) {
  const core::ModeUpdate bypass{.mode = PermissionMode::bypass};
  ModePolicy plain(settings());
  EXPECT_FALSE(plain.apply(bypass).holds);
  EXPECT_FALSE(plain.may_have(PermissionMode::bypass));
  EXPECT_EQ(plain.mode(), PermissionMode::default_mode);
  PolicySettings with = settings();
  with.bypass_permitted = true;
  ModePolicy permitted(with);
  EXPECT_TRUE(permitted.apply(bypass).holds);
  EXPECT_EQ(run(permitted, "make"), "allow");
  with.bypass_disabled = true;
  EXPECT_FALSE(ModePolicy(with).apply(bypass).holds);
}

TEST(PolicyUpdates, AreKeptWhereTheyBelong) {
  std::vector<core::PermissionUpdate> kept;
  PolicySettings with = settings();
  with.keep = [&](const core::PermissionUpdate& update) -> Result<void> {
    kept.push_back(update);
    if (kept.size() == 1) return {};
    return Error{.code = ErrorCode::io, .message = "disk full"};
  };
  ModePolicy policy(with);
  const RulesUpdate rules{.rules = {"Bash(make)"},
                          .destination = core::UpdateDestination::local_settings};
  EXPECT_EQ(policy.apply(rules), UpdateOutcome{});
  EXPECT_EQ(kept, (std::vector<core::PermissionUpdate>{rules}));
  EXPECT_EQ(policy.apply(rules), (UpdateOutcome{.holds = true, .problem = "disk full"}));
  EXPECT_EQ(policy.apply(RulesUpdate{.effect = "maybe", .rules = {}}).holds, false);
  EXPECT_EQ(kept.size(), 2U) << "what cannot be read is not written down";
}

TEST(PolicyUpdates, AddAndRemoveDirectories) {
  PolicySettings with = settings();
  with.file_names = [](const std::filesystem::path& given) -> std::vector<std::filesystem::path> {
    if (given == "/w/link") return {given, "/w/real"};
    return {given};
  };
  ModePolicy policy(with);
  EXPECT_EQ(verdict(policy, "Read", reads("/w/real/x")), "ask");
  EXPECT_EQ(policy.apply(core::DirectoriesUpdate{.directories = {"../link", "/w/link"}}),
            UpdateOutcome{});
  EXPECT_EQ(verdict(policy, "Read", reads("/w/real/x")), "allow") << "where it leads to";
  EXPECT_EQ(policy.apply(core::DirectoriesUpdate{.adds = false, .directories = {"/w/link", "/no"}}),
            UpdateOutcome{});
  EXPECT_EQ(verdict(policy, "Read", reads("/w/real/x")), "ask");
}

TEST(PolicyUpdates, HaveADefaultThatOnlyKnowsModes) {
  struct Plain final : PermissionPolicy {
    core::Decision decide(const core::ToolCall&, const core::Action&) const override {
      return core::Allow{};
    }
    void set_mode(PermissionMode mode) override { seen = mode; }
    PermissionMode seen = PermissionMode::default_mode;
  } policy;
  EXPECT_EQ(policy.apply(RulesUpdate{.rules = {"Bash"}}), UpdateOutcome{});
  EXPECT_EQ(policy.apply(core::ModeUpdate{.mode = PermissionMode::plan}), UpdateOutcome{});
  EXPECT_EQ(policy.seen, PermissionMode::plan);
  EXPECT_FALSE(policy.hides_files());
  EXPECT_FALSE(policy.hides("/x"));
  EXPECT_FALSE(policy.names_host("localhost"));
}

TEST(YumesModes, DenyRunsNothingUnasked) {
  PolicySettings with = settings();
  with.nothing_unasked = true;
  with.rules.allow = {test::rule_of("Read(//w/app/a)", RuleEffect::allow)};
  ModePolicy policy(with);
  EXPECT_EQ(verdict(policy, "Read", reads("/w/app/x")), "ask");
  EXPECT_EQ(verdict(policy, "Read", reads("/w/app/a")), "allow");
  EXPECT_EQ(run(policy, "ls"), "ask");
  policy.set_mode(PermissionMode::default_mode);
  EXPECT_EQ(run(policy, "ls"), "allow") << "whoever names a mode wants what it says";
}

TEST(YumesModes, BypassCanBeDisabled) {
  PolicySettings with = settings(PermissionMode::bypass);
  with.bypass_disabled = true;
  EXPECT_EQ(run(ModePolicy(with), "make"), "ask");
  EXPECT_EQ(run(ModePolicy(with), "ls"), "allow");
}

TEST(YumesModes, CommandsRunBehindTheSandbox) {
  PolicySettings with = settings();
  with.sandboxed_commands_run = true;
  EXPECT_EQ(run(ModePolicy(with), "make"), "allow");
  EXPECT_EQ(run(ModePolicy(with), "rm -rf ~"), "ask");
  with.leaves_sandbox = [](const std::string& command, const std::filesystem::path& cwd) {
    return command == "docker ps" && cwd == "/w/app";
  };
  EXPECT_EQ(run(ModePolicy(with), "docker ps"), "ask") << "it runs without it";
  EXPECT_EQ(run(ModePolicy(with), "make"), "allow");
  with.rules.deny = {test::rule_of("Bash(curl:*)", RuleEffect::deny)};
  EXPECT_EQ(run(ModePolicy(with), "$X y"), "ask") << "it may be the denied one";
  with.rules.deny.clear();
  with.mode = PermissionMode::plan;
  EXPECT_EQ(run(ModePolicy(with), "make"), "ask");
  with.mode = PermissionMode::dont_ask;
  EXPECT_EQ(run(ModePolicy(with), "make"), "deny");
}

TEST(YumesModes, AskRulesHoldInEveryMode) {
  for (const auto mode : {PermissionMode::default_mode, PermissionMode::bypass}) {
    PolicySettings with = settings(mode);
    with.rules.ask = {test::rule_of("Bash(git push:*)", RuleEffect::ask)};
    EXPECT_EQ(run(ModePolicy(with), "git push"), "ask");
    with.trust = HostTrust::runs_tools;
    EXPECT_EQ(run(ModePolicy(with), "git push"), "deny") << "nobody is there";
    EXPECT_EQ(run(ModePolicy(with), "rm -rf ~"), "deny");
  }
}

std::vector<core::PermissionUpdate> suggested(const PolicySettings& with, const std::string& tool,
                                              const core::Action& action) {
  const auto decision = ModePolicy(with).decide({.id = "x", .name = tool, .input = {"{}"}}, action);
  const auto* ask = std::get_if<core::Ask>(&decision);
  EXPECT_NE(ask, nullptr);
  return ask == nullptr ? std::vector<core::PermissionUpdate>{} : ask->suggestions;
}

TEST(Suggestions, CoverWhatWasShownAndNoMore) {
  using Updates = std::vector<core::PermissionUpdate>;
  EXPECT_EQ(suggested(settings(), "Bash", core::RunsCommand{"make all"}),
            (Updates{RulesUpdate{.rules = {"Bash(make all)"},
                                 .destination = core::UpdateDestination::local_settings}}));
  for (const char* command :
       {"make *", "make $X", "make (", "make\nls", "make:", "make \xe2\x80\x8b"}) {
    EXPECT_EQ(suggested(settings(), "Bash", core::RunsCommand{command}), Updates{}) << command;
  }
  EXPECT_EQ(suggested(settings(), "Write", writes("/w/app/x")),
            (Updates{core::ModeUpdate{.mode = PermissionMode::accept_edits}}));
  EXPECT_EQ(suggested(settings(), "Write", writes("/w/other/x")),
            (Updates{core::DirectoriesUpdate{.directories = {"/w/other"}}}));
  EXPECT_EQ(suggested(settings(), "Write", writes("/w/app/.git/config")), Updates{});
  EXPECT_EQ(suggested(settings(PermissionMode::plan), "Write", writes("/w/app/x")), Updates{});
  for (const char* command : {"touch .git/config", "make > .git/config"}) {
    EXPECT_EQ(suggested(settings(), "Bash", core::RunsCommand{command}), Updates{})
        << "a rule would not hold: " << command;
  }
  EXPECT_EQ(suggested(settings(PermissionMode::plan), "Bash", core::RunsCommand{"make"}),
            Updates{});
  EXPECT_EQ(suggested(settings(), "Read", reads("/w/other/x")),
            (Updates{RulesUpdate{.rules = {"Read(//w/other/**)"}}}));
  EXPECT_EQ(suggested(settings(), "WebFetch", core::ReachesHost{"a.com"}),
            (Updates{RulesUpdate{.rules = {"WebFetch(domain:a.com)"}}}));
  EXPECT_EQ(suggested(settings(), "WebSearch", core::SearchesWeb{"x"}),
            (Updates{RulesUpdate{.rules = {"WebSearch"}}}));
}

TEST(ParameterRules, LookAtOtherFields) {
  PolicySettings with = settings(PermissionMode::bypass);
  with.rules.deny = {test::rule_of("Bash(run_in_background:true)", RuleEffect::deny)};
  const ModePolicy policy(with);
  const auto decide = [&](const char* input) {
    const auto decision =
        policy.decide({.id = "x", .name = "Bash", .input = {input}}, core::RunsCommand{"make"});
    return std::holds_alternative<core::Deny>(decision);
  };
  EXPECT_TRUE(decide(R"({"run_in_background":true})"));
  EXPECT_TRUE(decide(R"({"run_in_background":"true"})"));
  EXPECT_FALSE(decide(R"({"run_in_background":false})"));
  EXPECT_FALSE(decide(R"({"run_in_background":[true]})"));
  EXPECT_FALSE(decide(R"([])"));
  EXPECT_FALSE(decide("no json"));
}

TEST(ClosedFiles, OpenOnlyToARuleOfTheirOwn) {
  PolicySettings with = settings(PermissionMode::bypass);
  with.closed = [](const std::filesystem::path& name) {
    return name == "/home/u/.netrc" ? Closed::personal : Closed::no;
  };
  EXPECT_EQ(verdict(ModePolicy(with), "Read", reads("/home/u/.netrc")), "deny");
  EXPECT_EQ(run(ModePolicy(with), "cat ~/.netrc"), "deny");
  with.rules.allow = {test::rule_of("Read(~/.netrc)", RuleEffect::allow)};
  EXPECT_EQ(verdict(ModePolicy(with), "Read", reads("/home/u/.netrc")), "allow");
  EXPECT_EQ(run(ModePolicy(with), "cat ~/.netrc"), "allow");
  EXPECT_EQ(verdict(ModePolicy(with), "Write", writes("/home/u/.netrc")), "deny");
}

}  // namespace
}  // namespace yume::permissions
