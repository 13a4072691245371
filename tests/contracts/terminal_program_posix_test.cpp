// SPDX-License-Identifier: MIT
// That the program gets the terminal is tested on one (tests/terminal).
#include "platform/terminal_program.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <string>

#include "support/temporary_directory.h"

namespace yume::platform {
namespace {

Result<ProcessEnd> run(const std::string& script, std::optional<std::string> input = "") {
  return run_on_terminal({.argv = {"/bin/sh", "-c", script},
                          .cwd = "/",
                          .environment = {"WORD=given"},
                          .input = std::move(input)});
}

TEST(TerminalProgram, EndsAsTheProgramDoes) {
  EXPECT_EQ(*run("exit 3"), (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 3}));
  EXPECT_EQ(*run("kill -TERM $$"),
            (ProcessEnd{.kind = ProcessEndKind::signalled, .signal = SIGTERM}));
}

TEST(TerminalProgram, GetsItsInputAndNoOtherEnvironment) {
  EXPECT_EQ(
      run("[ \"$(cat)\" = text ] && [ \"$WORD\" = given ] && [ -z \"$HOME\" ]", "text")->exit_code,
      0);
  EXPECT_EQ(run("[ \"$PWD\" = / ]")->exit_code, 0);
}

TEST(TerminalProgram, NeedNotReadItsInput) {
  EXPECT_EQ(run("exit 0", std::string(1U << 22U, 'x'))->exit_code, 0);
}

TEST(TerminalProgram, HasTheSignalsThatThisProcessIgnores) {
  EXPECT_EQ(run("kill -INT $$; exit 0")->signal, SIGINT);
  EXPECT_EQ(run("kill -PIPE $$; exit 0")->signal, SIGPIPE);
}

TEST(TerminalProgram, LeavesTheSignalsOfThisProcessAsTheyWere) {
  struct sigaction before {};
  struct sigaction after {};
  ::sigaction(SIGINT, nullptr, &before);
  ASSERT_TRUE(run("exit 0").ok());
  ::sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

TEST(TerminalProgram, SaysThatItCannotBeStarted) {
  const test::TemporaryDirectory folder;
  const std::string missing = (folder.path() / "missing").string();
  const auto end = run_on_terminal({.argv = {missing}, .cwd = "/", .environment = {}});
  ASSERT_FALSE(end.ok());
  EXPECT_TRUE(end.error().message.starts_with("cannot start " + missing + ": "))
      << end.error().message;
  EXPECT_FALSE(
      run_on_terminal({.argv = {"/bin/sh"}, .cwd = folder.path() / "gone", .environment = {}})
          .ok());
}

}  // namespace
}  // namespace yume::platform
