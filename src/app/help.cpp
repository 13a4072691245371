// SPDX-License-Identifier: MIT
#include "app/help.h"

#include "app/argv.h"
#include "protocol/claude_dialect.h"

#include <algorithm>

namespace yume::app {
namespace {

std::string left_column(const FlagSpec& flag) {
  std::string text = "  ";
  text += flag.short_name == '\0' ? "    " : std::string("-") + flag.short_name + ", ";
  text.append("--").append(flag.name);
  switch (flag.kind) {
    case ValueKind::none:
      break;
    case ValueKind::one:
      text.append(" <").append(flag.value_name).append(">");
      break;
    case ValueKind::optional:
      text.append(" [").append(flag.value_name).append("]");
      break;
    case ValueKind::list:
      text.append(" <").append(flag.value_name).append("...>");
      break;
  }
  return text;
}

}  // namespace

std::string help_text() {
  std::string text =
      "Usage: yume-cli [options] [prompt]\n"
      "       yume-cli demo\n\n"
      "Speaks Claude Code's command line and line format, and thinks with Google's Gemini models.\n"
      "The prompt is an argument, --prompt, or stdin. Set GEMINI_API_KEY or GOOGLE_API_KEY.\n";
  std::string_view group;
  for (const FlagSpec& flag : known_flags()) {
    if (flag.group.empty()) continue;
    if (flag.group != group) {
      group = flag.group;
      text.append("\n").append(group).append(":\n");
    }
    std::string left = left_column(flag);
    constexpr std::size_t k_column = 40;
    left.resize(std::max(left.size() + 1, k_column), ' ');
    text.append(left).append(flag.help).append("\n");
  }
  text +=
      "\nFlags of Claude Code that are not listed are accepted. `demo` runs a whole turn against "
      "a\n"
      "scripted server on this machine, without credentials.\n"
      "\nEnvironment: GEMINI_API_KEY, GOOGLE_API_KEY, GEMINI_MODEL, GOOGLE_GEMINI_BASE_URL,\n"
      "YUME_CLI_DIALECT (yume or claude), YUME_MAX_RETRIES (default 5), SSL_CERT_FILE, "
      "SSL_CERT_DIR,\n"
      "HTTPS_PROXY, NO_PROXY.\n"
      "\nExit codes: 0 good, 1 the turn failed, 2 wrong usage, 143 ended by SIGTERM.\n";
  return text;
}

std::string version_text() {
  return std::string(protocol::k_claude_code_version) + " (Claude Code) yume-cli " YUME_CLI_VERSION
                                                        "\n";
}

}  // namespace yume::app
