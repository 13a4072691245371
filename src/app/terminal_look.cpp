// SPDX-License-Identifier: MIT
#include "app/terminal_look.h"

#include "platform/stdio.h"
#include "util/ascii.h"

namespace yume::app {
namespace {

bool speaks_utf8(const platform::Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto value = environment.get(name);
    if (!value) continue;
    const std::string upper = ascii_upper(*value);
    return upper.find("UTF-8") != std::string::npos || upper.find("UTF8") != std::string::npos;
  }
  return false;
}

}  // namespace

TerminalLook terminal_look(const platform::Environment& environment) {
  const bool is_terminal = platform::is_terminal(platform::StandardStream::output);
  const bool codes = is_terminal && !environment.get("NO_COLOR") && !environment.get("CI") &&
                     environment.get("TERM").value_or("") != "dumb";
  return {.colours = codes,
          .utf8 = speaks_utf8(environment),
          .width = platform::terminal_width(environment)};
}

}  // namespace yume::app
