// SPDX-License-Identifier: MIT
// No descendant outlives run(), however it hides and however the command or the agent ends. Hidden
// processes tell their ids; a handle to each, taken while it lives, tells when it is dead.
#include <gtest/gtest.h>
#include <windows.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "platform/handle_win32.h"
#include "platform/process.h"
#include "platform/windows_command_line.h"
#include "support/run_command.h"
#include "windows/actor.h"
#include "windows/roll_call.h"

namespace yume {
namespace {

using namespace std::chrono_literals;
using platform::Handle;
using platform::ProcessEnd;
using platform::ProcessEndKind;
using test::actor;
using test::RollCall;
using test::run;

constexpr auto k_at_once = 10s;  // the hidden processes would live for 30
constexpr int k_hidden_count = 7;

// The end of a command, told while its object still lives: the object's own end would kill too.
struct Told {
  explicit Told(const platform::ProcessSpec& spec)
      : process(platform::make_process_runner()->start(spec)) {
    EXPECT_TRUE(process.ok());
    end = *(*process)->wait(output, std::nullopt);
  }

  Result<std::unique_ptr<platform::RunningProcess>> process;
  test::RecordedOutput output;
  Result<ProcessEnd> end = ProcessEnd{};
};

TEST(ProcessTree, DiesWhenTheCommandExits) {
  RollCall roll;
  std::thread opener([&] {
    EXPECT_TRUE(roll.wait_for(k_hidden_count));
    EXPECT_EQ(roll.count_living(), roll.reported()) << "the handles tell who lives";
    roll.open_gate();
  });
  const Told told(actor({"hide:" + roll.name(), "wait:" + roll.gate_name(), "out:hi", "exit:5"}));
  opener.join();
  EXPECT_EQ(roll.count_living(), 0U);
  EXPECT_EQ(*told.end, (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 5}));
  EXPECT_EQ(told.output.text, "hi\n");
  EXPECT_EQ(roll.reported(), static_cast<std::size_t>(k_hidden_count));
}

// False when the time was too short for all to report.
bool dies_on_timeout(std::chrono::seconds timeout) {
  RollCall roll;
  bool all_reported = false;
  std::thread counter([&] { all_reported = roll.wait_for(k_hidden_count); });
  auto spec = actor({"hide:" + roll.name(), "stay"});
  spec.timeout = timeout;
  const Told told(spec);
  counter.join();
  EXPECT_EQ(*told.end, ProcessEnd{.kind = ProcessEndKind::timed_out});
  if (!all_reported) return false;
  EXPECT_EQ(roll.count_living(), 0U);
  return true;
}

TEST(ProcessTree, DiesOnTimeout) {
  // A timeout always takes its time: the long one is for slow machines only.
  EXPECT_TRUE(dies_on_timeout(4s) || dies_on_timeout(20s));
}

TEST(ProcessTree, DiesOnCancel) {
  RollCall roll;
  CancelSource source;
  std::thread canceller([&] {
    EXPECT_TRUE(roll.wait_for(k_hidden_count));
    source.request_stop();
  });
  const auto ran = run(actor({"hide:" + roll.name(), "stay"}), source.get_token());
  canceller.join();
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::cancelled});
  EXPECT_EQ(roll.count_living(), 0U);
}

TEST(ProcessTree, DiesWithItsObject) {
  RollCall roll;
  {
    const auto process =
        platform::make_process_runner()->start(actor({"hide:" + roll.name(), "stay"}));
    ASSERT_TRUE(process.ok());
    EXPECT_TRUE(roll.wait_for(k_hidden_count));
  }
  EXPECT_EQ(roll.count_living(), 0U);
}

// An agent in a process of its own, and its end from outside.
class Agent {
 public:
  Agent(int calls, const std::string& argument, const std::string& second) {
    const std::string path = test::utf8(test::own_folder() / "agent.exe");
    std::wstring line = *platform::to_wide(
        platform::windows_command_line({path, std::to_string(calls), argument, second}));
    STARTUPINFOW startup{};
    startup.cb = sizeof startup;
    PROCESS_INFORMATION started{};
    ::CreateProcessW(nullptr, line.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr, &startup,
                     &started);
    thread_ = Handle(started.hThread);
    process_ = Handle(started.hProcess);
  }
  ~Agent() { kill(); }
  void kill() {
    ::TerminateProcess(process_.get(), 1);
    ::WaitForSingleObject(process_.get(), INFINITE);
  }

 private:
  Handle thread_;
  Handle process_;
};

TEST(ProcessTree, DiesWithAKilledAgent) {
  RollCall roll;
  Agent agent(1, "hide:" + roll.name(), "stay");
  EXPECT_TRUE(roll.wait_for(k_hidden_count));
  EXPECT_EQ(roll.count_living(), roll.reported());
  agent.kill();
  EXPECT_EQ(roll.count_living(k_at_once), 0U);
}

TEST(ProcessTree, DiesWithAnAgentKilledDuringSeveralCalls) {
  RollCall roll;
  Agent agent(3, "hide:" + roll.name(), "stay");
  EXPECT_TRUE(roll.wait_for(3 * k_hidden_count));
  agent.kill();
  EXPECT_EQ(roll.reported(), 3U * k_hidden_count);
  EXPECT_EQ(roll.count_living(k_at_once), 0U);
}

TEST(ProcessTree, ABackgroundChildDoesNotHoldTheCall) {
  const auto ran = run(actor({"child", "out:hi"}));
  EXPECT_EQ(ran.end, ProcessEnd{});
  EXPECT_EQ(ran.output, "hi\n");
  EXPECT_LT(ran.took, k_at_once);
}

TEST(ProcessTree, NothingBreaksAwayFromTheJob) {
  EXPECT_EQ(run(actor({"breakaway"})).output, "refused\n");
}

}  // namespace
}  // namespace yume
