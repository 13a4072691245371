// SPDX-License-Identifier: MIT
#include "protocol/terminal/terminal_view.h"

#include "support/recorded_lines.h"
#include "support/virtual_terminal.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace yume::protocol {
namespace {

using namespace std::chrono_literals;

TerminalViewLook plain_look() {
  return {.colours = false, .utf8 = true, .animation = Screen::Animation::unwanted};
}

core::TurnDone done(core::TurnOutcome outcome = core::TurnOutcome::success, std::string text = "") {
  core::TurnDone turn;
  turn.outcome = outcome;
  turn.text = std::move(text);
  turn.max_turns = 3;
  return turn;
}

core::ToolCall call(const std::string& name, const std::string& input,
                    const std::string& id = "a") {
  return {.id = id, .name = name, .input = {input}};
}

core::ToolFinished finished(const core::ToolCall& call, core::ToolDetails details,
                            const std::string& content = "") {
  core::ToolOutcome outcome;
  outcome.content = content;
  outcome.details = std::move(details);
  return {.call = call, .outcome = std::move(outcome)};
}

std::string shown(const std::vector<core::Event>& events, TerminalViewLook look = plain_look()) {
  test::RecordedLines output;
  TerminalView view(output, std::move(look));
  for (const core::Event& event : events) view.on_envelope({.address = {"s"}, .event = event}, {});
  return output.written;
}

// On a terminal with all that one can do, at times of the test's choosing.
struct Live {
  void say(const core::Event& event, const std::string& parent = "") {
    view.on_envelope({.address = {"s", parent}, .event = event}, now);
    look();
  }
  void wait(std::chrono::milliseconds time) {
    now += time;
    view.on_time(now);
    look();
  }
  std::string text() { return terminal.text(); }
  void look() { terminal.feed(std::exchange(output.written, {})); }

  test::RecordedLines output;
  test::VirtualTerminal terminal{60, 20};
  TerminalView view{output, {.colours = true, .utf8 = true, .size = [] {
                               return ScreenSize{60, 20};
                             }}};
  platform::SteadyTime now = platform::SteadyTime() + 1h;
};

core::SessionStarted started() {
  core::SessionStarted start;
  start.session_id = "s";
  start.model = "m";
  start.cwd = "/home/u/work";
  return start;
}

TEST(TerminalView, ShowsMarkdownAndNothingElseWhereNothingMoves) {
  EXPECT_EQ(shown({started(), core::ThoughtDelta{"no"}, core::BlockDone{}, core::TextDelta{"**one"},
                   core::TextDelta{"** `two`"}, core::BlockDone{}, done()}),
            "one `two`\n");
}

TEST(TerminalView, ShowsCallsInWords) {
  core::FileEdited edited;
  edited.patch = {{.old_start = 1,
                   .old_lines = 2,
                   .new_start = 1,
                   .new_lines = 2,
                   .lines = {" same", "-old", "+new", "+more"}}};
  core::FileRead read;
  for (int i = 0; i < 120; ++i) read.content += "line\n";
  read.line_count = 120;
  read.total_lines = 500;
  core::FilesMatched matched;
  matched.total = 14;
  const auto edit = call("Edit", R"({"file_path":"/home/u/work/src/app.py"})");
  const auto look = call("Read", R"({"file_path":"/etc/hosts"})", "b");
  const auto grep = call("Grep", R"({"pattern":"x","path":"/home/u/work"})", "c");
  EXPECT_EQ(shown({started(), core::TextDelta{"I edit."}, core::BlockDone{},
                   core::ToolCallReady{edit}, finished(edit, edited), core::ToolCallReady{look},
                   finished(look, read), core::ToolCallReady{grep}, finished(grep, matched),
                   core::TextDelta{"Done."}, core::BlockDone{}, done()}),
            "I edit.\n\n"
            "● Edit src/app.py\n  +2 −1\n     same\n    -old\n    +new\n    +more\n"
            "● Read /etc/hosts\n  120 lines of 500\n"
            "● Grep \"x\"\n  14 files\n"
            "\nDone.\n");
}

TEST(TerminalView, ShowsTheEndOfACommandsOutputAndFailuresFromTheirBeginning) {
  const auto bash = call("Bash", R"({"command":"make\nall"})");
  std::string lines;
  for (int i = 1; i <= 20; ++i) lines += std::to_string(i) + "\n";
  core::CommandRan ran;
  ran.output = lines;
  EXPECT_EQ(
      shown({started(), core::ToolCallReady{bash}, finished(bash, ran, lines)}),
      "● Bash make all\n    ... 14 more lines\n    15\n    16\n    17\n    18\n    19\n    20\n");
  core::ToolFinished failed = finished(bash, core::CallFailed{}, lines);
  failed.outcome.is_error = true;
  EXPECT_EQ(
      shown({started(), core::ToolCallReady{bash}, failed}),
      "● Bash make all\n    1\n    2\n    3\n    4\n    5\n    6\n    7\n    8\n    9\n    10\n"
      "    ... 10 more lines\n");
}

TEST(TerminalView, DrawsInAsciiWhereItMust) {
  TerminalViewLook look = plain_look();
  look.utf8 = false;
  const auto todo = call("TodoWrite", "{}");
  core::TodosChanged changed;
  changed.after = {{"one", core::TodoStatus::completed, ""},
                   {"two", core::TodoStatus::in_progress, ""},
                   {"three", core::TodoStatus::pending, ""}};
  core::TurnDone end = done();
  end.total.prompt_tokens = 1234;
  end.total.output_tokens = 5;
  end.duration = 65'000ms;
  EXPECT_EQ(shown({started(), core::TextDelta{"- a"}, core::BlockDone{}, core::ToolCallReady{todo},
                   finished(todo, changed), end},
                  look),
            "- a\n\n* TodoWrite\n  1 of 3 done\n  [x] one\n  [-] two\n  [ ] three\n"
            "\n1 min 5 s, 1,234 tokens in, 5 out\n");
}

TEST(TerminalView, ShowsRetriesNoticesAndEveryEnd) {
  EXPECT_EQ(shown({started(), core::RetryScheduled{.max_retries = 5, .delay = 521ms, .reason = "x"},
                   core::Notice{"careful"}, done(core::TurnOutcome::interrupted)}),
            "x; trying again in 0.5 s (1 of 5)\ncareful\ninterrupted\n");
  EXPECT_EQ(shown({started(), done(core::TurnOutcome::failed, "API Error: 1")}), "API Error: 1\n");
  EXPECT_EQ(shown({started(), done(core::TurnOutcome::failed, "API Error: 1 · Do this")}),
            "API Error: 1\nDo this\n");
  EXPECT_EQ(shown({started(), done(core::TurnOutcome::max_turns)}),
            "Error: Reached max turns (3)\n");
  core::TurnDone local = done(core::TurnOutcome::success, "Commands: /help");
  local.is_local_command = true;
  EXPECT_EQ(shown({started(), local}), "Commands: /help\n");
}

TEST(TerminalView, NothingOfOthersReachesTheTerminalAsACommand) {
  const std::string odd =
      "a\x1b[31mb\x07\r\x7F\xC2\x9B"
      "31m\x1b]0;t\x07";
  const std::string quoted = R"({"command":"x\u001b[31m\u009b7m","file_path":"y\u001b[2J"})";
  for (const bool animated : {false, true}) {
    TerminalViewLook look = plain_look();
    if (animated) look.animation = Screen::Animation::wanted;
    core::CommandRan ran;
    ran.output = odd;
    core::ToolFinished bad = finished(call("Bash", quoted), core::CallFailed{}, odd);
    bad.outcome.is_error = true;
    core::TodosChanged todos;
    todos.after = {{odd, core::TodoStatus::pending, ""}};
    core::TurnDone failed = done(core::TurnOutcome::failed, odd);
    const std::string text =
        shown({started(), core::ThoughtDelta{odd}, core::TextDelta{odd + "\n\n```\n" + odd},
               core::BlockDone{}, core::ToolCallStarted{"a", odd},
               core::ToolCallReady{call("Bash", quoted)}, finished(call("Bash", quoted), ran),
               core::ToolCallReady{call(odd, quoted)}, bad,
               finished(call("TodoWrite", "{}"), todos), core::Notice{odd}, failed},
              look);
    for (const char* forbidden : {"\x1b[31m", "\x1b[2J", "\x1b]", "\x07", "\x7F", "\xC2\x9B"}) {
      EXPECT_EQ(text.find(forbidden), std::string::npos) << animated << ": " << text;
    }
  }
}

TEST(TerminalView, ShowsWhatGoesOnAndTakesItBack) {
  Live live;
  live.say(started());
  EXPECT_EQ(live.text(), "⠋ Waiting for the model · 0 s · Ctrl-C interrupts\n");
  live.say(core::ThoughtDelta{"Hm, what is that?"});
  live.wait(2s);
  EXPECT_EQ(live.text(), "Hm, what is that?\n⠦ Thinking · 2 s · Ctrl-C interrupts\n");
  live.say(core::BlockDone{});
  live.say(core::TextDelta{"Some **wor"});
  live.wait(40ms);
  EXPECT_EQ(live.text(), "Thought for 2.0 s\n\nSome **wor\n⠧ Writing · 2 s · Ctrl-C interrupts\n");
  live.say(core::TextDelta{"ds**"});
  live.say(core::BlockDone{});
  const auto bash = call("Bash", R"({"command":"make"})");
  live.say(core::ToolCallReady{bash});
  live.wait(3s);
  EXPECT_EQ(live.text(),
            "Thought for 2.0 s\n\nSome words\n● Bash make  3 s\n"
            "⠹ Working · 5 s · Ctrl-C interrupts\n");
  live.say(finished(bash, core::CommandRan{"ok\n"}));
  core::TurnDone end = done();
  end.total.prompt_tokens = 10;
  end.total.output_tokens = 5;
  end.duration = 5s;
  live.say(end);
  EXPECT_EQ(live.text(),
            "Thought for 2.0 s\n\nSome words\n\n● Bash make  3.0 s\n    ok\n\n"
            "5.0 s · 10 tokens in, 5 out\n");
}

TEST(TerminalView, SubagentsCallsStandBelowTheirs) {
  Live live;
  live.say(started());
  const auto task = call("Task", R"({"description":"look around"})", "t");
  const auto read = call("Read", R"({"file_path":"/home/u/work/a"})", "r");
  live.say(core::ToolCallReady{task});
  live.say(core::ToolCallReady{read}, "t");
  core::FileRead file;
  file.content = "line";
  live.say(finished(read, file), "t");
  live.say(core::TextDelta{"not shown"}, "t");
  core::AgentFinished agent;
  agent.calls = 1;
  agent.tokens = 2000;
  agent.took = 4s;
  live.say(finished(task, agent));
  live.say(done());
  EXPECT_EQ(live.text(), "  ● Read a  1 line\n● Agent look around  1 call, 2,000 tokens, 4.0 s\n");
}

TEST(TerminalView, ShowsTheLastLinesOfACommandThatRuns) {
  Live live;
  live.say(started());
  const auto task = call("Task", R"({"description":"build it"})", "t");
  live.say(core::ToolCallReady{task});
  live.say(core::ToolCallReady{call("Bash", R"({"command":"make"})", "b")}, "t");
  live.say(core::ToolProgress{.call_id = "b",
                              .tool_name = "Bash",
                              .output = "one\n10%\r20%\ntwo\n\nthree\x1b[31m\x1b]0;t\x07\n"},
           "t");
  live.wait(2s);
  EXPECT_EQ(live.text(),
            "● Agent build it  2 s\n  ● Bash make  2 s\n      20%\n      two\n      three\n"
            "⠦ Working · 2 s · Ctrl-C interrupts\n");
  live.say(finished(call("Bash", R"({"command":"make"})", "b"), core::CommandRan{"ok\n"}), "t");
  live.wait(40ms);
  EXPECT_EQ(live.text(),
            "  ● Bash make  2.0 s\n● Agent build it  2 s\n⠧ Working · 2 s · Ctrl-C interrupts\n");
}

TEST(TerminalView, ALongLineBelowACallGoesOnBelowItself) {
  Live live;
  live.say(started());
  const auto bash = call("Bash", R"({"command":"x"})");
  live.say(core::ToolCallReady{bash});
  live.say(finished(bash, core::CommandRan{std::string(60, 'a') + "\n" + std::string(999, 'b')}));
  live.say(done());
  const std::string row = "    " + std::string(56, 'b') + "\n";
  EXPECT_EQ(live.text(), "● Bash x\n    " + std::string(56, 'a') + "\n    aaaa\n" + row + row +
                             row + row + row + row + "    ...\n");
}

TEST(TerminalView, SaysWhatATurnHasCostSoFar) {
  test::RecordedLines output;
  test::VirtualTerminal terminal{80, 20};
  TerminalViewLook look{.colours = true, .size = [] { return ScreenSize{80, 20}; }};
  look.context_window = [](const std::string&) { return std::int64_t{1000}; };
  look.cost = [](const std::string&, const core::Usage& usage) {
    return static_cast<double>(usage.prompt_tokens) / 1000;
  };
  TerminalView view(output, look);
  const auto say = [&](const core::Event& event) {
    view.on_envelope({.address = {"s"}, .event = event}, platform::SteadyTime() + 1h);
  };
  core::MessageDone reply;
  reply.usage.prompt_tokens = 100;
  say(started());
  say(reply);
  say(core::BackgroundStarted{.task_id = "x", .call_id = "c", .description = "serve"});
  core::UsageUpdated update;
  update.usage.prompt_tokens = 200;
  say(update);
  view.on_time(platform::SteadyTime() + 2h);
  terminal.feed(output.written);
  EXPECT_EQ(terminal.text().substr(terminal.text().find("Working")),
            "Working · 60 min 0 s · Ctrl-C interrupts · 20% of context · $0.30\n");
}

TEST(TerminalView, WhatIsTypedMeanwhileStaysInItsRow) {
  Live live;
  live.say(started());
  live.view.show_typed("one\ntwo\x1b[2J");
  live.look();
  EXPECT_EQ(live.text(), "⠋ Waiting for the model · 0 s · Ctrl-C interrupts\n> one two[2J\n");
}

TEST(TerminalView, TheListOfTasksChangesInPlaceAndStaysAtTheEnd) {
  Live live;
  live.say(started());
  const auto todo = call("TodoWrite", "{}");
  core::TodosChanged changed;
  changed.after = {{"one", core::TodoStatus::in_progress, ""},
                   {"two", core::TodoStatus::pending, ""}};
  live.say(core::ToolCallReady{todo});
  live.say(finished(todo, changed));
  live.wait(40ms);
  EXPECT_EQ(live.text(), "  ◐ one\n  ☐ two\n⠋ Working · 0 s · Ctrl-C interrupts\n");
  changed.after[0].status = core::TodoStatus::completed;
  live.say(core::ToolCallReady{todo});
  live.say(finished(todo, changed));
  live.say(done());
  EXPECT_EQ(live.text(), "  ☑ one\n  ☐ two\n");
}

TEST(TerminalView, NothingMovesWhileAQuestionIsShown) {
  Live live;
  live.say(started());
  live.view.pause();
  live.look();
  EXPECT_EQ(live.text(), "");
  EXPECT_EQ(live.view.wake_at(), std::nullopt);
  live.view.resume();
  live.look();
  EXPECT_EQ(live.text(), "⠋ Waiting for the model · 0 s · Ctrl-C interrupts\n");
}

// A long text that comes in small pieces is not written again and again.
TEST(TerminalView, WritesLittleAtATime) {
  Live live;
  live.say(started());
  std::size_t written = 0;
  std::string all;
  for (int i = 0; i < 2000; ++i) {
    const std::string piece =
        "some words of a long paragraph " + std::to_string(i) + (i % 20 == 19 ? "\n\n" : " ");
    all += piece;
    live.view.on_envelope({.address = {"s"}, .event = core::TextDelta{piece}}, live.now);
    live.now += 5ms;
    live.view.on_time(live.now);
    EXPECT_LT(live.output.written.size(), 4000U);
    written += live.output.written.size();
    live.output.written.clear();
  }
  EXPECT_LT(written, 20 * all.size());
}

}  // namespace
}  // namespace yume::protocol
