// SPDX-License-Identifier: MIT
// Every command line that a known host builds, in both spellings of its values, and what it means.
#include "app/options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace yume::app {
namespace {

using Strings = std::vector<std::string>;

std::string joined(const std::vector<permissions::Rule>& rules) {
  std::string text;
  for (const permissions::Rule& rule : rules) {
    text +=
        (text.empty() ? "" : ",") + rule.tool + (rule.spec.empty() ? "" : "(" + rule.spec + ")");
  }
  return text;
}

std::string joined(const Strings& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

// Everything that differs from an empty command line.
std::string text_of(const Options& options) {
  if (options.action == Action::show_help) return "help";
  if (options.action == Action::show_version) return "version";
  std::string text;
  const auto add = [&text](const std::string& what) { text += (text.empty() ? "" : " ") + what; };
  if (options.has_provider) add("provider");
  if (options.dialect == DialectName::yume) add("yume");
  if (options.output_format) {
    add(*options.output_format == OutputFormat::text   ? "out=text"
        : *options.output_format == OutputFormat::json ? "out=json"
                                                       : "out=stream");
  }
  if (options.input_format == InputFormat::stream_json) add("in=stream");
  if (options.verbose) add("verbose");
  if (options.prompt) add("prompt=\"" + *options.prompt + "\"");
  if (options.doubtful_prompt) add("doubtful=\"" + *options.doubtful_prompt + "\"");
  if (!options.model.empty()) add("model=" + options.model);
  if (!options.cwd.empty()) add("cwd=" + options.cwd);
  const gemini::EndpointRequest& endpoint = options.server.endpoint;
  if (!endpoint.api_base.empty()) add("api=" + endpoint.api_base);
  if (!endpoint.gemini_base.empty()) add("gemini=" + endpoint.gemini_base);
  if (options.session.id) add("session=" + *options.session.id);
  if (options.session.resume_id) add("resume=" + *options.session.resume_id);
  if (options.session.resume_newest) add("continue");
  if (options.session.fork) add("fork");
  if (options.session.resume_at) add("at=" + *options.session.resume_at);
  if (!options.session.persisted) add("unsaved");
  if (options.max_turns != 0) add("turns=" + std::to_string(options.max_turns));
  if (options.max_retries != 5) add("retries=" + std::to_string(options.max_retries));
  if (options.permission_mode)
    add("mode=" + std::string(core::to_string(*options.permission_mode)));
  if (options.auto_mode) add("auto");
  if (!options.rules.allow.empty()) add("allow=" + joined(options.rules.allow));
  if (!options.rules.deny.empty()) add("deny=" + joined(options.rules.deny));
  if (options.only_tools) add("tools=[" + joined(*options.only_tools) + "]");
  if (!options.add_dirs.empty()) add("dirs=" + joined(options.add_dirs));
  if (options.system_prompt) add("system=\"" + *options.system_prompt + "\"");
  if (options.system_prompt_file) add("system-file=" + *options.system_prompt_file);
  if (!options.append_system_prompt.empty()) add("append=\"" + options.append_system_prompt + "\"");
  if (options.append_system_prompt_file) add("append-file=" + *options.append_system_prompt_file);
  if (options.debug) add("debug");
  if (options.debug_file) add("debug-file=" + *options.debug_file);
  return text;
}

std::string read(const Strings& tokens, const platform::Environment& environment = {}) {
  const auto arguments = parse_arguments(tokens);
  if (!arguments.ok()) return "argv: " + arguments.error().message;
  const auto options = read_options(*arguments, environment);
  if (const auto* problem = std::get_if<UsageError>(&options)) {
    return std::to_string(static_cast<int>(problem->code)) + ": " + problem->message;
  }
  return text_of(std::get<Options>(options));
}

// The same command line with `--k=v` wherever it says `--k v`.
Strings with_equals(const Strings& tokens) {
  Strings out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == "--") {
      out.insert(out.end(), tokens.begin() + static_cast<std::ptrdiff_t>(i), tokens.end());
      break;
    }
    const auto& flags = known_flags();
    const auto flag = std::find_if(flags.begin(), flags.end(), [&](const FlagSpec& spec) {
      std::string name;
      for (const char c : tokens[i]) {
        if (c >= 'A' && c <= 'Z') name += '-';
        name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      }
      return name == "--" + std::string(spec.name);
    });
    const bool takes_next = flag != flags.end() && flag->kind != ValueKind::none &&
                            i + 1 < tokens.size() &&
                            (flag->kind == ValueKind::one || !tokens[i + 1].starts_with("-"));
    out.push_back(takes_next ? tokens[i] + "=" + tokens[i + 1] : tokens[i]);
    if (takes_next) ++i;
  }
  return out;
}

struct Row {
  Strings tokens;
  std::string expected;
};

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(read(row.tokens), row.expected) << joined(row.tokens);
    EXPECT_EQ(read(with_equals(row.tokens)), row.expected) << joined(with_equals(row.tokens));
  }
}

const std::string k_uuid = "123e4567-e89b-42d3-a456-426614174000";

TEST(Options, ReadYumesDesktopHost) {
  const std::string attribution =
      R"({"attribution":{"commit":"","pr":""},"alwaysThinkingEnabled":true})";
  expect_rows({
      {{"--provider", "gemini", "--model", "gemini-3.8-flash", "--cwd", "/w", "--output-format",
        "stream-json", "--verbose"},
       "provider yume out=stream verbose model=gemini-3.8-flash cwd=/w"},
      {{"--provider", "gemini", "--model", "m", "--cwd", "/w", "--resume",
        "syn_0123456789abcdef012345", "--history-file", "/tmp/h.json", "--prompt", "fix it",
        "--output-format", "stream-json", "--verbose"},
       "provider yume out=stream verbose prompt=\"fix it\" model=m cwd=/w "
       "resume=syn_0123456789abcdef012345"},
      {{"--provider", "gemini", "--model", "m", "--cwd", "/w", "--prompt", "--help me",
        "--output-format", "stream-json", "--verbose"},
       "provider yume out=stream verbose prompt=\"--help me\" model=m cwd=/w"},
      {{"-p", "hi", "--model", "sonnet", "--output-format", "stream-json", "--print", "--verbose"},
       "out=stream verbose prompt=\"hi\" model=sonnet"},
      {{"--resume", "ID", "-c", "-p", "hi", "--model", "sonnet", "--output-format", "stream-json",
        "--verbose", "--settings", attribution, "--dangerously-skip-permissions"},
       "out=stream verbose prompt=\"hi\" model=sonnet resume=ID continue mode=bypassPermissions"},
      {{"--resume", "ID", "--model", "sonnet", "--output-format", "stream-json", "--verbose"},
       "out=stream verbose model=sonnet resume=ID"},
      {{"--provider", "anthropic", "--model", "m", "--cwd", "/w", "--session-id", "agent-1",
        "--prompt", "do", "--permission-mode", "auto", "--agent-type", "architect", "--output-file",
        "/tmp/o", "--async", "--git-branch", "b"},
       "provider yume prompt=\"do\" model=m cwd=/w session=agent-1 mode=acceptEdits auto"},
      {{"--model", "claude-3-5-sonnet-20241022", "--prompt", "title", "--output-format", "json",
        "--print"},
       "out=json prompt=\"title\" model=claude-3-5-sonnet-20241022"},
  });
}

TEST(Options, ReadYumesNodeServer) {
  expect_rows({
      {{"--print", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions",
        "--disallowed-tools", "AskUserQuestion,EnterPlanMode,ExitPlanMode",
        "--append-system-prompt", "Be kind - always.", "--model", "claude-sonnet-4-5-20250929",
        "--resume", "ID"},
       "out=stream verbose model=claude-sonnet-4-5-20250929 resume=ID mode=bypassPermissions "
       "deny=AskUserQuestion,EnterPlanMode,ExitPlanMode append=\"Be kind - always.\""},
      {{"-p", "a title please", "--print", "--output-format", "json", "--model",
        "claude-3-5-haiku-20241022"},
       "out=json prompt=\"a title please\" model=claude-3-5-haiku-20241022"},
      {{"--print", "--output-format", "json"}, "out=json"},
  });
}

TEST(Options, ReadOtherHosts) {
  expect_rows({
      // opcode
      {{"-p", "task", "--system-prompt", "S", "--model", "opus", "--output-format", "stream-json",
        "--verbose", "--dangerously-skip-permissions"},
       "out=stream verbose prompt=\"task\" model=opus mode=bypassPermissions system=\"S\""},
      {{"-c", "-p", "go on", "--model", "m", "--output-format", "stream-json", "--verbose"},
       "out=stream verbose prompt=\"go on\" model=m continue"},
      // vibe-kanban
      {{"-p", "--permission-prompt-tool=stdio", "--permission-mode=bypassPermissions", "--model",
        "m", "--effort", "high", "--agent", "a", "--verbose", "--output-format=stream-json",
        "--input-format=stream-json", "--include-partial-messages", "--replay-user-messages",
        "--resume", "ID", "--resume-session-at", k_uuid},
       "out=stream in=stream verbose model=m resume=ID at=" + k_uuid + " mode=bypassPermissions"},
      {{"-p", "--disallowedTools=AskUserQuestion", "--verbose", "--output-format=stream-json",
        "--max-turns", "1", "--", "/"},
       "out=stream verbose prompt=\"/\" turns=1 deny=AskUserQuestion"},
      // crystal
      {{"--verbose", "--output-format", "stream-json", "--model", "m",
        "--dangerously-skip-permissions", "--resume", "ID", "-p", "text", "--mcp-config", "f.json",
        "--permission-prompt-tool", "mcp__crystal-permissions__approve_permission",
        "--allowedTools", "mcp__crystal-permissions__approve_permission"},
       "out=stream verbose prompt=\"text\" model=m resume=ID mode=bypassPermissions "
       "allow=mcp__crystal-permissions__approve_permission"},
      // claude-agent-acp: an empty word after a switch
      {{"--output-format", "stream-json", "--verbose", "--input-format", "stream-json",
        "--replay-user-messages", "", "--session-id", k_uuid, "--setting-sources",
        "user,project,local", "--tools", "default"},
       "out=stream in=stream verbose prompt=\"\" session=" + k_uuid},
      // goose
      {{"--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
        "--mcp-config", "f", "--strict-mcp-config", "--include-partial-messages", "--system-prompt",
        "S", "--model", "m", "--permission-prompt-tool", "stdio"},
       "out=stream in=stream verbose model=m system=\"S\""},
      // claude-code-chat
      {{"--output-format", "stream-json", "--input-format", "stream-json", "--verbose",
        "--permission-prompt-tool", "stdio", "--permission-mode", "plan", "--resume", "ID"},
       "out=stream in=stream verbose resume=ID mode=plan"},
      // cline and Roo
      {{"--system-prompt", "S", "--verbose", "--output-format", "stream-json", "--disallowedTools",
        "Task,Bash,Glob,Grep,LS", "--max-turns", "1", "--model", "m", "-p"},
       "out=stream verbose model=m turns=1 deny=Agent,Bash,Glob,Grep,LS system=\"S\""},
      {{"-p", "--system-prompt-file", "/tmp/s", "--verbose", "--output-format", "stream-json"},
       "out=stream verbose system-file=/tmp/s"},
      // claudecode-go
      {{"--resume",
        "ID",
        "--fork-session",
        "--model",
        "m",
        "--output-format",
        "stream-json",
        "--verbose",
        "--mcp-config",
        "f",
        "--permission-prompt-tool",
        "T",
        "--max-turns",
        "3",
        "--system-prompt",
        "S",
        "--append-system-prompt",
        "A",
        "--allowedTools",
        "Read,Bash(git *)",
        "--disallowedTools",
        "Write",
        "--add-dir",
        "/d1",
        "--add-dir",
        "/d2",
        "--print",
        "--",
        "QUERY"},
       "out=stream verbose prompt=\"QUERY\" model=m resume=ID fork turns=3 allow=Read,Bash(git *) "
       "deny=Write dirs=/d1,/d2 system=\"S\" append=\"A\""},
      // cc-sdk
      {{"--output-format", "stream-json", "--verbose", "--debug-to-stderr", "--agents", "{}",
        "--input-format", "stream-json"},
       "out=stream in=stream verbose debug"},
      // cc-insights
      {{"--output-format", "stream-json", "--input-format", "stream-json", "--verbose",
        "--permission-prompt-tool", "stdio", "--permission-mode", "acceptEdits",
        "--setting-sources", "user", "--max-budget-usd", "1.5"},
       "out=stream in=stream verbose mode=acceptEdits"},
      // agentcmd: the prompt is the last word
      {{"-p", "--model", "m", "--append-system-prompt", "A", "--session-id", k_uuid,
        "--permission-mode", "default", "--output-format", "stream-json", "--verbose",
        "--allowed-tools", "Read", "--disallowed-tools", "Bash", "--", "PROMPT"},
       "out=stream verbose prompt=\"PROMPT\" model=m session=" + k_uuid +
           " mode=default allow=Read deny=Bash append=\"A\""},
  });
}

TEST(Options, ReadTheTypeScriptSdk) {
  const Strings always = {"--output-format", "stream-json", "--verbose", "--input-format",
                          "stream-json"};
  const auto with = [&always](Strings more) {
    more.insert(more.begin(), always.begin(), always.end());
    return more;
  };
  const std::string base = "out=stream in=stream verbose";
  expect_rows({
      {with({}), base},
      {with({"--permission-mode", "default", "--setting-sources", ""}), base + " mode=default"},
      {with({"--max-thinking-tokens", "1000"}), base},
      {with({"--thinking", "adaptive", "--thinking-display", "full", "--effort", "xhigh"}), base},
      {with({"--max-turns", "7", "--max-budget-usd", "2", "--task-budget", "3"}),
       base + " turns=7"},
      {with({"--model", "opus", "--fallback-model", "haiku", "--agent", "x", "--betas", "a,b"}),
       base + " model=opus"},
      {with({"--json-schema", R"({"type":"object","x":"a=b"})"}), base},
      {with({"--debug-file", "/tmp/d"}), base + " debug-file=/tmp/d"},
      {with({"--debug"}), base + " debug"},
      {with({"--permission-prompt-tool", "stdio", "--permission-prompts", "host"}), base},
      {with({"--continue"}), base + " continue"},
      {with({"--resume", "ID", "--fork-session", "--resume-session-at", k_uuid,
             "--resume-drops-turn", k_uuid, "--session-id", k_uuid, "--no-session-persistence"}),
       base + " session=" + k_uuid + " resume=ID fork at=" + k_uuid + " unsaved"},
      {with({"--allowedTools", "Read,Bash(git diff:*)", "--disallowedTools", "Write,Edit"}),
       base + " allow=Read,Bash(git diff:*) deny=Write,Edit"},
      {with({"--tools", "Read,Bash"}), base + " tools=[Read,Bash]"},
      {with({"--tools", ""}), base + " tools=[]"},
      {with({"--tools", "default"}), base},
      {with({"--mcp-config", R"({"mcpServers":{"a":{"command":"x=y"}}})", "--strict-mcp-config"}),
       base},
      {with({"--setting-sources", "user,project"}), base},
      {with({"--permission-mode", "bypassPermissions", "--allow-dangerously-skip-permissions"}),
       base + " mode=bypassPermissions"},
      {with({"--permission-mode", "dontAsk"}), base + " mode=dontAsk"},
      {with({"--permission-mode", "manual"}), base + " mode=default"},
      {with({"--include-hook-events", "--include-partial-messages", "--session-mirror"}), base},
      {with({"--add-dir", "/a", "--add-dir", "/b"}), base + " dirs=/a,/b"},
      {with({"--plugin-dir", "/p", "--await-initialize", "--settings", "{}"}), base},
  });
}

TEST(Options, ReadThePythonSdk) {
  expect_rows({
      {{"--output-format", "stream-json", "--verbose", "--system-prompt", "", "--input-format",
        "stream-json"},
       "out=stream in=stream verbose system=\"\""},
      {{"--output-format",
        "stream-json",
        "--verbose",
        "--append-system-prompt",
        "A",
        "--tools",
        "Read",
        "--allowedTools",
        "Read,Edit",
        "--max-turns",
        "2",
        "--disallowedTools",
        "Write",
        "--permission-mode",
        "plan",
        "--continue",
        "--resume=ID",
        "--session-id=" + k_uuid,
        "--settings",
        "{}",
        "--add-dir",
        "/d",
        "--mcp-config",
        "f",
        "--setting-sources=",
        "--plugin-dir",
        "/p",
        "--thinking",
        "adaptive",
        "--effort",
        "low",
        "--json-schema",
        "{}",
        "--input-format",
        "stream-json"},
       "out=stream in=stream verbose session=" + k_uuid +
           " resume=ID continue turns=2 mode=plan allow=Read,Edit deny=Write tools=[Read] dirs=/d "
           "append=\"A\""},
  });
  EXPECT_EQ(read({"-v"}), "version");
}

TEST(Options, ReadHandWrittenHosts) {
  expect_rows({
      {{"-p",
        "PROMPT",
        "--output-format",
        "stream-json",
        "--verbose",
        "--model",
        "m",
        "--permission-mode",
        "acceptEdits",
        "--max-turns",
        "4",
        "--session-id",
        k_uuid,
        "--mcp-config",
        "{}",
        "--strict-mcp-config",
        "--allowedTools",
        "Read,Edit",
        "--tools",
        "",
        "--add-dir",
        "/d",
        "--include-partial-messages",
        "--append-system-prompt",
        "T"},
       "out=stream verbose prompt=\"PROMPT\" model=m session=" + k_uuid +
           " turns=4 mode=acceptEdits allow=Read,Edit tools=[] dirs=/d append=\"T\""},
      {{"--output-format", "stream-json", "--print", "PROMPT", "--verbose"},
       "out=stream verbose prompt=\"PROMPT\""},
      {{"-p", "--input-format", "text"}, ""},
      {{"fix the test"}, "prompt=\"fix the test\""},
      {{"-m", "gemini-x", "-s", k_uuid, "-r", "ID", "hi"},
       "prompt=\"hi\" model=gemini-x session=" + k_uuid + " resume=ID"},
      {{"-P", "gemini", "hi"}, "provider yume prompt=\"hi\""},
  });
}

TEST(Options, KeepValuesThatLookLikeFlags) {
  EXPECT_EQ(read({"--prompt", "--version"}), "prompt=\"--version\"");
  EXPECT_EQ(read({"--prompt=--version"}), "prompt=\"--version\"");
  EXPECT_EQ(read({"--append-system-prompt", "- be brief", "hi"}),
            "prompt=\"hi\" append=\"- be brief\"");
  EXPECT_EQ(read({"--system-prompt", "--", "hi"}), "prompt=\"hi\" system=\"--\"");
  EXPECT_EQ(read({"--", "--version"}), "prompt=\"--version\"");
  EXPECT_EQ(read({"-p", "--", "-x", "y"}), "prompt=\"-x y\"");
  EXPECT_EQ(read({"-"}), "prompt=\"-\"");
  EXPECT_EQ(read({"--resume", "-p", "hi"}),
            "1: Error: --resume needs a session ID; `yume-cli sessions list` shows them")
      << "an optional value stays away";
}

TEST(Options, AcceptUnknownFlagsSilently) {
  EXPECT_EQ(read({"--of-next-year", "hi"}), "prompt=\"hi\"");
  EXPECT_EQ(read({"--of-next-year=x", "hi"}), "prompt=\"hi\"");
  EXPECT_EQ(read({"--of-next-year", "value", "hi"}), "prompt=\"hi\"");
  EXPECT_EQ(read({"--of-next-year", "value", "--model", "m", "-p", "hi"}), "prompt=\"hi\" model=m");
  EXPECT_EQ(read({"--of-next-year", "--model", "m", "hi"}), "prompt=\"hi\" model=m");
  EXPECT_EQ(read({"-p", "--new-switch", "hi", "--model", "m"}), "doubtful=\"hi\" model=m")
      << "a prompt, or the value of the switch: stdin decides";
  EXPECT_EQ(read({"--prompt", "hi", "--new", "value", "--model", "m"}), "prompt=\"hi\" model=m");
  EXPECT_EQ(read({"-z", "hi"}), "prompt=\"hi\"");
  EXPECT_EQ(read({"--=x", "hi"}), "prompt=\"hi\"");
  EXPECT_EQ(read({"-=x", "hi"}), "prompt=\"hi\"");
}

TEST(Options, ReadListsUpToTheNextFlag) {
  EXPECT_EQ(read({"--allowedTools", "Read", "Bash(git diff:*)", "Edit", "-p", "hi"}),
            "prompt=\"hi\" allow=Read,Bash(git diff:*),Edit");
  EXPECT_EQ(read({"--allowed-tools", "Read Edit", "--allowedTools", "Bash", "--", "hi"}),
            "prompt=\"hi\" allow=Read,Edit,Bash");
  EXPECT_EQ(read({"--tools", "Read", "Bash", "-p", "hi"}), "prompt=\"hi\" tools=[Read,Bash]");
  EXPECT_EQ(read({"--allowedTools", "--verbose"}), "verbose");
}

TEST(Options, RefuseRestrictionsThatWouldNotBeKept) {
  for (const char* flag : {"--restricted", "--safe-mode", "--worktree"}) {
    const std::string refusal = read({"-p", "hi", flag});
    EXPECT_TRUE(refusal.starts_with("2: error: --")) << refusal;
    EXPECT_NE(refusal.find("is not supported yet"), std::string::npos) << refusal;
  }
}

// Whether there is a terminal is seen later.
TEST(Options, LetAPersonBeAskedOnlyWhereOneLooks) {
  const auto asks = [](const Strings& tokens) {
    return std::get<Options>(read_options(*parse_arguments(tokens), {})).person_answers;
  };
  EXPECT_TRUE(asks({"fix it"}));
  EXPECT_TRUE(asks({"--continue", "--verbose", "fix it"}));
  for (const Strings& tokens : std::vector<Strings>{
           {"-p", "fix it"},
           {"--output-format", "text", "fix it"},
           {"--output-format", "json", "fix it"},
           {"--provider", "gemini", "--prompt", "fix it"},
           {"--async", "fix it"},
           {"--permission-prompt-tool", "mcp__a__b", "fix it"},
           {"--permission-prompts", "none", "fix it"},
       }) {
    EXPECT_FALSE(asks(tokens)) << joined(tokens);
  }
}

TEST(Options, ReadTheBudgetAndTheThinkingOfTheEnvironment) {
  EXPECT_EQ(read({"-p", "hi", "--max-budget-usd", "x"}),
            "2: error: --max-budget-usd wants an amount above 0, such as 0.50, not 'x'");
  EXPECT_EQ(read({"-p", "hi", "--max-budget-usd", "0"}),
            "2: error: --max-budget-usd wants an amount above 0, such as 0.50, not '0'");
  platform::Environment environment;
  environment.variables["MAX_THINKING_TOKENS"] = "lots";
  EXPECT_EQ(read({"-p", "hi"}, environment),
            "2: error: MAX_THINKING_TOKENS wants a whole number from 0, not 'lots'");
}

TEST(Options, PreferAPromptThatSaysSomething) {
  EXPECT_EQ(read({"", "hi"}), "prompt=\"hi\"");
  EXPECT_EQ(read({"--prompt", "", "hi"}), "prompt=\"hi\"");
  EXPECT_EQ(read({"--prompt", "a", "b"}), "prompt=\"a b\"");
  EXPECT_EQ(read({"a", "b"}), "prompt=\"a b\"");
  EXPECT_EQ(read({"a", "", "b"}), "prompt=\"a b\"");
  EXPECT_EQ(read({""}), "prompt=\"\"");
  EXPECT_EQ(read({}), "");
}

TEST(Options, LetTheLastValueWin) {
  EXPECT_EQ(read({"--model", "a", "--model", "b"}), "model=b");
  EXPECT_EQ(read({"--verbose=false"}), "");
  EXPECT_EQ(read({"--verbose=true"}), "verbose");
}

TEST(Options, KnowEverySpelling) {
  EXPECT_EQ(read({"--outputFormat", "json"}), "out=json");
  EXPECT_EQ(read({"--output_format", "json"}), "out=json");
  EXPECT_EQ(read({"--maxTurns=3"}), "turns=3");
  EXPECT_EQ(read({"--permissionMode=plan"}), "mode=plan");
}

TEST(Options, TakeTheLongestMessageAsASize) {
  EXPECT_EQ(std::get<Options>(read_options(*parse_arguments({"--max-message-size", "64M"}), {}))
                .max_message_bytes,
            64U << 20U);
  for (const char* size : {"", "0", "1023", "2G", "much", "-1"}) {
    EXPECT_EQ(read({"--max-message-size", size}),
              "2: error: --max-message-size wants a size between 1K and 1G, such as 64M, not '" +
                  std::string(size) + "'");
  }
}

TEST(Options, SayWhatIsWrongInClaudesWords) {
  EXPECT_EQ(read({"--model"}), "argv: error: option '--model <model>' argument missing");
  EXPECT_EQ(
      read({"--output-format", "xml"}),
      "1: error: option '--output-format <format>' argument 'xml' is invalid. Allowed choices "
      "are text, json, stream-json.");
  EXPECT_EQ(read({"--output-format="}),
            "1: error: option '--output-format <format>' argument '' is invalid. Allowed choices "
            "are text, json, stream-json.");
  EXPECT_EQ(read({"--permission-mode", "bogus"}),
            "1: error: option '--permission-mode <mode>' argument 'bogus' is invalid. Allowed "
            "choices are acceptEdits, auto, bypassPermissions, default, deny, dontAsk, "
            "interactive, plan.");
  EXPECT_EQ(read({"-p", "--output-format", "stream-json", "hi"}),
            "1: Error: When using --print, --output-format=stream-json requires --verbose");
  EXPECT_EQ(read({"--input-format", "stream-json"}),
            "1: Error: --input-format=stream-json requires output-format=stream-json.");
  EXPECT_EQ(read({"--session-id", "abc"}), "1: Error: Invalid session ID. Must be a valid UUID.");
  for (const char* count : {"0", "-1", "x", "", "1x", "99999999999"}) {
    EXPECT_EQ(
        read({"--max-turns", count}),
        "2: error: --max-turns wants a whole number from 1, not '" + std::string(count) + "'");
  }
  EXPECT_EQ(read({"--dialect", "acpx"}).substr(0, 2), "2:");
}

TEST(Options, ChooseTheDialect) {
  EXPECT_EQ(read({"--provider", "gemini", "--dialect", "claude"}), "provider");
  EXPECT_EQ(read({"--dialect", "yume"}), "yume");
  platform::Environment environment;
  environment.variables["YUME_CLI_DIALECT"] = "yume";
  EXPECT_EQ(read({}, environment), "yume");
  EXPECT_EQ(read({"--dialect", "claude"}, environment), "") << "the flag is nearer";
  environment.variables["YUME_CLI_DIALECT"] = "claude";
  EXPECT_EQ(read({"--provider", "x"}, environment), "provider");
  environment.variables["YUME_CLI_DIALECT"] = "x";
  EXPECT_EQ(
      read({}, environment),
      "2: error: YUME_CLI_DIALECT is 'x'; it can be yume, yume-app, claude, gemini, insights or "
      "agent-events");
}

TEST(Options, TakeFromTheEnvironmentWhetherTextsAreShownWhileTheyGrow) {
  platform::Environment environment;
  const auto live_text = [&environment] {
    const auto arguments = parse_arguments({}).value();
    return std::get<Options>(read_options(arguments, environment)).live_text;
  };
  EXPECT_EQ(live_text(), std::nullopt);
  environment.variables["YUME_CLI_LIVE_TEXT"] = "off";
  EXPECT_EQ(live_text(), config::LiveText{.on = false});
  environment.variables["YUME_CLI_LIVE_TEXT"] = "0";
  EXPECT_EQ(live_text(), config::LiveText{.gap = std::chrono::milliseconds(0)});
  environment.variables["YUME_CLI_LIVE_TEXT"] = "x";
  EXPECT_EQ(read({}, environment),
            "2: error: YUME_CLI_LIVE_TEXT is 'x'; it can be on, off or a number of milliseconds "
            "up to 60000");
}

TEST(Options, ReadTheEnvironmentBehindTheFlags) {
  platform::Environment environment;
  environment.variables["GEMINI_MODEL"] = "env-model";
  environment.variables["GOOGLE_GEMINI_BASE_URL"] = "http://env";
  environment.variables["YUME_MAX_RETRIES"] = "2";
  EXPECT_EQ(read({}, environment), "model=env-model gemini=http://env retries=2");
  EXPECT_EQ(read({"--model", "m", "--api-base", "http://flag"}, environment),
            "model=m api=http://flag gemini=http://env retries=2");
  environment.variables["YUME_MAX_RETRIES"] = "100000";
  EXPECT_EQ(read({"--model", "m", "--api-base", "x"}, environment),
            "model=m api=x gemini=http://env retries=100");
  environment.variables["YUME_MAX_RETRIES"] = "many";
  EXPECT_EQ(read({"--model", "m", "--api-base", "x"}, environment),
            "model=m api=x gemini=http://env");
}

TEST(Options, ShowHelpAndVersionWhateverElseIsThere) {
  EXPECT_EQ(read({"--help", "--output-format", "bogus"}), "help");
  EXPECT_EQ(read({"-h"}), "help");
  EXPECT_EQ(read({"--version", "-p"}), "version");
}

}  // namespace
}  // namespace yume::app
