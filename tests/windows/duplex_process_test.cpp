// SPDX-License-Identifier: MIT
// What DuplexProcess promises and only Windows can show. The contract of all systems is in
// tests/contracts/duplex_process_test.cpp, which is built here too.
#include "platform/duplex_process.h"

#include <gtest/gtest.h>
#include <windows.h>

#include <memory>
#include <string>

#include "support/duplex_children.h"
#include "windows/roll_call.h"

namespace yume {
namespace {

using platform::ProcessEnd;
using platform::ProcessEndKind;

namespace duplex = test::duplex;

constexpr int k_hidden_count = 7;

std::unique_ptr<platform::DuplexProcess> start(const platform::DuplexSpec& spec) {
  auto started = platform::start_duplex_process(spec);
  EXPECT_TRUE(started.ok()) << started.error().message;
  return started.ok() ? std::move(started).value() : nullptr;
}

TEST(DuplexTree, DiesByStop) {
  test::RollCall roll;
  const auto process = start(duplex::does({"hide:" + roll.name(), "stay"}));
  EXPECT_TRUE(roll.wait_for(k_hidden_count));
  EXPECT_EQ(roll.count_living(), roll.reported());
  EXPECT_EQ(process->stop(std::chrono::milliseconds(20)),
            ProcessEnd{.kind = ProcessEndKind::cancelled});
  EXPECT_EQ(roll.count_living(), 0U);
}

TEST(DuplexTree, DiesWithItsObject) {
  test::RollCall roll;
  {
    const auto process = start(duplex::does({"hide:" + roll.name(), "stay"}));
    EXPECT_TRUE(roll.wait_for(k_hidden_count));
  }
  EXPECT_EQ(roll.count_living(), 0U);
}

DWORD count_handles() {
  DWORD count = 0;
  ::GetProcessHandleCount(::GetCurrentProcess(), &count);
  return count;
}

TEST(DuplexProcess, LeavesNoHandles) {
  const auto all = [] {
    start(duplex::exits(0))->stop(std::chrono::seconds(10));
    start(duplex::echoes());
    const auto unread = start(duplex::writes_zeros_and_exits(3'000'000, 0));
    EXPECT_TRUE(unread->write(std::string(3'000'000, 'x'), CancelToken()).ok());
    EXPECT_FALSE(platform::start_duplex_process(duplex::missing()).ok());
  };
  all();  // what the system opens once
  const DWORD before = count_handles();
  for (int i = 0; i < 10; ++i) all();
  EXPECT_EQ(count_handles(), before);
}

}  // namespace
}  // namespace yume
