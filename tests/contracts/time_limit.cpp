// SPDX-License-Identifier: MIT
// A test that hangs ends the run and says its name, which ctest's own limit would not.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>
#include <string_view>

namespace yume {
namespace {

constexpr unsigned k_limit_seconds = 200;  // the longest takes ten, on a busy machine thirty
std::array<char, 256> name_of_test;

// On the thread that happens to get the signal, in the middle of anything.
void give_up(int /*signal*/) {
  constexpr std::string_view k_words = "\nthis test hangs: ";
  [[maybe_unused]] auto written = ::write(STDERR_FILENO, k_words.data(), k_words.size());
  written = ::write(STDERR_FILENO, name_of_test.data(), std::strlen(name_of_test.data()));
  written = ::write(STDERR_FILENO, "\n", 1);
  ::_exit(1);
}

class TimeLimit final : public ::testing::EmptyTestEventListener {
  void OnTestStart(const ::testing::TestInfo& test) override {
    const std::string name = std::string(test.test_suite_name()) + "." + test.name();
    name_of_test.fill('\0');
    std::strncpy(name_of_test.data(), name.c_str(), name_of_test.size() - 1);
    ::signal(SIGALRM, give_up);
    ::alarm(k_limit_seconds);
  }
  void OnTestEnd(const ::testing::TestInfo& /*test*/) override { ::alarm(0); }
};

const bool k_is_set = [] {
  ::testing::UnitTest::GetInstance()->listeners().Append(new TimeLimit);
  return true;
}();

}  // namespace
}  // namespace yume
