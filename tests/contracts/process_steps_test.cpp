// SPDX-License-Identifier: MIT
// Commands that run without a shell do what bash does with the same line.
#include "platform/process.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/run_command.h"
#include "support/temporary_directory.h"

namespace yume {
namespace {

using platform::ProcessSpec;
using platform::ProcessStep;
using platform::StepJoint;
using test::bash;
using test::run;

ProcessStep step(StepJoint joint, std::vector<std::string> argv) {
  ProcessStep one{.joint = joint, .argv = argv, .name = argv.front()};
  one.argv.front() = "/usr/bin/" + one.name;
  return one;
}

// The same line for both: output and end must be equal.
void expect_like_bash(const std::string& line, std::vector<ProcessStep> steps) {
  const auto by_bash = run(bash(line));
  ProcessSpec spec = bash("exit 99");
  spec.steps = std::move(steps);
  const auto by_steps = run(spec);
  EXPECT_EQ(by_steps.output, by_bash.output) << line;
  EXPECT_EQ(by_steps.end, by_bash.end) << line;
}

TEST(ProcessSteps, JoinLikeBash) {
  using enum StepJoint;
  expect_like_bash("echo one", {step(first, {"echo", "one"})});
  expect_like_bash(
      "printf 'b\\na\\n' | sort | head -n 1",
      {step(first, {"printf", "b\\na\\n"}), step(pipe, {"sort"}), step(pipe, {"head", "-n", "1"})});
  expect_like_bash(
      "false && echo x || echo y",
      {step(first, {"false"}), step(and_then, {"echo", "x"}), step(or_else, {"echo", "y"})});
  expect_like_bash("true || echo x ; echo y", {step(first, {"true"}), step(or_else, {"echo", "x"}),
                                               step(then, {"echo", "y"})});
  expect_like_bash("echo x | false", {step(first, {"echo", "x"}), step(pipe, {"false"})});
  expect_like_bash("false | true", {step(first, {"false"}), step(pipe, {"true"})});
}

TEST(ProcessSteps, EndAPipeWhoseReaderHasLeft) {
  using enum StepJoint;
  expect_like_bash("yes | head -n 2", {step(first, {"yes"}), step(pipe, {"head", "-n", "2"})});
}

TEST(ProcessSteps, DropAndMergeStreams) {
  auto quiet = step(StepJoint::first, {"ls", "/nonexistent"});
  quiet.drops_errors = true;
  expect_like_bash("ls /nonexistent 2>/dev/null", {quiet});
  auto silent = step(StepJoint::first, {"echo", "x"});
  silent.drops_output = true;
  expect_like_bash("echo x >/dev/null", {silent});
  auto merged = step(StepJoint::first, {"ls", "/nonexistent"});
  merged.errors_to_output = true;
  expect_like_bash("ls /nonexistent 2>&1 | wc -l", {merged, step(StepJoint::pipe, {"wc", "-l"})});
}

TEST(ProcessSteps, GoToADirectoryAndTellWhereTheyEnded) {
  const test::TemporaryDirectory folder;
  ProcessSpec spec = bash("exit 99");
  ProcessStep change{.name = "cd", .directory = folder.path()};
  spec.steps = {change, step(StepJoint::and_then, {"pwd", "-P"})};
  const auto ran = run(spec);
  EXPECT_EQ(ran.output, std::filesystem::canonical(folder.path()).string() + "\n");
  change.directory = folder.path() / "missing";
  spec.steps = {change, step(StepJoint::and_then, {"echo", "x"})};
  EXPECT_EQ(run(spec).end.exit_code, 1);
}

TEST(ProcessSteps, ReportAProgramThatIsNotThere) {
  ProcessSpec spec = bash("exit 99");
  spec.steps = {{.name = "nothing-here"}};
  const auto ran = run(spec);
  EXPECT_EQ(ran.end.exit_code, 127);
  EXPECT_EQ(ran.output, "nothing-here: command not found\n");
}

}  // namespace
}  // namespace yume
