// SPDX-License-Identifier: MIT
#include "util/breakdown.h"

#include <new>
#include <system_error>

namespace yume {
namespace {

constexpr const char* k_out_of_memory =
    "Error: out of memory. The program could not get the memory it needed and has stopped. Raise "
    "its "
    "limit (`ulimit -v`) or free some memory, and send the message again; if the session is very "
    "long, /compact makes it smaller.";
constexpr const char* k_unknown =
    "Internal error: the program could not go on. Please report it, with what --debug-file writes.";
constexpr const char* k_no_thread =
    "Error: the system starts no more threads for this program. Raise its limits on processes and "
    "memory (`ulimit -u`, `ulimit -v`) or end other programs, and try again.";

}  // namespace

Breakdown breakdown_of(const std::exception& failure) {
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return Breakdown::out_of_memory;
  const auto* system = dynamic_cast<const std::system_error*>(&failure);
  const bool no_thread =
      system != nullptr && system->code() == std::errc::resource_unavailable_try_again;
  return no_thread ? Breakdown::no_thread : Breakdown::unknown;
}

const char* words_for(Breakdown why) {
  switch (why) {
    case Breakdown::out_of_memory:
      return k_out_of_memory;
    case Breakdown::no_thread:
      return k_no_thread;
    case Breakdown::unknown:
      break;
  }
  return k_unknown;
}

const char* breakdown_words(const std::exception& failure) {
  const Breakdown why = breakdown_of(failure);
  return why == Breakdown::unknown ? failure.what() : words_for(why);
}

}  // namespace yume
