// SPDX-License-Identifier: MIT
#include "app/sandbox_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/doctor/machine_checks.h"
#include "platform/sandbox.h"
#include "support/fake_clock.h"
#include "support/memory_file_system.h"

namespace yume::app {
namespace {

using config::SandboxMode;
using Strings = std::vector<std::string>;

Options options_of(const Strings& tokens) {
  const auto arguments = parse_arguments(tokens);
  EXPECT_TRUE(arguments.ok());
  const auto read = read_options(*arguments, {});
  const auto* options = std::get_if<Options>(&read);
  EXPECT_NE(options, nullptr);
  return options == nullptr ? Options() : *options;
}

SandboxMode wanted(const Strings& tokens, std::optional<bool> enabled = std::nullopt) {
  config::SandboxSettings settings;
  settings.enabled = enabled;
  const auto choice = choose_sandbox(options_of(tokens), settings);
  EXPECT_TRUE(choice.ok());
  return choice.ok() ? choice->mode : SandboxMode::off;
}

TEST(WantedSandbox, IsOnWhenYumeLeavesItOpenWhatMayRun) {
  EXPECT_EQ(wanted({"--provider", "gemini"}), SandboxMode::workspace_write);
  EXPECT_EQ(wanted({"--provider", "gemini", "--permission-mode", "auto"}),
            SandboxMode::workspace_write);
  EXPECT_EQ(wanted({"--provider", "gemini", "--allowedTools", "Bash"}),
            SandboxMode::workspace_write);
  EXPECT_EQ(wanted({"--provider", "gemini", "--permission-mode", "bypassPermissions"}),
            SandboxMode::off);
  EXPECT_EQ(wanted({"--provider", "gemini", "--dangerously-skip-permissions"}), SandboxMode::off);
  EXPECT_EQ(wanted({"-p", "hi"}), SandboxMode::off);
}

TEST(WantedSandbox, IsWhatTheSettingsAndAboveAllTheFlagSay) {
  EXPECT_EQ(wanted({"-p", "hi"}, true), SandboxMode::workspace_write);
  EXPECT_EQ(wanted({"--provider", "gemini"}, false), SandboxMode::off);
  EXPECT_EQ(wanted({"--sandbox", "read-only"}, false), SandboxMode::read_only);
  EXPECT_EQ(wanted({"--sandbox", "off", "--provider", "gemini"}, true), SandboxMode::off);
  EXPECT_EQ(wanted({"--sandbox=workspace-write"}), SandboxMode::workspace_write);
}

TEST(WantedSandbox, MustBeSpeltRight) {
  const auto arguments = parse_arguments({"--sandbox", "workspace"});
  ASSERT_TRUE(arguments.ok());
  const auto read = read_options(*arguments, {});
  const auto* problem = std::get_if<UsageError>(&read);
  ASSERT_NE(problem, nullptr);
  EXPECT_EQ(problem->code, ExitCode::usage);
  EXPECT_EQ(problem->message,
            "error: option '--sandbox <mode>' argument 'workspace' is invalid. Allowed choices are "
            "off, workspace-write, read-only.");
}

TEST(WantedSandbox, StaysWhenAnAdministratorHasSwitchedItOn) {
  config::SandboxSettings settings;
  settings.enabled = true;
  settings.is_required = true;
  const auto off = choose_sandbox(options_of({"--sandbox", "off"}), settings);
  ASSERT_TRUE(off.ok());
  EXPECT_EQ(off->mode, SandboxMode::workspace_write);
  EXPECT_EQ(off->notices,
            Strings{"--sandbox off is ignored: the administrator's settings switch the sandbox "
                    "on."});
  const auto stricter = choose_sandbox(options_of({"--sandbox", "read-only"}), settings);
  ASSERT_TRUE(stricter.ok());
  EXPECT_EQ(stricter->mode, SandboxMode::read_only);
}

TEST(WantedSandbox, SaysWhatCannotBeKept) {
  config::SandboxSettings settings;
  settings.limits_domains = true;
  settings.not_known = {"sandbox.strict"};
  const auto choice = choose_sandbox(options_of({"--sandbox", "workspace-write"}), settings);
  ASSERT_TRUE(choice.ok());
  EXPECT_EQ(choice->notices,
            (Strings{"sandbox.network in the settings names hosts, domains or proxies. Commands "
                     "cannot be kept to some of them, so they get no network at all.",
                     "sandbox.strict in the settings is not known, and has no effect."}));
}

TEST(WantedSandbox, IsAnErrorWhenItMustBeThereAndIsNot) {
  config::SandboxSettings settings;
  settings.must_be_there = true;
  EXPECT_EQ(choose_sandbox(options_of({"--sandbox", "read-only"}), settings).ok(),
            platform::has_sandbox());
  EXPECT_TRUE(choose_sandbox(options_of({"--sandbox", "off"}), settings).ok());
}

TEST(DoctorOnTheSandbox, SaysWhichWallThereIsAndWhoGetsIt) {
  EXPECT_EQ(
      doctor::check_sandbox(SandboxMode::workspace_write,
                            {.landlock_abi = 7, .private_mounts = true, .network_filter = true}),
      (doctor::Finding{.check = "sandbox",
                       .detail = "Landlock 7 with mounts of its own; with --provider: "
                                 "workspace-write"}));
  EXPECT_EQ(doctor::check_sandbox(SandboxMode::off, {.landlock_abi = 3}),
            (doctor::Finding{.check = "sandbox",
                             .detail = "Landlock 3 alone, without mounts of its own "
                                       "(docs/sandbox.md); only TCP can be denied; with "
                                       "--provider: off"}));
  EXPECT_EQ(
      doctor::check_sandbox(SandboxMode::read_only, {.profiles = true}),
      (doctor::Finding{.check = "sandbox", .detail = "sandbox-exec; with --provider: read-only"}));
  EXPECT_EQ(doctor::check_sandbox(SandboxMode::workspace_write, {}),
            (doctor::Finding{.check = "sandbox",
                             .verdict = doctor::Verdict::warn,
                             .detail = "none: commands run with all of your rights",
                             .advice = "Linux has one from 5.13 on, if Landlock is switched on"}));
  EXPECT_EQ(doctor::check_sandbox(
                Error{.code = ErrorCode::invalid_argument, .message = "sandbox.enabled is wrong"},
                {.landlock_abi = 7}),
            (doctor::Finding{.check = "sandbox",
                             .verdict = doctor::Verdict::fail,
                             .detail = "sandbox.enabled is wrong"}));
}

class WallMaker : public testing::Test {
 protected:
  WallMaker() {
    environment_.home = "/home/u";
    environment_.cwd = "/w";
  }

  std::function<tools::WallOutcome()> maker(SandboxMode mode) {
    return wall_maker({.mode = mode},
                      {{"/w"}, std::make_shared<LazyClosedSet>(files_, environment_)},
                      {.files = files_, .environment = environment_, .clock = clock_});
  }

  platform::Environment environment_;
  test::MemoryFileSystem files_;
  test::FakeClock clock_;
};

TEST_F(WallMaker, IsEmptyWhenNoneIsWanted) {
  EXPECT_FALSE(maker(SandboxMode::off));
}

TEST_F(WallMaker, MakesTheWallOrSaysThatThereIsNone) {
  const auto make = maker(SandboxMode::workspace_write);
  ASSERT_TRUE(make);
  const tools::WallOutcome outcome = make();
  if (!platform::has_sandbox()) {
    EXPECT_FALSE(outcome.wall);
    EXPECT_EQ(outcome.notices.size(), 1U);
    return;
  }
  ASSERT_TRUE(outcome.wall);
  EXPECT_EQ(outcome.notices, Strings{});
  const auto& closed = outcome.wall->sandbox.closed;
  EXPECT_NE(std::find(closed.begin(), closed.end(), "/home/u/.ssh"), closed.end());
}

}  // namespace
}  // namespace yume::app
