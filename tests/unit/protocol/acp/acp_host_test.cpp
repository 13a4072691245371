// SPDX-License-Identifier: MIT
#include "protocol/acp/acp_host.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/recorded_lines.h"

namespace yume::protocol {
namespace {

using Lines = std::vector<std::string>;

std::string update(const std::string& fields) {
  return R"({"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{)"
         R"("sessionUpdate":)" +
         fields + "}}}";
}

class AcpHostTest : public testing::Test {
 protected:
  AcpHostTest() {
    core::SessionStarted info;
    info.session_id = "s";
    info.model = "m";
    info.cwd = "/p";
    host.reply(request("session/new", 1), SessionShown{.info = info});
    output.take();
  }

  static std::string request(const std::string& method, int id) {
    return encode(AcpTicket{.id = {std::to_string(id)}, .method = method, .session_id = "s"});
  }

  Lines write(core::Event event, const std::string& parent = {}) {
    host.write({.address = {"s", parent}, .event = std::move(event)}, {});
    return output.take();
  }

  // A prompt that is the session's now.
  void begin(int id, const std::string& uuid) {
    host.reply(request("session/prompt", id), PromptQueued{uuid});
    write(core::PromptMoved{.uuid = uuid, .state = core::PromptMoved::State::started});
  }

  test::RecordedLines output;
  test::MemoryOverflow overflow;
  AcpHost host{output, overflow, "9"};
};

core::ToolCall edit() {
  return {.id = "toolu_0a1b",
          .name = "Edit",
          .input = {R"({"file_path":"f","old_string":"a","new_string":"b"})"}};
}

TEST_F(AcpHostTest, WritesTextAndThoughtsOfAMessage) {
  write(core::MessageStarted{.message_id = "msg", .model = "m"});
  EXPECT_EQ(write(core::TextDelta{"h\u00e9"}),
            Lines{update(R"("agent_message_chunk","content":{"type":"text","text":"h\u00e9"},)"
                         R"("messageId":"msg")")});
  EXPECT_EQ(write(core::ThoughtDelta{"t"}),
            Lines{update(R"("agent_thought_chunk","content":{"type":"text","text":"t"},)"
                         R"("messageId":"msg")")});
  EXPECT_EQ(write(core::TextDelta{"of a subagent"}, "call"), Lines{});
}

TEST_F(AcpHostTest, AnswersAPromptWithTheEndOfItsTurn) {
  begin(4, "u");
  core::TurnDone done;
  done.total = {.prompt_tokens = 10, .cached_tokens = 4, .output_tokens = 3, .thought_tokens = 2};
  done.files_written = {"/p/f"};
  EXPECT_EQ(write(done),
            Lines{R"({"jsonrpc":"2.0","id":4,"result":{"stopReason":"end_turn","usage":{)"
                  R"("inputTokens":6,"outputTokens":3,"thoughtTokens":2,"cachedReadTokens":4,)"
                  R"("totalTokens":15},"_meta":{"yume":{"filesWritten":["/p/f"]}}}})"});
  EXPECT_EQ(write(done), Lines{});  // nobody waits any more
}

TEST_F(AcpHostTest, NeverAnswersACancelledTurnWithAnError) {
  begin(4, "u");
  host.reply(request("session/prompt", 5), PromptQueued{"waits"});
  EXPECT_EQ(write(core::PromptMoved{.uuid = "waits", .state = core::PromptMoved::State::cancelled}),
            Lines{R"({"jsonrpc":"2.0","id":5,"result":{"stopReason":"cancelled"}})"});
  core::TurnDone done;
  done.outcome = core::TurnOutcome::interrupted;
  EXPECT_EQ(write(done), Lines{R"({"jsonrpc":"2.0","id":4,"result":{"stopReason":"cancelled"}})"});
}

TEST_F(AcpHostTest, SaysWhyATurnFailed) {
  begin(4, "u");
  core::TurnDone done;
  done.outcome = core::TurnOutcome::failed;
  done.failure = core::FailureKind::rate_limit;
  done.http_status = 429;
  done.text = "no quota";
  EXPECT_EQ(write(done),
            Lines{R"({"jsonrpc":"2.0","id":4,"error":{"code":-32603,)"
                  R"("message":"no quota","data":{"kind":"rate_limit","status":429}}})"});
  begin(5, "v");
  done.failure = core::FailureKind::authentication;
  EXPECT_NE(write(done).at(0).find(R"("code":-32000)"), std::string::npos);
}

TEST_F(AcpHostTest, StopsForALimitWithItsText) {
  begin(4, "u");
  core::TurnDone done;
  done.outcome = core::TurnOutcome::max_turns;
  done.text = "enough";
  EXPECT_EQ(write(done),
            (Lines{update(R"("agent_message_chunk","content":{"type":"text","text":"enough"})"),
                   R"({"jsonrpc":"2.0","id":4,"result":{"stopReason":"max_turn_requests"}})"}));
}

TEST_F(AcpHostTest, ShowsAnEditBeforeAndAfter) {
  EXPECT_EQ(
      write(core::ToolCallReady{edit()}),
      Lines{update(R"("tool_call","toolCallId":"Edit-0a1b","name":"Edit","status":"pending",)"
                   R"("title":"Edit f","kind":"edit","content":[{"type":"diff","path":"/p/f",)"
                   R"("oldText":"a","newText":"b"}],"locations":[{"path":"/p/f"}],)"
                   R"("rawInput":{"file_path":"f","old_string":"a","new_string":"b"})")});
  core::ToolOutcome outcome{.content = "done",
                            .details = core::FileEdited{.path = "f",
                                                        .replacement = {},
                                                        .before = {},
                                                        .patch = {{.old_start = 1,
                                                                   .old_lines = 2,
                                                                   .new_start = 1,
                                                                   .new_lines = 2,
                                                                   .lines = {" x", "-a", "+b"}}}}};
  EXPECT_EQ(write(core::ToolFinished{edit(), outcome}),
            Lines{update(R"("tool_call_update","toolCallId":"Edit-0a1b","status":"completed",)"
                         R"("content":[{"type":"diff","path":"/p/f","oldText":"x\na\n",)"
                         R"("newText":"x\nb\n"}],"rawOutput":{"output":"done"})")});
}

TEST_F(AcpHostTest, KeepsTheLookOfAnOutputInMarkdown) {
  const core::ToolCall call{.id = "c", .name = "Bash", .input = {R"({"command":"ls\n-l"})"}};
  EXPECT_NE(write(core::ToolCallReady{call}).at(0).find(R"("title":"ls -l","kind":"execute")"),
            std::string::npos);
  core::ToolOutcome outcome;
  outcome.content = "a```b";
  const std::string line = write(core::ToolFinished{call, outcome}).at(0);
  EXPECT_NE(line.find(R"("text":"````\na```b\n````")"), std::string::npos) << line;
}

TEST_F(AcpHostTest, MakesAPlanOfTodosAndNoCall) {
  const core::ToolCall call{.id = "c", .name = "TodoWrite", .input = {"{}"}};
  EXPECT_EQ(write(core::ToolCallReady{call}), Lines{});
  core::ToolOutcome outcome;
  outcome.details = core::TodosChanged{
      .before = {},
      .after = {
          {.content = "a", .status = core::TodoStatus::in_progress, .active_form = "doing a"}}};
  EXPECT_EQ(write(core::ToolFinished{call, outcome}),
            Lines{update(R"("plan","entries":[{"content":"a","priority":"medium",)"
                         R"("status":"in_progress"}])")});
}

TEST_F(AcpHostTest, AsksWhetherACallMayRun) {
  core::MayRun question{
      .call = {.id = "toolu_1", .name = "Bash", .input = {R"({"command":"ls"})"}}};
  question.suggestions = {core::RulesUpdate{.rules = {"Bash(ls)"}}};
  host.ask("q", {"s"}, question);
  EXPECT_EQ(output.take(),
            Lines{R"x({"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":{)x"
                  R"x("sessionId":"s","toolCall":{"toolCallId":"Bash-1","status":"pending",)x"
                  R"x("title":"ls","kind":"execute","content":[],"locations":[],)x"
                  R"x("rawInput":{"command":"ls"}},)x"
                  R"x("options":[{"optionId":"allow_once","name":"Allow","kind":"allow_once"},)x"
                  R"x({"optionId":"allow_always","name":"Always allow Bash(ls)",)x"
                  R"x("kind":"allow_always"},)x"
                  R"x({"optionId":"reject_once","name":"Reject","kind":"reject_once"},)x"
                  R"x({"optionId":"reject_always","name":"Never allow Bash(ls) in this session",)x"
                  R"x("kind":"reject_always"}]}})x"});
  const auto answer = [&](const std::string& outcome) {
    return host.read_answer(
        question, {.request_id = "q", .response = RawJson{R"({"outcome":)" + outcome + "}"}});
  };
  EXPECT_EQ(answer(R"({"outcome":"selected","optionId":"allow_once"})"),
            core::HostAnswer(core::HostAllows{}));
  EXPECT_EQ(answer(R"({"outcome":"selected","optionId":"allow_always"})"),
            core::HostAnswer(core::HostAllows{.updates = question.suggestions}));
  const auto never = answer(R"({"outcome":"selected","optionId":"reject_always"})");
  EXPECT_EQ(std::get<core::HostDenies>(*never).updates,
            (std::vector<core::PermissionUpdate>{
                core::RulesUpdate{.effect = "deny", .rules = {"Bash(ls)"}}}));
  for (const char* outcome : {R"({"outcome":"cancelled"})", "17", R"({"outcome":"selected"})"}) {
    EXPECT_TRUE(std::holds_alternative<core::HostDenies>(*answer(outcome))) << outcome;
  }
  host.settle("q", Host::Settled::allowed);
  EXPECT_EQ(output.take(), Lines{update(R"("tool_call_update","toolCallId":"Bash-1",)"
                                        R"("status":"in_progress")")});
}

TEST_F(AcpHostTest, WithdrawsAQuestion) {
  host.withdraw("q");
  EXPECT_EQ(output.take(), Lines{R"({"jsonrpc":"2.0","method":"$/cancel_request",)"
                                 R"("params":{"requestId":"q"}})"});
}

TEST_F(AcpHostTest, AsksForFilesOnlyWhoeverOffersThem) {
  const core::ReadHostFile file{"/p/f"};
  EXPECT_FALSE(host.answers(file));
  host.reply(request("initialize", 0),
             Greeted{{.abilities = {.reads_files = true}, .takes_notices = true}});
  output.take();
  EXPECT_TRUE(host.answers(file));
  EXPECT_FALSE(host.answers(core::WriteHostFile{}));
  host.ask("q", {"s"}, file);
  EXPECT_EQ(output.take(), Lines{R"({"jsonrpc":"2.0","id":"q","method":"fs/read_text_file",)"
                                 R"("params":{"sessionId":"s","path":"/p/f"}})"});
  EXPECT_EQ(host.read_answer(file, {.request_id = "q", .response = RawJson{R"({"content":"c"})"}}),
            core::HostAnswer(core::HostFileText{"c"}));
  EXPECT_TRUE(std::holds_alternative<core::HostFailed>(
      *host.read_answer(file, {.request_id = "q", .response = RawJson{"null"}})));
}

TEST_F(AcpHostTest, AsksForTerminalsOnlyWhoeverOffersThem) {
  using Step = core::UseTerminal::Step;
  const core::UseTerminal make{
      .argv = {"bash", "-c", "ls"}, .environment = {"A=b=c"}, .cwd = "/p", .output_limit = 10};
  EXPECT_FALSE(host.answers(make));
  host.reply(request("initialize", 0), Greeted{{.abilities = {.shows_terminals = true}}});
  output.take();
  EXPECT_TRUE(host.answers(make));
  host.ask("q", {"s"}, make);
  EXPECT_EQ(output.take(),
            Lines{R"({"jsonrpc":"2.0","id":"q","method":"terminal/create","params":)"
                  R"({"sessionId":"s","command":"bash","args":["-c","ls"],)"
                  R"("env":[{"name":"A","value":"b=c"}],"cwd":"/p","outputByteLimit":10}})"});
  const auto answer = [&](const core::UseTerminal& asked, const char* result) {
    return *host.read_answer(asked, {.request_id = "q", .response = RawJson{result}});
  };
  EXPECT_EQ(answer(make, R"({"terminalId":"t"})"), core::HostAnswer(core::HostTerminal{.id = "t"}));
  EXPECT_TRUE(std::holds_alternative<core::HostFailed>(answer(make, "{}")));
  const core::UseTerminal wait{.step = Step::wait, .id = "t"};
  host.ask("q", {"s"}, wait);
  EXPECT_EQ(output.take(), Lines{R"({"jsonrpc":"2.0","id":"q","method":"terminal/wait_for_exit",)"
                                 R"("params":{"sessionId":"s","terminalId":"t"}})"});
  EXPECT_EQ(answer(wait, R"({"exitCode":3,"signal":null})"),
            core::HostAnswer(core::HostTerminal{.id = "t", .exit_code = 3}));
  EXPECT_EQ(answer(wait, R"({"exitCode":null,"signal":"SIGTERM"})"),
            core::HostAnswer(core::HostTerminal{.id = "t", .signal = "SIGTERM"}));
  // Older clients say the number alone, or nothing.
  EXPECT_EQ(answer(wait, "4"), core::HostAnswer(core::HostTerminal{.id = "t", .exit_code = 4}));
  EXPECT_EQ(answer(wait, "null"), core::HostAnswer(core::HostTerminal{.id = "t"}));
  EXPECT_EQ(answer({.step = Step::output, .id = "t"}, R"({"output":"o","truncated":true})"),
            core::HostAnswer(core::HostTerminal{.id = "t", .output = "o", .lost_beginning = true}));
}

TEST_F(AcpHostTest, ShowsTheTerminalOfACall) {
  const std::string shown = R"("content":[{"type":"terminal","terminalId":"t"}])";
  EXPECT_EQ(write(core::ToolProgress{.call_id = "c1", .tool_name = "Bash", .terminal_id = "t"}),
            Lines{update(R"("tool_call_update","toolCallId":"Bash-c1","status":"in_progress",)" +
                         shown)});
  const core::ToolFinished finished{
      .call = {.id = "c1", .name = "Bash", .input = {"{}"}},
      .outcome = {.content = "out", .details = core::CommandRan{.output = "out"}}};
  EXPECT_NE(write(finished).front().find(shown + R"(,"rawOutput":{"output":"out"})"),
            std::string::npos);
  EXPECT_EQ(write(finished).front().find("terminalId"), std::string::npos);
}

TEST_F(AcpHostTest, TellsAModeThatChangedByItself) {
  const Lines lines = write(core::ModeChanged{core::PermissionMode::accept_edits});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], update(R"("current_mode_update","currentModeId":"acceptEdits")"));
  EXPECT_NE(lines[1].find("config_option_update"), std::string::npos);
  EXPECT_EQ(write(core::ModeChanged{core::PermissionMode::accept_edits}), Lines{});
}

TEST_F(AcpHostTest, CallsASessionThatBeganAnewByItsFirstName) {
  write(core::ConversationReset{.new_session_id = "t"});
  host.write({.address = {"t"}, .event = core::TextDelta{"x"}}, {});
  EXPECT_EQ(output.take(),
            Lines{update(R"("agent_message_chunk","content":{"type":"text","text":"x"})")});
}

TEST_F(AcpHostTest, AnswersUnknownMethodsAndSessions) {
  host.reply(request("x/y", 3), NotSupported{"x/y"});
  host.reply(request("session/prompt", 4), RequestRefused{"no", "session_not_found"});
  EXPECT_EQ(output.take(),
            (Lines{R"({"jsonrpc":"2.0","id":3,"error":{"code":-32601,)"
                   R"("message":"\"Method not found\": x/y","data":{"method":"x/y"}}})",
                   R"({"jsonrpc":"2.0","id":4,"error":{"code":-32002,"message":"no",)"
                   R"("data":{"sessionId":"s"}}})"}));
}

}  // namespace
}  // namespace yume::protocol
