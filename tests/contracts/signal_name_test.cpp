// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <signal.h>

#include <string>

#include "platform/process.h"

namespace yume::platform {
namespace {

TEST(SignalName, IsTheOneOfTheManuals) {
  EXPECT_EQ(signal_name(SIGKILL), "SIGKILL");
  EXPECT_EQ(signal_name(SIGSEGV), "SIGSEGV");
  EXPECT_EQ(signal_name(0), "signal 0");
  EXPECT_EQ(signal_name(77), "signal 77");
}

#if defined(__GLIBC__)
TEST(SignalName, AgreesWithTheSystemAboutEachSignal) {
  for (int signal = 1; signal < 32; ++signal) {
    EXPECT_EQ(signal_name(signal), std::string("SIG") + ::sigabbrev_np(signal));
  }
}
#endif

}  // namespace
}  // namespace yume::platform
