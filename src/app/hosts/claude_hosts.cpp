// SPDX-License-Identifier: MIT
#include "app/hosts/claude_hosts.h"

#include "app/hosts/quoting.h"
#include "util/json_io.h"
#include "util/path_text.h"

#include <array>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t k_largest_package_file = 4U << 20U;

// The command that starts a server with one more variable.
std::string started_with(const std::string& variable, const std::string& program,
                         const std::string& command, SystemKind system) {
  if (system == SystemKind::windows) {
    return "$env:" + variable + " = " + for_powershell(program) + "; " + command;
  }
  return variable + "=" + for_posix_shell(program) + " " + command;
}

bool depends_on_sdk(const nlohmann::json& package) {
  constexpr std::array k_groups = {"dependencies", "devDependencies", "optionalDependencies",
                                   "peerDependencies"};
  constexpr std::array k_sdks = {"@anthropic-ai/claude-agent-sdk", "@anthropic-ai/claude-code"};
  for (const char* group : k_groups) {
    const auto found = package.find(group);
    if (found == package.end() || !found->is_object()) continue;
    for (const char* sdk : k_sdks) {
      if (found->contains(sdk)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<HostSetup> find_yume(const HostPlaces& places, const std::string& program) {
  // The second is the folder in which its server works out titles.
  const bool there = places.has_application("yume.app") || places.has_application("Yume.app") ||
                     places.is_folder(places.in_home(".yume-title-gen")) ||
                     places.has_program("yume") ||
                     (places.system() == SystemKind::windows &&
                      places.is_folder(places.local_app_data() / "yume"));
  if (!there) return {};
  HostSetup setup{.id = "yume",
                  .name = "Yume app",
                  .place = "the environment in which the app is started",
                  .snippet = started_with("YUME_CLI_BINARY", program, "yume", places.system()),
                  .then =
                      "Then start the app anew and switch Gemini on under \"providers\" in its "
                      "settings (docs/yume.md).",
                  .unwritten = "the app takes the program from a variable, not from a file"};
  if (places.system() == SystemKind::mac) {
    setup.snippet = "launchctl setenv YUME_CLI_BINARY " + for_posix_shell(program);
  } else if (places.system() == SystemKind::windows) {
    setup.snippet = "[Environment]::SetEnvironmentVariable('YUME_CLI_BINARY', " +
                    for_powershell(program) + ", 'User')";
  }
  return {setup};
}

std::vector<HostSetup> find_claudecodeui(const HostPlaces& places, const std::string& program) {
  const bool there = places.is_folder(places.in_home(".cloudcli")) ||
                     places.has_program("cloudcli") || places.has_program("claude-code-ui");
  if (!there) return {};
  return {{.id = "claudecodeui",
           .name = "claudecodeui (CloudCLI)",
           .place = "the command that starts its server, or the .env file that `cloudcli status` "
                    "names",
           .snippet = started_with("CLAUDE_CLI_PATH", program, "cloudcli", places.system()),
           .then = {},
           .unwritten = "the server takes the program from a variable"}};
}

std::vector<HostSetup> find_opcode(const HostPlaces& places, const std::string& program) {
  const fs::path data = places.app_data();
  const bool there = (!data.empty() && places.is_folder(data / "opcode.asterisk.so")) ||
                     places.has_application("opcode.app") || places.has_program("opcode");
  if (!there) return {};
  const bool windows = places.system() == SystemKind::windows;
  return {{.id = "opcode",
           .name = "opcode",
           .place = "a shell, for the folders in which opcode looks for claude",
           .snippet = windows ? "Copy-Item " + for_powershell(program) +
                                    " \"$HOME\\.local\\bin\\claude.exe\""
                              : "ln -s " + for_posix_shell(program) + " ~/.local/bin/claude",
           .then = "Then choose it under \"Claude Code Installation\" in its settings.",
           .unwritten =
               "other programs would find that claude, too, and opcode keeps its choice in "
               "a database"}};
}

std::vector<HostSetup> find_sdk_program(const HostPlaces& places, const std::string& program) {
  if (places.environment().cwd.empty()) return {};
  const fs::path file = places.environment().cwd / "package.json";
  const auto text = places.files().read(file, k_largest_package_file);
  if (!text.ok() || !check_json(*text).ok()) return {};
  const nlohmann::json package = read_json(*text);
  if (!package.is_object() || !depends_on_sdk(package)) return {};
  return {{.id = "agent-sdk",
           .name = "Agent SDK program in " + to_utf8(places.environment().cwd),
           .place = "the options of query() in the program",
           .snippet = "pathToClaudeCodeExecutable: " + for_javascript(program),
           .then = {},
           .unwritten = "it belongs into the source of the program"}};
}

}  // namespace yume::app
