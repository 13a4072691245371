// SPDX-License-Identifier: MIT
#include <cstdio>
#include <exception>

#include "app/run.h"
#include "util/breakdown.h"

int main(int argc, char** argv) {
  try {
    return static_cast<int>(yume::app::run_program(argc, argv));
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "yume-cli: %s\n", yume::breakdown_words(failure));
    return 1;
  }
}
