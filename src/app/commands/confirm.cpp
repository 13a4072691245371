// SPDX-License-Identifier: MIT
#include "app/commands/confirm.h"

#include "platform/stdio.h"

#include <array>

namespace yume::app {

bool ask_yes_or_no(protocol::Output& out, const std::string& question, const CancelToken& cancel) {
  out.bytes(question + " [y/N] ");
  std::array<char, 256> buffer{};
  const auto read = platform::stdin_stream()->read(buffer, cancel);
  return read.ok() && *read > 0 && (buffer[0] == 'y' || buffer[0] == 'Y');
}

}  // namespace yume::app
