// SPDX-License-Identifier: MIT
// The snapshot of the environment, taken in a forked process with variables of its own.
#include "platform/environment.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "support/forked.h"
#include "support/temporary_directory.h"

namespace yume {
namespace {

TEST(Environment, EmptyVariablesCountAsUnset) {
  platform::Environment environment;
  environment.variables = {{"EMPTY", ""}, {"SET", "a=b"}};
  EXPECT_EQ(environment.get("SET"), "a=b");
  EXPECT_EQ(environment.get("EMPTY"), std::nullopt);
  EXPECT_EQ(environment.get("MISSING"), std::nullopt);
}

TEST(Environment, ReadsVariablesAndIdentity) {
  EXPECT_EQ(test::exit_code_of([] {
              ::setenv("YUME_TEST_VARIABLE", "a=b", 1);
              ::setenv("HOME", "/some/home", 1);
              const auto environment = platform::read_environment();
              if (environment.get("YUME_TEST_VARIABLE") != "a=b") return 1;
              if (environment.home != "/some/home") return 2;
              if (environment.cwd != std::filesystem::current_path()) return 3;
              if (!environment.executable.is_absolute()) return 4;
              if (!std::filesystem::exists(environment.executable)) return 5;
              return environment.os_name.find(" (") != std::string::npos ? 0 : 6;
            }),
            0);
}

TEST(Environment, EmptiedVariablesStayInTheSnapshotAlone) {
  EXPECT_EQ(test::exit_code_of([] {
              ::setenv("YUME_TEST_SECRET", "hidden", 1);
              ::setenv("YUME_TEST_SECRET_TOO", "shown", 1);
              const auto environment = platform::read_environment();
              const char* in_block = ::getenv("YUME_TEST_SECRET");
              platform::empty_variables({"YUME_TEST_SECRET", "YUME_TEST_MISSING"});
              if (std::string(in_block, 7) != std::string(7, '\0')) return 1;
              if (std::string(::getenv("YUME_TEST_SECRET_TOO")) != "shown") return 2;
              return environment.get("YUME_TEST_SECRET") == "hidden" ? 0 : 3;
            }),
            0);
}

TEST(Environment, TakesHomeFromTheUserDatabase) {
  EXPECT_EQ(test::exit_code_of([] {
              ::unsetenv("HOME");
              return platform::read_environment().home.is_absolute() ? 0 : 1;
            }),
            0);
}

TEST(Environment, ADeletedDirectoryIsEmpty) {
  EXPECT_EQ(test::exit_code_of([] {
              {
                const test::TemporaryDirectory directory;
                if (::chdir(directory.path().c_str()) != 0) return 1;
              }
              return platform::read_environment().cwd.empty() ? 0 : 2;
            }),
            0);
}

}  // namespace
}  // namespace yume
