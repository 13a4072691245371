// SPDX-License-Identifier: MIT
#include "app/help.h"

#include "app/argv.h"
#include "app/build_info.h"
#include "protocol/claude/claude_stream.h"

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

std::string flag_line(const FlagSpec& flag) {
  constexpr std::size_t k_column = 40;
  std::string line = left_column(flag);
  line.resize(std::max(line.size() + 1, k_column), ' ');
  return line.append(flag.help).append("\n");
}

std::string help_text() {
  std::string text =
      "Usage: yume-cli [options] [prompt]\n"
      "       yume-cli sessions list|show|export|delete|convert|import\n"
      "       yume-cli models [--json]\n"
      "       yume-cli demo\n"
      "       yume-cli detect [agent] [--json]\n"
      "       yume-cli capabilities [agent] [--json]\n"
      "       yume-cli translate --from <agent> --to <dialect>\n"
      "       yume-cli auth status [--json]\n"
      "       yume-cli doctor [--json]\n"
      "       yume-cli setup hosts [--write] [--json]\n"
      "       yume-cli permissions explain|list\n"
      "       yume-cli trust [--list|--remove]\n"
      "       yume-cli completions bash|zsh|fish|powershell\n"
      "       yume-cli man\n"
      "       yume-cli <command> --help\n\n"
      "Speaks Claude Code's command line and line format, and thinks with Google's Gemini models.\n"
      "The prompt is an argument, --prompt, or stdin. Credentials: gcloud's login,\n"
      "application default credentials, or GEMINI_API_KEY; `auth status` tells which is used.\n";
  std::string_view group;
  for (const FlagSpec& flag : known_flags()) {
    if (flag.group.empty()) continue;
    if (flag.group != group) {
      group = flag.group;
      text.append("\n").append(group).append(":\n");
    }
    text += flag_line(flag);
  }
  text +=
      "\n`sessions` lists, shows, exports and deletes conversations, and converts and imports "
      "those of\n"
      "Gemini CLI; each command has a --help.\n"
      "`detect` looks for the programs of other agents, `capabilities` says what they can do;\n"
      "`translate` turns their lines on stdin into those of a dialect.\n"
      "`models` lists the models and what names stand for; `doctor` looks for what is wrong.\n"
      "`setup hosts` shows what makes the editors and other hosts on this machine use yume-cli.\n"
      "Flags of Claude Code that are not listed are accepted. `demo` runs a whole turn against "
      "a\n"
      "scripted server on this machine, without credentials.\n"
      "A word that is nearly a command is sent as a prompt only after a question on a terminal;\n"
      "`yume-cli -- <words>` sends it unasked.\n"
      "\nPrompts that are answered here: /compact, /context, /cost, /help, /model.\n"
      "\nEnvironment: GEMINI_API_KEY, GOOGLE_API_KEY, GOOGLE_APPLICATION_CREDENTIALS, "
      "YUME_GCLOUD,\n"
      "GOOGLE_CLOUD_QUOTA_PROJECT, GOOGLE_CLOUD_PROJECT, GOOGLE_CLOUD_LOCATION,\n"
      "GOOGLE_GENAI_USE_VERTEXAI, GOOGLE_GEMINI_BASE_URL, GOOGLE_VERTEX_BASE_URL, GEMINI_MODEL,\n"
      "YUME_MAX_OUTPUT_TOKENS, YUME_{CONNECT,FIRST_BYTE,IDLE,REPLY}_TIMEOUT_MS,\n"
      "YUME_CLI_DIALECT (as --dialect), YUME_CLI_LIVE_TEXT (on, off or milliseconds: whether and\n"
      "how often the yume-app dialect shows a text that still grows), YUME_CLI_RESUME_FALLBACK\n"
      "(alias, new or error: what an unknown --resume id does with --provider), YUME_MAX_RETRIES\n"
      "(default 5), YUME_MODEL_MAP, YUME_CONFIG_DIR (default ~/.yume), SSL_CERT_FILE,\n"
      "SSL_CERT_DIR, NODE_EXTRA_CA_CERTS, HTTPS_PROXY, NO_PROXY; on a terminal NO_COLOR, "
      "TERM=dumb, COLUMNS and TZ.\n"
      "\nAs gemini (--as gemini, YUME_CLI_FACE=gemini, or a link of that name) it takes that "
      "program's\n"
      "command line and writes its lines: `yume-cli --as gemini --help`.\n"
      "\nExit codes: 0 good, 1 the turn failed, 2 wrong usage, 143 ended by SIGTERM.\n";
  return text;
}

std::string version_text() {
  return std::string(protocol::k_claude_code_version) + " (Claude Code) yume-cli " + build_text() +
         "\n";
}

}  // namespace yume::app
