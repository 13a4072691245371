// SPDX-License-Identifier: MIT
// A wall that a program of the system builds (macOS: sandbox-exec), here with one that is
// everywhere: `env`, which puts a mark on what it starts.
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "platform/supervised_command_posix.h"

namespace yume::platform {
namespace {

class Marking final : public PreparedSandbox {
 public:
  int descriptor() const noexcept override { return -1; }
  std::vector<std::string> starter() const override { return {"/usr/bin/env", "MARK=behind"}; }
  int enter_as_supervisor() noexcept override { return 0; }
  int enter_as_command() noexcept override { return 0; }
};

class MarkingMaker final : public SandboxMaker {
 public:
  Result<std::unique_ptr<PreparedSandbox>> prepare(const Sandbox& /*sandbox*/) override {
    return std::unique_ptr<PreparedSandbox>(std::make_unique<Marking>());
  }
};

// What the command writes, until its end.
std::string output_of(const ProcessSpec& spec) {
  EXPECT_TRUE(check_command(spec).ok());
  auto pipe = make_output_pipe("test");
  EXPECT_TRUE(pipe.ok());
  MarkingMaker maker;
  const CommandStreams streams{
      .input = -1, .output = pipe->write_end.get(), .error_output = pipe->write_end.get()};
  auto command = SupervisedCommand::start(spec, streams, StartReport::none, maker);
  if (!command.ok()) return command.error().message;
  pipe->write_end.close();
  pollfd ended{command->status_fd(), POLLIN, 0};
  while (::poll(&ended, 1, -1) < 0) {
  }
  std::string output;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t got = ::read(pipe->read_end.get(), buffer.data(), buffer.size());
    if (got <= 0) return output;
    output.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

TEST(SandboxStarter, StandsBeforeTheCommandsOwnWords) {
  EXPECT_EQ(output_of({.argv = {"/bin/sh", "-c", "echo $MARK $1", "sh", "two words"},
                       .cwd = "/",
                       .environment = {},
                       .sandbox = Sandbox{}}),
            "behind two words\n");
}

TEST(SandboxStarter, StandsBeforeEachProgramOfALine) {
  const std::vector<std::string> shows = {"/bin/sh", "-c", "cat; echo $MARK"};
  EXPECT_EQ(output_of({.argv = {"/bin/true"},
                       .cwd = "/",
                       .environment = {"PATH=/usr/bin:/bin"},
                       .steps = {{.joint = StepJoint::first, .argv = shows, .name = "sh"},
                                 {.joint = StepJoint::pipe, .argv = shows, .name = "sh"}},
                       .sandbox = Sandbox{}}),
            "behind\nbehind\n");
}

TEST(SandboxStarter, IsNotThereForACommandWithoutAWall) {
  EXPECT_EQ(
      output_of({.argv = {"/bin/sh", "-c", "echo ${MARK-none}"}, .cwd = "/", .environment = {}}),
      "none\n");
}

}  // namespace
}  // namespace yume::platform
