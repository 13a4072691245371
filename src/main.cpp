// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "app/run.h"
#include "util/breakdown.h"

int main(int argc, char** argv) {
  try {
    return static_cast<int>(yume::app::run(
        argc > 0 ? argv[0] : "", std::vector<std::string>(argv + (argc > 0), argv + argc)));
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "yume-cli: %s\n", yume::breakdown_words(failure));
    return 1;
  }
}
