// SPDX-License-Identifier: MIT
// Finds processes that a program left behind, also those that went into a session of their own:
// they still carry the case's scratch folder in their environment. Linux only (/proc); elsewhere
// only the program's own group is seen.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace yume::golden {

struct LeakSearch {
  pid_t session = 0;   // of the child that has ended
  std::string marker;  // a text in the environment of all its descendants
  std::chrono::milliseconds grace = std::chrono::seconds(5);  // for those about to end
};

// Waits, at most for the grace, until none is alive; kills the rest and says what they were.
std::vector<std::string> find_and_kill_leaks(const LeakSearch& search);

}  // namespace yume::golden
