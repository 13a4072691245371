// SPDX-License-Identifier: MIT
// Where a person types. It is read only while a line is expected: what was typed before a question
// was shown can then never answer it, and what is typed without one stays for the shell. Main
// thread.
#pragma once

#include <string_view>

namespace yume::protocol {

class TypedInput {
 public:
  virtual ~TypedInput() = default;
  // Throws away what was typed so far. Not while a line is expected.
  virtual void discard() = 0;
  // One more line is read, and comes as a TypedLine of this question (protocol/host.h).
  virtual void expect(std::string_view question_id) = 0;
  // No line is expected any more. Returns once nothing is being read.
  virtual void stop() = 0;
};

}  // namespace yume::protocol
