// SPDX-License-Identifier: MIT
// Where the tests' own files are: $YUME_TESTS_DIR for a build that runs on another machine
// (scripts/run-tests), else where it was compiled.
#pragma once

#include <cstdlib>
#include <string>

namespace yume::test {

inline std::string tests_folder() {
  const char* named = std::getenv("YUME_TESTS_DIR");
  return named != nullptr ? named : YUME_TESTS_DIR;
}

}  // namespace yume::test
