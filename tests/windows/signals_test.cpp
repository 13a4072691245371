// SPDX-License-Identifier: MIT
// Interrupts between processes on Windows, where a program without a console gets no Ctrl-C.
#include <gtest/gtest.h>

#include <future>

#include "platform/parent_process.h"
#include "platform/signals.h"

namespace yume {
namespace {

using platform::Signal;

TEST(WindowsSignals, InterruptsAProcessByItsNumber) {
  std::promise<Signal> came;
  const auto pump = platform::start_signal_pump([&came](Signal signal) { came.set_value(signal); });
  EXPECT_FALSE(platform::interrupt_process(platform::own_process(), [] { return false; }));
  EXPECT_TRUE(platform::interrupt_process(platform::own_process(), [] { return true; }));
  EXPECT_EQ(came.get_future().get(), Signal::interrupt);
}

TEST(WindowsSignals, InterruptsNobodyElse) {
  EXPECT_FALSE(platform::interrupt_process(0, [] { return true; }));
  EXPECT_FALSE(platform::interrupt_process(platform::own_process(), [] { return true; }))
      << "nobody waits for it";
}

}  // namespace
}  // namespace yume
