// SPDX-License-Identifier: MIT
#include "app/argv.h"

namespace yume::app {
namespace {

constexpr auto k_switch = ValueKind::none;
constexpr auto k_one = ValueKind::one;
constexpr auto k_optional = ValueKind::optional;
constexpr auto k_list = ValueKind::list;

constexpr std::string_view k_main = "Main";
constexpr std::string_view k_model = "Model and thinking";
constexpr std::string_view k_output = "Output";
constexpr std::string_view k_tools = "Tools and permissions";
constexpr std::string_view k_prompts = "Prompts";
constexpr std::string_view k_sessions = "Sessions";
constexpr std::string_view k_server = "Server";
constexpr std::string_view k_other = "Other";
constexpr std::string_view k_hidden = "";  // hosts pass it; it means nothing here (yet)

}  // namespace

const std::vector<FlagSpec>& known_flags() {
  static const std::vector<FlagSpec> flags = {
      {"print", 'p', k_switch, "", k_main,
       "Print the answer and exit; the prompt is an argument or stdin"},
      {"prompt", 0, k_one, "text", k_main, "The prompt"},
      {"prompt-file", 0, k_one, "file", k_main, "The prompt, from a file of any size"},
      {"model", 'm', k_one, "model", k_main, "A Gemini model id, or a Claude name such as sonnet"},
      {"cwd", 0, k_one, "dir", k_main, "Work in this directory"},
      {"provider", 'P', k_one, "name", k_main, "Speak Yume's line format (gemini)"},
      {"max-turns", 0, k_one, "n", k_main, "At most this many model requests for one prompt"},
      {"timeout", 0, k_one, "seconds", k_main, "End a turn that takes longer, with a result"},
      {"as", 0, k_one, "face", k_main,
       "Take the command line of claude (default) or gemini (or YUME_CLI_FACE)"},
      {"max-budget-usd", 0, k_one, "usd", k_main,
       "End before the request that would cost more than this in all"},

      {"strategy", 0, k_one, "name", k_main,
       "Who replies: gemini-rest (default), gemini-cli or acp-agent"},
      {"gemini-path", 0, k_one, "file", k_main,
       "The official Gemini CLI for --strategy gemini-cli (or GEMINI_CLI_PATH)"},
      {"agent-command", 0, k_one, "command", k_main,
       "With --strategy acp-agent: the agent, such as \"gemini --acp\""},

      {"model-map", 0, k_one, "names", k_model,
       "Which model a name stands for: sonnet=gemini-4-argon,haiku=flash"},
      {"fallback-model", 0, k_one, "model", k_model,
       "Go on with this model when the other one is too busy or has no quota"},
      {"effort", 0, k_one, "level", k_model, "How hard to think: low, medium, high, xhigh or max"},
      {"thinking", 0, k_one, "mode", k_model, "adaptive, enabled or disabled"},
      {"max-thinking-tokens", 0, k_one, "n", k_model,
       "Think at most this much (or MAX_THINKING_TOKENS); 0: not at all"},
      {"thinking-display", 0, k_one, "mode", k_model,
       "summarized (default), or omitted: ask for no summaries of thoughts"},

      {"output-format", 0, k_one, "format", k_output, "text, json or stream-json"},
      {"input-format", 0, k_one, "format", k_output, "text or stream-json"},
      {"max-message-size", 0, k_one, "size", k_output,
       "The longest message that is read from stdin, such as 64M; default 128M"},
      {"verbose", 0, k_switch, "", k_output, "With json: all lines; stream-json asks for it"},
      {"dialect", 0, k_one, "name", k_output,
       "yume, yume-app, claude, gemini, insights or agent-events"},
      {"json-schema", 0, k_one, "schema", k_output,
       "The answer must fit this JSON Schema; result: structured_output"},
      {"output-file", 0, k_one, "file", k_output,
       "Also write the result to this file, as a JSON object"},
      {"acp", 0, k_switch, "", k_output,
       "Speak the Agent Client Protocol on stdin and stdout, for editors"},
      {"async", 0, k_switch, "", k_output,
       "Go on when nobody reads stdout: what it does not take is left out"},
      {"forward-subagent-text", 0, k_switch, "", k_output,
       "Show what subagents say, not only what they do"},
      {"include-partial-messages", 0, k_switch, "", k_output,
       "With stream-json in Claude's dialect: also every piece as it comes"},
      {"replay-user-messages", 0, k_switch, "", k_output,
       "With stream-json both ways: repeat each message when it is taken"},
      {"include-hook-events", 0, k_switch, "", k_output,
       "With stream-json in Claude's dialect: also what hooks run"},

      {"permission-mode", 0, k_one, "mode", k_tools,
       "default, acceptEdits, plan, dontAsk, bypassPermissions, auto or deny"},
      {"approval-mode", 0, k_one, "mode", k_tools,
       "The same in Gemini CLI's words: default, auto_edit, yolo or plan"},
      {"yolo", 0, k_switch, "", k_hidden, ""},
      {"dangerously-skip-permissions", 0, k_switch, "", k_tools,
       "Same as --permission-mode bypassPermissions"},
      {"allowed-tools", 0, k_list, "rules", k_tools,
       "Allow these, e.g. Read Edit \"Bash(git diff:*)\""},
      {"disallowed-tools", 0, k_list, "rules", k_tools, "Deny these; a bare name removes the tool"},
      {"tools", 0, k_list, "names", k_tools, "Offer only these tools; \"\" for none"},
      {"add-dir", 0, k_list, "dirs", k_tools, "Further directories to work in"},
      {"include-directories", 0, k_list, "dirs", k_tools,
       "The same, as Gemini CLI has it: with commas or repeated"},
      {"sandbox", 0, k_one, "mode", k_tools,
       "What commands can change: off (all), workspace-write or read-only"},
      {"allow-dangerously-skip-permissions", 0, k_switch, "", k_hidden, ""},
      {"mcp-config", 0, k_list, "configs", k_tools,
       "MCP servers to start: JSON or files, {\"mcpServers\":{...}}"},
      {"strict-mcp-config", 0, k_switch, "", k_tools,
       "Only the servers of --mcp-config, none of settings or .mcp.json"},
      {"permission-prompt-tool", 0, k_one, "tool", k_tools,
       "Asked what is not allowed: stdio (the host) or mcp__server__tool"},
      {"permission-prompts", 0, k_one, "who", k_hidden, ""},
      {"managed-settings", 0, k_one, "json", k_tools,
       "Permissions that no other settings lift, as JSON"},
      {"trust-workspace", 0, k_switch, "", k_tools,
       "For this run: let the settings of this folder allow things"},

      {"system-prompt", 0, k_one, "text", k_prompts,
       "Use this instead of the built-in system prompt"},
      {"system-prompt-file", 0, k_one, "file", k_prompts, "The same, from a file"},
      {"append-system-prompt", 0, k_one, "text", k_prompts, "Add this to the system prompt"},
      {"append-system-prompt-file", 0, k_one, "file", k_prompts, "The same, from a file"},
      {"agents", 0, k_one, "json", k_prompts,
       "More subagents, as a JSON object by name (docs/subagents.md)"},
      {"agent", 0, k_one, "name", k_prompts,
       "Play the part of this agent: its prompt, tools and model"},
      {"agent-type", 0, k_one, "role", k_prompts,
       "Add a role: architect, explorer, implementer, guardian or specialist"},

      {"session-id", 's', k_one, "id", k_sessions, "Use this id for the session"},
      {"resume", 'r', k_optional, "id", k_sessions,
       "Go on with this session; the beginning of its id is enough"},
      {"continue", 'c', k_switch, "", k_sessions, "Go on with this directory's last session"},
      {"fork-session", 0, k_switch, "", k_sessions, "With --resume or --continue: in a copy"},
      {"resume-session-at", 0, k_one, "uuid", k_sessions, "With --resume: only up to this message"},
      {"resume-drops-turn", 0, k_one, "uuid", k_hidden, ""},
      {"compact-threshold", 0, k_one, "share", k_sessions,
       "Sum up the conversation at this share of the window; default 80%"},
      {"no-session-persistence", 0, k_switch, "", k_sessions, "Keep nothing on disk"},
      {"session-mirror", 0, k_switch, "", k_hidden, ""},
      {"history-file", 0, k_one, "file", k_sessions,
       "Begin with a conversation of Yume, Claude Code or Gemini CLI"},

      {"api-base", 0, k_one, "url", k_server, "Server to use (or GOOGLE_GEMINI_BASE_URL)"},
      {"project", 0, k_one, "id", k_server, "Google Cloud project (or GOOGLE_CLOUD_PROJECT)"},
      {"location", 0, k_one, "name", k_server,
       "Vertex location: global (default), us, eu or a region"},
      {"safety", 0, k_one, "filter", k_server,
       "What filters block: off (default), none, high, medium, low, or server"},
      {"auth", 0, k_one, "source", k_server,
       "auto (default: the first that works), gcloud, adc or api-key"},
      {"gcloud-path", 0, k_one, "file", k_server,
       "The gcloud to run (or YUME_GCLOUD, or gcloudPath in settings.json)"},
      {"token-cache", 0, k_one, "where", k_server,
       "runtime (default: shared for an hour at most), memory or off"},

      {"settings", 0, k_one, "file-or-json", k_other,
       "More settings, over those of ~/.yume/settings.json"},
      {"setting-sources", 0, k_one, "sources", k_other,
       "Which settings count: user, project, local; default: all of them"},
      {"disable-slash-commands", 0, k_switch, "", k_other,
       "No slash commands and skills: every prompt goes to the model"},
      {"git-branch", 0, k_one, "name", k_other,
       "Work on this branch, which is made if need be; all must be committed"},
      {"debug", 'd', k_optional, "filter", k_other, "Write a debug log to stderr"},
      {"debug-file", 0, k_one, "file", k_other, "Write the debug log to this file"},
      {"help", 'h', k_switch, "", k_other, "Show this help"},
      {"version", 'v', k_switch, "", k_other, "Show the version"},

      {"autocompact", 0, k_optional, "value", k_hidden, ""},
      {"await-initialize", 0, k_switch, "", k_hidden, ""},
      {"bare", 0, k_switch, "", k_hidden, ""},
      {"betas", 0, k_list, "names", k_hidden, ""},
      {"bg", 0, k_switch, "", k_hidden, ""},
      {"brief", 0, k_switch, "", k_hidden, ""},
      {"chrome", 0, k_switch, "", k_hidden, ""},
      {"debug-to-stderr", 0, k_switch, "", k_hidden, ""},
      {"enable-auth-status", 0, k_switch, "", k_hidden, ""},
      {"experimental-acp", 0, k_switch, "", k_hidden, ""},
      {"stdio", 0, k_switch, "", k_hidden, ""},
      {"environment", 0, k_one, "name", k_hidden, ""},
      {"exclude-dynamic-system-prompt-sections", 0, k_switch, "", k_hidden, ""},
      {"file", 0, k_list, "files", k_hidden, ""},
      {"ide", 0, k_switch, "", k_hidden, ""},
      {"name", 'n', k_one, "name", k_hidden, ""},
      {"no-chrome", 0, k_switch, "", k_hidden, ""},
      {"plugin-dir", 0, k_list, "dirs", k_hidden, ""},
      {"plugin-dir-no-mcp", 0, k_list, "dirs", k_hidden, ""},
      {"plugin-url", 0, k_one, "url", k_hidden, ""},
      {"project-config-root", 0, k_one, "dir", k_hidden, ""},
      {"prompt-suggestions", 0, k_optional, "value", k_hidden, ""},
      {"protocol-version", 0, k_one, "n", k_hidden, ""},
      {"reasoning-effort", 0, k_one, "level", k_hidden, ""},
      {"restricted", 0, k_switch, "", k_hidden, ""},
      {"safe-mode", 0, k_switch, "", k_hidden, ""},
      {"system-prompt-snapshot", 0, k_one, "file", k_hidden, ""},
      {"task-budget", 0, k_one, "n", k_hidden, ""},
      {"workload", 0, k_one, "name", k_hidden, ""},
      {"worktree", 'w', k_optional, "name", k_hidden, ""},
  };
  return flags;
}

}  // namespace yume::app
