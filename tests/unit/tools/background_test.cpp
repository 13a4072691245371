// SPDX-License-Identifier: MIT
#include "tools/background.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <latch>
#include <memory>
#include <string>
#include <thread>

#include "support/memory_file_system.h"

namespace yume::tools {
namespace {

using namespace std::chrono_literals;

// Ends when the test says so, and by nothing else.
class ScriptedProcess final : public platform::RunningProcess {
 public:
  explicit ScriptedProcess(std::latch& may_end) : may_end_(may_end) {}
  std::optional<Result<platform::ProcessEnd>> wait(platform::ProcessOutput&,
                                                   std::optional<platform::SteadyTime>) override {
    may_end_.wait();
    return Result<platform::ProcessEnd>(platform::ProcessEnd{});
  }
  void stop() override {}
  std::filesystem::path final_cwd() const override { return {}; }

 private:
  std::latch& may_end_;
};

std::string start(BackgroundCommands& commands, test::MemoryFileSystem& files,
                  std::latch& may_end) {
  return commands.adopt({.command = "x",
                         .description = {},
                         .call_id = "c",
                         .process = std::make_unique<ScriptedProcess>(may_end),
                         .files = files,
                         .file = {}});
}

TEST(BackgroundCommands, KillStopsWaitingWhenTheTurnIsCancelled) {
  std::latch may_end(1);
  test::MemoryFileSystem files;
  BackgroundCommands commands;
  const std::string id = start(commands, files, may_end);
  CancelSource cancel;
  cancel.request_stop();
  commands.kill(id, cancel.get_token());  // the command takes no notice
  EXPECT_EQ(commands.look(id)->status, core::BackgroundStatus::running);
  may_end.count_down();
  commands.wait_for_end(id, 60s, {});
  EXPECT_EQ(commands.look(id)->status, core::BackgroundStatus::killed);
}

TEST(BackgroundCommands, AreStoppedWithoutWaiting) {
  std::latch may_end(1);
  test::MemoryFileSystem files;
  BackgroundCommands commands;
  const std::string id = start(commands, files, may_end);
  EXPECT_FALSE(commands.stop("bash_9"));
  EXPECT_TRUE(commands.stop(id));
  may_end.count_down();
  commands.wait_for_end(id, 60s, {});
  EXPECT_EQ(commands.look(id)->status, core::BackgroundStatus::killed);
  EXPECT_FALSE(commands.stop(id));
}

#ifdef __linux__
std::size_t address_space() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * 4096;
}

// 60 commands took 557 MB: a thread that has ended keeps its stack until it is joined.
TEST(BackgroundCommands, ThatHaveEndedKeepNoStack) {
  std::latch may_end(0);
  test::MemoryFileSystem files;
  BackgroundCommands commands;
  commands.wait_for_end(start(commands, files, may_end), 60s, {});
  const std::size_t before = address_space();
  for (int i = 0; i < 60; ++i) {
    commands.wait_for_end(start(commands, files, may_end), 60s, {});
  }
  EXPECT_LT(address_space(), before + (200U << 20U));
}
#endif

}  // namespace
}  // namespace yume::tools
