// SPDX-License-Identifier: MIT
#include "tools/bash.h"

#include "support/event_text.h"
#include "support/recording_sink.h"
#include "support/tool_world.h"
#include "tools/aliases.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace yume::tools {
namespace {

using nlohmann::json;
using platform::ProcessEndKind;
using Strings = std::vector<std::string>;

struct Scene : test::ToolWorld {
  std::string run(const json& input, test::ScriptedRun scripted = {}) {
    processes.script.push_back(std::move(scripted));
    Plan plan = tool->plan(input, context());
    if (const auto* outcome = std::get_if<core::ToolOutcome>(&plan)) return test::text_of(*outcome);
    const auto& call = std::get<PlannedCall>(plan);
    EXPECT_EQ(std::get<core::RunsCommand>(call.action).command, input["command"]);
    return test::text_of(call.run(context()));
  }

  std::unique_ptr<Tool> tool = make_bash_tool();
};

std::string failed(const std::string& text) {
  return "error: " + text + " | " + json("Error: " + text).dump();
}

std::string succeeded(const std::string& content, const std::string& output) {
  return "good: " + content + R"( | {"stdout":)" + json(output).dump() +
         R"(,"stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false})";
}

TEST(BashTool, RunsTheCommandInTheWorkingDirectory) {
  Scene scene;
  EXPECT_EQ(scene.run({{"command", "echo hi"}, {"description", "Greets"}}, {.output = {"hi\n"}}),
            succeeded("hi", "hi"));
  ASSERT_EQ(scene.processes.specs.size(), 1U);
  const platform::ProcessSpec& spec = scene.processes.specs[0];
  EXPECT_EQ(spec.argv, (Strings{"/bin/bash", "--noprofile", "--norc", "-c", "echo hi\n\n"}));
  EXPECT_EQ(spec.cwd, "/w");
  EXPECT_EQ(spec.environment, Strings{"PATH=/usr/bin"});
  EXPECT_EQ(spec.timeout, std::chrono::milliseconds(120'000));
}

TEST(BashTool, RunsTheCommandWithTheShellOfTheSystem) {
  Scene scene;
  tools::Shell shell({.roots = {"/w"},
                      .command_shell = {platform::ShellKind::git_bash, R"(C:\Git\bin\bash.exe)"}});
  scene.processes.script.push_back({});
  const ToolContext usual = scene.context();
  const ToolContext context{.cwd = usual.cwd,
                            .home = usual.home,
                            .child_environment = usual.child_environment,
                            .files = usual.files,
                            .processes = usual.processes,
                            .clock = usual.clock,
                            .memory = usual.memory,
                            .cancel = usual.cancel,
                            .shell = shell};
  Plan plan = scene.tool->plan({{"command", "echo hi"}}, context);
  std::get<PlannedCall>(plan).run(context);
  ASSERT_EQ(scene.processes.specs.size(), 1U);
  EXPECT_EQ(scene.processes.specs[0].argv[0], R"(C:\Git\bin\bash.exe)");
  EXPECT_EQ(scene.processes.specs[0].environment, Strings{"PATH=/usr/bin"});
  EXPECT_EQ(scene.processes.specs[0].input, "echo hi");
}

class BehindAWall : public testing::Test {
 protected:
  std::string run(const json& input, test::ScriptedRun scripted = {}) {
    scene_.processes.script.push_back(std::move(scripted));
    const ToolContext usual = scene_.context();
    const ToolContext context{.cwd = usual.cwd,
                              .home = usual.home,
                              .child_environment = {"A=1", "TMPDIR=/tmp", "TMPDIRS=/x"},
                              .files = usual.files,
                              .processes = usual.processes,
                              .clock = usual.clock,
                              .memory = usual.memory,
                              .cancel = usual.cancel,
                              .shell = shell_,
                              .output_directory = "/out",
                              .proven_steps = proven_,
                              .events = &events_};
    Plan plan = scene_.tool->plan(input, context);
    return std::get<PlannedCall>(plan).run(context).content;
  }

  Scene scene_;
  Shell shell_{{.roots = {"/w"},
                .make_wall =
                    [this] {
                      ++made_;
                      return WallOutcome{
                          .wall = CommandWall{.sandbox = {.writable = {"/w"}, .temporary = "/own"},
                                              .environment = {"TMPDIR=/own", "B=2"},
                                              .advice = "Work in /w."},
                          .notices = {"Not all can be kept."}};
                    },
                .leaves_wall =
                    [](const std::string& command, const std::filesystem::path& cwd) {
                      return command == "docker ps" && cwd == "/w";
                    }}};
  int made_ = 0;
  std::vector<core::CommandStep> proven_;
  test::RecordingSink events_;
};

TEST_F(BehindAWall, CommandsAreGivenItAndItsVariables) {
  run({{"command", "x"}});
  run({{"command", "x"}, {"run_in_background", true}});
  ASSERT_EQ(scene_.processes.specs.size(), 2U);
  for (const platform::ProcessSpec& spec : scene_.processes.specs) {
    ASSERT_TRUE(spec.sandbox);
    EXPECT_EQ(spec.sandbox->writable, std::vector<std::filesystem::path>{"/w"});
    EXPECT_EQ(spec.environment, (Strings{"A=1", "TMPDIRS=/x", "TMPDIR=/own", "B=2"}));
  }
}

TEST_F(BehindAWall, SoAreCommandsThatNeedNoShell) {
  if (!platform::can_run_steps()) GTEST_SKIP() << "every command needs a shell here";
  proven_ = {{.argv = {"ls"}}};
  run({{"command", "ls"}});
  const platform::ProcessSpec& spec = scene_.processes.specs.back();
  EXPECT_EQ(spec.steps.size(), 1U);
  ASSERT_TRUE(spec.sandbox);
  EXPECT_EQ(spec.sandbox->writable, std::vector<std::filesystem::path>{"/w"});
  EXPECT_EQ(spec.environment.back(), "B=2");
}

TEST_F(BehindAWall, ItIsMadeForTheFirstCommandAndTheUserIsToldOnce) {
  EXPECT_EQ(made_, 0);
  EXPECT_EQ(shell_.wall(), nullptr);
  run({{"command", "x"}});
  run({{"command", "x"}});
  EXPECT_EQ(made_, 1);
  EXPECT_EQ(events_.events(), Strings{test::text_of(core::Notice{"Not all can be kept."})});
}

TEST_F(BehindAWall, WhatTheUserExcludesRunsWithoutIt) {
  EXPECT_EQ(run({{"command", "docker ps"}}, {.output = {"x: Permission denied\n"}}),
            "x: Permission denied");
  EXPECT_FALSE(scene_.processes.specs.back().sandbox);
  EXPECT_EQ(scene_.processes.specs.back().environment,
            (Strings{"A=1", "TMPDIR=/tmp", "TMPDIRS=/x"}));
}

TEST_F(BehindAWall, ARefusalIsExplainedHoweverTheCommandEnded) {
  const std::string refusal = "touch: cannot touch '/etc/x': Read-only file system\n";
  const platform::ProcessEnd failed_end{.kind = ProcessEndKind::exited, .exit_code = 1};
  EXPECT_EQ(run({{"command", "x"}}, {.output = {refusal}, .end = failed_end}),
            "Exit code 1\ntouch: cannot touch '/etc/x': Read-only file system\nWork in /w.");
  EXPECT_EQ(run({{"command", "x | tail"}}, {.output = {refusal}}),
            "touch: cannot touch '/etc/x': Read-only file system\nWork in /w.");
  EXPECT_EQ(run({{"command", "x"}}, {.output = {"no such file\n"}, .end = failed_end}),
            "Exit code 1\nno such file");
}

TEST_F(BehindAWall, TheModelCannotTakeItDown) {
  EXPECT_EQ(run({{"command", "x"}, {"dangerouslyDisableSandbox", true}}, {.output = {"hi\n"}}),
            "hi\ndangerouslyDisableSandbox had no effect: only the user can change the sandbox.");
  EXPECT_TRUE(scene_.processes.specs.back().sandbox);
  EXPECT_EQ(run({{"command", "x"}, {"dangerouslyDisableSandbox", false}}, {.output = {"hi\n"}}),
            "hi");
}

TEST(BashTool, HasNoWallUnlessThereIsOne) {
  Scene scene;
  EXPECT_EQ(scene.run({{"command", "x"}, {"dangerouslyDisableSandbox", true}},
                      {.output = {"x: Permission denied\n"}}),
            succeeded("x: Permission denied", "x: Permission denied"));
  EXPECT_FALSE(scene.processes.specs.back().sandbox);
}

TEST(TellsOfRefusal, KnowsHowProgramsSayIt) {
  for (const char* text :
       {"bash: /etc/x: Permission denied", "a\ntouch: cannot touch 'x': Read-only file system\nb",
        "mv: cannot move 'a' to 'b': Device or resource busy", "open /x: permission denied",
        "rm: cannot remove 'x': Operation not permitted.", "x: Permission denied\r\n",
        "Error: EACCES: permission denied, open '/x'", "Error: EROFS: read-only file system, mkdir",
        "PermissionError: [Errno 13] Permission denied: '/x'",
        "OSError: [Errno 30] Read-only file system: '/x'",
        "failed: Permission denied (os error 13)"}) {
    EXPECT_TRUE(tells_of_refusal(text)) << text;
  }
  for (const char* text : {"", "ok", "grep found: `Permission denied` in src/x.c", "not permitted",
                           "The Permission denied page", "Permission denied"}) {
    EXPECT_FALSE(tells_of_refusal(text)) << text;
  }
}

TEST(BashTool, SaysSoWhenNothingWasPrinted) {
  Scene scene;
  EXPECT_EQ(scene.run({{"command", "true"}}), succeeded("(Bash completed with no output)", ""));
  EXPECT_EQ(scene.run({{"command", "echo"}}, {.output = {"\n", "\n\r\n"}}),
            succeeded("(Bash completed with no output)", ""));
}

TEST(BashTool, TrimsOnlyTrailingNewlines) {
  Scene scene;
  EXPECT_EQ(scene.run({{"command", "x"}}, {.output = {"\n a \n", "b \r\n"}}),
            succeeded("\n a \nb ", "\n a \nb "));
}

TEST(BashTool, ReportsEveryWayACommandEnds) {
  Scene scene;
  const auto end = [](ProcessEndKind kind, int code, int signal) {
    return platform::ProcessEnd{.kind = kind, .exit_code = code, .signal = signal};
  };
  EXPECT_EQ(scene.run({{"command", "x"}},
                      {.output = {"out\nerr\n"}, .end = end(ProcessEndKind::exited, 3, 0)}),
            failed("Exit code 3\nout\nerr"));
  EXPECT_EQ(scene.run({{"command", "x"}}, {.end = end(ProcessEndKind::exited, 1, 0)}),
            failed("Exit code 1"));
  EXPECT_EQ(scene.run({{"command", "x"}},
                      {.end = end(ProcessEndKind::exited, static_cast<int>(0xC0000005), 0)}),
            failed("Exit code 0xC0000005 (access violation)"));
  EXPECT_EQ(scene.run({{"command", "x"}}, {.end = end(ProcessEndKind::exited, -1, 0)}),
            failed("Exit code 0xFFFFFFFF"));
  EXPECT_EQ(scene.run({{"command", "x"}}, {.end = end(ProcessEndKind::signalled, 0, 9)}),
            failed("Exit code 137 (killed by SIGKILL)"));
  EXPECT_EQ(scene.run({{"command", "x"}, {"timeout", 1000}},
                      {.output = {"so far"}, .end = end(ProcessEndKind::timed_out, 0, 0)}),
            failed("Exit code 143\nCommand timed out after 1s\nso far"));
  EXPECT_EQ(scene.run({{"command", "x"}, {"timeout", 1500}},
                      {.end = end(ProcessEndKind::timed_out, 0, 0)}),
            failed("Exit code 143\nCommand timed out after 1500ms"));
  EXPECT_EQ(scene.run({{"command", "x"}},
                      {.output = {"so far"}, .end = end(ProcessEndKind::cancelled, 0, 0)}),
            failed("Command was stopped\nso far"));
  EXPECT_EQ(scene.run({{"command", "x"}},
                      {.end = Error{.code = ErrorCode::io, .message = "cannot start /bin/bash"}}),
            failed("cannot start /bin/bash"));
}

TEST(BashTool, KeepsTheTimeoutWithinItsLimits) {
  Scene scene;
  for (const auto& [given, used] : std::vector<std::pair<json, int>>{{5000, 5000},
                                                                     {"5000", 5000},
                                                                     {0, 1},
                                                                     {-5, 1},
                                                                     {600'000, 600'000},
                                                                     {600'001, 600'000},
                                                                     {9e15 - 2, 600'000},
                                                                     {nullptr, 120'000}}) {
    scene.run({{"command", "x"}, {"timeout", given}});
    EXPECT_EQ(scene.processes.specs.back().timeout, std::chrono::milliseconds(used)) << given;
  }
}

TEST(BashTool, ShowsTheFirstAndTheLastPartOfALongOutput) {
  Scene scene;
  std::string head(15'000, 'a');
  std::string middle(70'000, 'b');
  std::string tail(15'000, 'c');
  const std::string all = head + middle + tail;
  const std::string shown = head + "\n\n... [70000 bytes of output left out] ...\n\n" + tail;
  test::ScriptedRun pieces;
  for (std::size_t at = 0; at < all.size(); at += 777) pieces.output.push_back(all.substr(at, 777));
  EXPECT_EQ(scene.run({{"command", "x"}}, pieces), succeeded(shown, shown));
  EXPECT_EQ(scene.run({{"command", "x"}}, {.output = {all}}), succeeded(shown, shown))
      << "however it arrives";
}

TEST(BashTool, ShowsUpTo30000BytesWhole) {
  Scene scene;
  const std::string exact(30'000, 'x');
  EXPECT_EQ(scene.run({{"command", "x"}}, {.output = {exact}}), succeeded(exact, exact));
}

TEST(BashTool, ReportsProgressOfALongCommand) {
  Scene scene;
  const auto go_there = [&](platform::SteadyTime until) {
    scene.clock.advance(
        std::chrono::ceil<std::chrono::milliseconds>(until - scene.clock.steady_now()));
  };
  scene.run({{"command", "x"}}, {.pauses = 3, .on_pause = go_there});
  EXPECT_EQ(scene.events.events(), (Strings{"progress call_1 Bash 2s", "progress call_1 Bash 7s",
                                            "progress call_1 Bash 12s"}));
}

TEST(BashTool, StartsWhereTheLastCommandEnded) {
  Scene scene;
  ASSERT_TRUE(scene.files.create_directories("/w/sub").ok());
  const auto next_cwd = [&](const char* ended_in) {
    scene.run({{"command", "x"}}, {.final_cwd = ended_in});
    scene.run({{"command", "x"}});
    return scene.processes.specs.back().cwd;
  };
  EXPECT_EQ(next_cwd("/w/sub"), "/w/sub");
  EXPECT_EQ(next_cwd(""), "/w/sub") << "unknown: it stays";
  EXPECT_EQ(next_cwd("/w"), "/w");
  EXPECT_EQ(next_cwd("/w/gone"), "/w");
  EXPECT_EQ(next_cwd("/elsewhere"), "/w");
  EXPECT_EQ(next_cwd("/www"), "/w") << "only the name begins alike";
}

TEST(BashTool, ReplacesBytesThatAreNotUtf8) {
  Scene scene;
  EXPECT_EQ(scene.run({{"command", "x"}}, {.output = {"a\xFF", "b\x1b[31m\xC3", "\xA9"}}),
            "good: a\xEF\xBF\xBD"
            "b\x1b[31m\xC3\xA9"
            R"( | {"stdout":"a\ufffdb\u001b[31m\u00e9","stderr":"","interrupted":false,)"
            R"("isImage":false,"noOutputExpected":false})");
}

TEST(BashTool, RefusesInputThatCannotRun) {
  Scene scene;
  EXPECT_NE(scene.run({{"cmd", "ls"}}).find("The required parameter `command` is missing"),
            std::string::npos);
  EXPECT_NE(scene.run({{"command", std::string("a\0b", 3)}}).find("contains a NUL byte"),
            std::string::npos);
  EXPECT_TRUE(scene.processes.specs.empty());
}

TEST(Aliases, TurnOtherNamesForTheShellIntoOurs) {
  const auto renamed = [](const char* called, json input) {
    rename_fields(called, input);
    return std::string(tool_name_for(called)) + " " + input.dump();
  };
  EXPECT_EQ(renamed("run_shell_command", {{"command", "ls # x"}, {"directory", "it's"}}),
            R"~(Bash {"command":"(cd -- 'it'\\''s' || exit; ls # x\n)"})~");
  EXPECT_EQ(
      renamed("run_shell_command", {{"command", "ls"}, {"dir_path", "."}, {"is_background", true}}),
      R"(Bash {"command":"ls","run_in_background":true})");
  EXPECT_EQ(renamed("execute_command", {{"command", "ls"}}), R"(Bash {"command":"ls"})");
  EXPECT_EQ(renamed("TaskOutput", {{"task_id", "bash_1"}}),
            R"(BashOutput {"bash_id":"bash_1","block":true})");
  EXPECT_EQ(renamed("TaskOutput", {{"task_id", "bash_1"}, {"block", false}}),
            R"(BashOutput {"bash_id":"bash_1","block":false})");
  EXPECT_EQ(renamed("BashOutput", {{"bash_id", "bash_1"}}), R"(BashOutput {"bash_id":"bash_1"})");
  EXPECT_EQ(renamed("TaskStop", {{"task_id", "bash_1"}}), R"(KillShell {"shell_id":"bash_1"})");
  EXPECT_EQ(renamed("KillBash", {{"shell_id", "bash_1"}}), R"(KillShell {"shell_id":"bash_1"})");
}

TEST(ChildEnvironment, LetsNoSecretThrough) {
  std::map<std::string, std::string, std::less<>> variables = {{"PATH", "/bin"},
                                                               {"HOME", "/home/u"},
                                                               {"LANG", "C"},
                                                               {"SSH_AUTH_SOCK", "/s"},
                                                               {"CARGO_HOME", "/c"},
                                                               {"PAGER", "less"},
                                                               {"GIT_AUTHOR_NAME", "A. U. Thor"},
                                                               {"EMPTY", ""},
                                                               {"WITH_EQUALS", "a=b"},
                                                               {"TERM", "xterm"}};
  for (const char* name : {"GEMINI_API_KEY",
                           "GOOGLE_API_KEY",
                           "GOOGLE_APPLICATION_CREDENTIALS",
                           "CLOUDSDK_CONFIG",
                           "CLOUDSDK_AUTH_ACCESS_TOKEN",
                           "GOOGLE_OAUTH_ACCESS_TOKEN",
                           "ANTHROPIC_API_KEY",
                           "ANTHROPIC_BASE_URL",
                           "CLAUDE_CODE_OAUTH_TOKEN",
                           "LD_PRELOAD",
                           "LD_LIBRARY_PATH",
                           "DYLD_INSERT_LIBRARIES",
                           "BASH_ENV",
                           "ENV",
                           "BASH_FUNC_ls%%",
                           "PROMPT_COMMAND",
                           "GIT_ASKPASS",
                           "SSH_ASKPASS",
                           "OPENAI_API_KEY",
                           "AWS_SECRET_ACCESS_KEY",
                           "GITHUB_TOKEN",
                           "npm_config__authToken",
                           "my_secret",
                           "DB_PASSWORD",
                           "pgpassword",
                           "MyApiKey",
                           "AZURE_CREDENTIALS",
                           "HTTP_AUTH",
                           "GEMINI_CLI_CUSTOM_HEADERS",
                           "Token"}) {
    variables[name] = "canary";
  }
  const Strings child = child_environment(variables);
  EXPECT_EQ(child,
            (Strings{"CARGO_HOME=/c", "EMPTY=", "GIT_AUTHOR_NAME=A. U. Thor", "GIT_PAGER=cat",
                     "GIT_TERMINAL_PROMPT=0", "HOME=/home/u", "LANG=C", "PAGER=cat", "PATH=/bin",
                     "SHELL=/bin/bash", "SSH_AUTH_SOCK=/s", "TERM=xterm", "WITH_EQUALS=a=b"}));
}

TEST(ChildEnvironment, KeepsTheShellOfTheUser) {
  const Strings child = child_environment({{"SHELL", "/bin/zsh"}});
  EXPECT_EQ(child,
            (Strings{"GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "PAGER=cat", "SHELL=/bin/zsh"}));
}

TEST(ChildEnvironment, ComparesNamesAsTheSystemDoes) {
  const platform::Variables variables = {{"Path", "mine"},
                                         {"pager", "less"},
                                         {"claude_code_x", "canary"},
                                         {"Ld_preload", "canary"},
                                         {"systemroot", "D:"}};
  const platform::CommandSystem windows{
      .variables_ignore_case = true,
      .default_variables = {{"PATH", "theirs"}, {"SystemRoot", "C:"}, {"TEMP", "T"}}};
  EXPECT_EQ(child_environment(variables, windows),
            (Strings{"GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "PAGER=cat", "Path=mine",
                     "systemroot=D:", "TEMP=T"}));
  EXPECT_EQ(child_environment(variables),
            (Strings{"GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "Ld_preload=canary", "PAGER=cat",
                     "Path=mine", "SHELL=/bin/bash", "claude_code_x=canary", "pager=less",
                     "systemroot=D:"}));
}

}  // namespace
}  // namespace yume::tools
