// SPDX-License-Identifier: MIT
#include "protocol/terminal/terminal_host.h"

#include "support/recorded_lines.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yume::protocol {
namespace {

using Strings = std::vector<std::string>;

// A keyboard that remembers what was wanted of it, and what was on the screen then.
class Keyboard final : public TypedInput {
 public:
  explicit Keyboard(const std::string& screen) : screen_(screen) {}

  void discard() override { wanted.emplace_back("discard"); }
  void expect(std::string_view question_id) override {
    wanted.push_back("expect " + std::string(question_id));
    shown_when_expected = screen_;
  }
  void stop() override { wanted.emplace_back("stop"); }

  Strings take() { return std::exchange(wanted, {}); }

  Strings wanted;
  std::string shown_when_expected;

 private:
  const std::string& screen_;
};

struct Scene {
  std::optional<core::HostAnswer> type(const std::string& id, std::optional<std::string> text) {
    return host.take_typed({.question_id = id, .text = std::move(text)});
  }
  void ask(const std::string& id, const core::MayRun& question) { host.ask(id, {}, question); }
  // What was shown since the last call.
  std::string shown() { return std::exchange(output.written, {}); }

  test::RecordedLines output;
  Keyboard keyboard{output.written};
  TerminalHost host{
      output, {.colours = false, .animation = Screen::Animation::unwanted}, &keyboard};
};

core::MayRun to_run(const std::string& command_json) {
  return {.call = {.id = "b1", .name = "Bash", .input = {R"({"command":)" + command_json + "}"}},
          .reason = "for hosts",
          .why = "no rule covers: make",
          .suggestions = {core::RulesUpdate{
              .rules = {"Bash(make)"}, .destination = core::UpdateDestination::local_settings}}};
}

core::HostAnswer refused_because(const std::string& reason) {
  return core::HostDenies{.message =
                              "The user does not want this call to run, and says why: " + reason};
}

bool is_plain_no(const std::optional<core::HostAnswer>& answer) {
  const auto* denies = answer ? std::get_if<core::HostDenies>(&*answer) : nullptr;
  return denies != nullptr && !denies->interrupt &&
         denies->message.starts_with("The user does not want this call to run. ");
}

TEST(TerminalHost, ShowsTheWholeCommandWhyItIsAskedAndTheChoices) {
  Scene scene;
  scene.ask("q1", to_run(R"("make \\\n  all\n","run_in_background":true)"));
  EXPECT_EQ(scene.shown(),
            "The model wants to run this command:\n"
            "  make \\\n"
            "    all\n"
            "  run_in_background: true\n"
            "Why this is asked: no rule covers: make\n"
            "  y  yes, once\n"
            "  a  yes, and for the rest of this session: allow Bash(make)\n"
            "  n  no\n"
            "  e  no, and say why\n"
            "Allow it? [y/a/n/e] ");
}

// The end of the reasoning is in the order: what was typed goes before the prompt is shown, and a
// line is expected only after.
TEST(TerminalHost, ReadsNothingThatWasTypedBeforeThePrompt) {
  Scene scene;
  scene.ask("q1", to_run(R"("make")"));
  EXPECT_EQ(scene.keyboard.take(), (Strings{"discard", "expect q1"}));
  EXPECT_TRUE(scene.keyboard.shown_when_expected.ends_with("[y/a/n/e] "));
  EXPECT_EQ(scene.type("another", "y"), std::nullopt);
  EXPECT_EQ(scene.keyboard.take(), Strings{});
}

TEST(TerminalHost, AllowsOnce) {
  for (const char* yes : {"y", "yes", " Y \r", "YES", "\x1b[Dy"}) {
    Scene scene;
    scene.ask("q1", to_run(R"("make")"));
    EXPECT_EQ(scene.type("q1", yes), core::HostAnswer(core::HostAllows{})) << yes;
    EXPECT_EQ(scene.type("q1", yes), std::nullopt) << "it is answered";
  }
}

TEST(TerminalHost, AllowsAlwaysForThisSessionOnly) {
  Scene scene;
  scene.ask("q1", to_run(R"("make")"));
  EXPECT_EQ(scene.type("q1", "a"),
            core::HostAnswer(core::HostAllows{
                .updates = {core::RulesUpdate{.rules = {"Bash(make)"},
                                              .destination = core::UpdateDestination::session}}}));
}

TEST(TerminalHost, DoesNotOfferAlwaysWhenThereIsNothingToSay) {
  Scene scene;
  core::MayRun question = to_run(R"("rm -rf /")");
  question.suggestions.clear();
  scene.ask("q1", question);
  const std::string shown = scene.shown();
  EXPECT_EQ(shown.find("  a  "), std::string::npos);
  EXPECT_TRUE(shown.ends_with("Allow it? [y/n/e] "));
  EXPECT_EQ(scene.type("q1", "a"), std::nullopt);
  EXPECT_EQ(scene.shown(), "Please type one of these letters. [y/n/e] ");
}

TEST(TerminalHost, SaysWhatAlwaysMeans) {
  const auto always = [](core::PermissionUpdate update) {
    Scene scene;
    core::MayRun question = to_run(R"("make")");
    question.suggestions = {std::move(update)};
    scene.ask("q1", question);
    const std::string shown = scene.shown();
    const std::size_t from = shown.find("session: ") + 9;
    return shown.substr(from, shown.find('\n', from) - from);
  };
  EXPECT_EQ(always(core::ModeUpdate{.mode = core::PermissionMode::accept_edits}),
            "the mode acceptEdits (edits, mkdir, touch, mv, cp, rm and rmdir inside the working "
            "directories)");
  EXPECT_EQ(always(core::DirectoriesUpdate{.directories = {"/a", "/b"}}),
            "count /a, /b as a working directory");
  EXPECT_EQ(always(core::RulesUpdate{.rules = {"Bash(a\x1b[8m)"}}), "allow Bash(a<U+001B>[8m)");
}

TEST(TerminalHost, Refuses) {
  Scene scene;
  for (const char* no : {"n", "no", "N"}) {
    scene.ask("q1", to_run(R"("make")"));
    EXPECT_TRUE(is_plain_no(scene.type("q1", no))) << no;
  }
}

TEST(TerminalHost, TakesTheEndOfInputForANo) {
  Scene scene;
  scene.ask("q1", to_run(R"("make")"));
  scene.shown();
  EXPECT_TRUE(is_plain_no(scene.type("q1", std::nullopt)));
  EXPECT_EQ(scene.shown(), "\n") << "the terminal has not ended the line";
}

TEST(TerminalHost, TellsTheModelWhy) {
  Scene scene;
  scene.ask("q1", to_run(R"("make")"));
  scene.shown();
  scene.keyboard.take();
  EXPECT_EQ(scene.type("q1", "e"), std::nullopt);
  EXPECT_EQ(scene.shown(), "Why not? ");
  EXPECT_EQ(scene.keyboard.take(), Strings{"expect q1"}) << "nothing is discarded in between";
  EXPECT_EQ(scene.type("q1", " use \x1b[200~ninja\x1b[201~ "), refused_because("use ninja"));
}

TEST(TerminalHost, TakesAnEmptyReasonForNone) {
  for (const auto& reason : {std::optional<std::string>(" "), std::optional<std::string>()}) {
    Scene scene;
    scene.ask("q1", to_run(R"("make")"));
    EXPECT_EQ(scene.type("q1", "e"), std::nullopt);
    EXPECT_TRUE(is_plain_no(scene.type("q1", reason)));
  }
}

TEST(TerminalHost, AsksAgainForAnythingElse) {
  Scene scene;
  scene.ask("q1", to_run(R"("make")"));
  scene.shown();
  scene.keyboard.take();
  for (const char* other : {"", "maybe", "yn", "always", "y y"}) {
    EXPECT_EQ(scene.type("q1", other), std::nullopt) << other;
    EXPECT_EQ(scene.shown(), "Please type one of these letters. [y/a/n/e] ") << other;
    EXPECT_EQ(scene.keyboard.take(), (Strings{"discard", "expect q1"})) << other;
  }
  EXPECT_EQ(scene.type("q1", "y"), core::HostAnswer(core::HostAllows{}));
}

TEST(TerminalHost, SpellsOutWhatATerminalWouldObeyOrHide) {
  Scene scene;
  scene.ask("q1", to_run(R"("rm -rf x\r\u001b[2K\u001b]0;t\u0007ls\u202e #\u200b\u009b")"));
  const std::string shown = scene.shown();
  EXPECT_NE(shown.find("  rm -rf x<U+000D><U+001B>[2K<U+001B>]0;t<U+0007>ls<U+202E> "
                       "#<U+200B><U+009B>\n"),
            std::string::npos)
      << shown;
  EXPECT_EQ(shown.find('\x1b'), std::string::npos);
}

TEST(TerminalHost, ShowsWhatAFileWouldBecome) {
  Scene scene;
  core::MayRun question{.call = {.id = "e1", .name = "Edit", .input = {"{}"}}};
  question.change = core::FileChange{.path = "/w/a",
                                     .real_path = "/w/a",
                                     .patch = {{.old_start = 1,
                                                .old_lines = 2,
                                                .new_start = 1,
                                                .new_lines = 2,
                                                .lines = {" same", "-old \x1b[1m", "+new"}}}};
  scene.ask("q1", question);
  EXPECT_TRUE(
      scene.shown().starts_with("The model wants to change /w/a:\n"
                                "@@ -1,2 +1,2 @@\n"
                                " same\n"
                                "-old <U+001B>[1m\n"
                                "+new\n"
                                "  y  yes, once\n"));
}

TEST(TerminalHost, SaysWhereALinkLeadsAndWhatIsNew) {
  const auto first_lines = [](core::FileChange change) {
    Scene scene;
    core::MayRun question{.call = {.id = "e1", .name = "Write", .input = {"{}"}}};
    question.change = std::move(change);
    scene.ask("q1", question);
    const std::string shown = scene.shown();
    return shown.substr(0, shown.find("  y  "));
  };
  EXPECT_EQ(first_lines({.path = "/w/a", .real_path = "/etc/a", .creates = true}),
            "The model wants to create /w/a, which is /etc/a:\n  an empty file\n");
  EXPECT_EQ(first_lines({.path = "/w/a", .real_path = "/w/a"}),
            "The model wants to change /w/a:\n  its content stays the same\n");
  EXPECT_EQ(
      first_lines({.path = "/w/a", .real_path = "/w/a", .patch = {{.lines = {"-a\r", "+b\r"}}}}),
      "The model wants to change /w/a:\n@@ -0,0 +0,0 @@\n-a\n+b\n")
      << "every line has it";
  EXPECT_EQ(
      first_lines({.path = "/w/a", .real_path = "/w/a", .patch = {{.lines = {"-a\r", "+a"}}}}),
      "The model wants to change /w/a:\n@@ -0,0 +0,0 @@\n-a<U+000D>\n+a\n");
}

TEST(TerminalHost, ColoursADifferenceWhereCodesAreWanted) {
  test::RecordedLines output;
  Keyboard keyboard(output.written);
  TerminalHost host(output, {.animation = Screen::Animation::unwanted}, &keyboard);
  core::MayRun question{.call = {.id = "e1", .name = "Edit", .input = {"{}"}}};
  question.change =
      core::FileChange{.path = "/a", .real_path = "/a", .patch = {{.lines = {"-a", "+b"}}}};
  host.ask("q1", {}, question);
  EXPECT_NE(output.written.find("\x1b[31m-a\x1b[0m\n\x1b[32m+b\x1b[0m\n"), std::string::npos);
}

TEST(TerminalHost, ShowsEveryFieldOfOtherCalls) {
  Scene scene;
  scene.ask("q1",
            {.call = {.id = "f1",
                      .name = "WebFetch",
                      .input = {R"({"url":"https://a.example","prompt":"one\ntwo","n":[1]})"}}});
  EXPECT_TRUE(
      scene.shown().starts_with("The model wants to use WebFetch:\n"
                                "  url: https://a.example\n"
                                "  prompt:\n"
                                "    one\n"
                                "    two\n"
                                "  n: [1]\n"));
}

TEST(TerminalHost, AsksOneAfterTheOther) {
  Scene scene;
  scene.ask("q1", to_run(R"("one")"));
  scene.shown();
  scene.ask("q2", to_run(R"("two")"));
  EXPECT_EQ(scene.shown(), "");
  EXPECT_EQ(scene.type("q2", "y"), std::nullopt) << "it has not been shown";
  scene.keyboard.take();
  EXPECT_EQ(scene.type("q1", "y"), core::HostAnswer(core::HostAllows{}));
  EXPECT_NE(scene.shown().find("  two\n"), std::string::npos);
  EXPECT_EQ(scene.keyboard.take(), (Strings{"discard", "discard", "expect q2"}));
  EXPECT_EQ(scene.type("q2", "y"), core::HostAnswer(core::HostAllows{}));
}

TEST(TerminalHost, SaysThatAQuestionWasWithdrawn) {
  Scene scene;
  scene.ask("q1", to_run(R"("one")"));
  scene.ask("q2", to_run(R"("two")"));
  scene.ask("q3", to_run(R"("three")"));
  scene.shown();
  scene.host.withdraw("q2");
  EXPECT_EQ(scene.shown(), "") << "nobody has seen it";
  scene.keyboard.take();
  scene.host.withdraw("q1");
  const std::string shown = scene.shown();
  EXPECT_TRUE(shown.starts_with("\nthe question was withdrawn\nThe model wants")) << shown;
  EXPECT_NE(shown.find("  three\n"), std::string::npos);
  EXPECT_EQ(scene.keyboard.take(), (Strings{"stop", "discard", "expect q3"}));
  EXPECT_EQ(scene.type("q1", "y"), std::nullopt);
  scene.host.withdraw("q1");
  EXPECT_EQ(scene.shown(), "");
}

TEST(TerminalHost, BeginsAQuestionOnALineOfItsOwn) {
  Scene scene;
  scene.host.write({.address = {}, .event = core::TextDelta{"Let me see"}}, {});
  scene.ask("q1", to_run(R"("make")"));
  EXPECT_TRUE(scene.shown().starts_with("Let me see\nThe model wants"));
  EXPECT_NE(scene.type("q1", "y"), std::nullopt);
  scene.host.write({.address = {}, .event = core::Notice{"next"}}, {});
  EXPECT_EQ(scene.shown(), "next\n") << "the Enter key has ended the line";
}

core::MayRun to_choose(const std::string& questions) {
  return {.call = {.id = "a1",
                   .name = "AskUserQuestion",
                   .input = {R"({"questions":)" + questions + "}"}},
          .needs_person = true};
}

constexpr const char* k_colours =
    R"({"question":"Which colour?","header":"Colour","multiSelect":false,"options":)"
    R"([{"label":"Red","description":"warm"},{"label":"Blue","description":""}]})";
constexpr const char* k_parts =
    R"({"question":"Which parts?","header":"Parts","multiSelect":true,"options":)"
    R"([{"label":"A","description":""},{"label":"B","description":""}]})";

std::string answers_in(const std::optional<core::HostAnswer>& answer) {
  const auto* allows = answer ? std::get_if<core::HostAllows>(&*answer) : nullptr;
  if (allows == nullptr || !allows->input) return "none";
  const std::size_t from = allows->input->text.find(R"("answers":)");
  return allows->input->text.substr(from);
}

TEST(TerminalHost, LetsAPersonChooseByNumber) {
  Scene scene;
  scene.ask("q1", to_choose("[" + std::string(k_colours) + "," + k_parts + "]"));
  EXPECT_EQ(scene.shown(), "Which colour?\n  1  Red: warm\n  2  Blue\nNumber, or your own words: ");
  EXPECT_EQ(scene.type("q1", "3"), std::nullopt);
  EXPECT_EQ(scene.shown(), "There is no such option. Number, or your own words: ");
  EXPECT_EQ(scene.type("q1", "2"), std::nullopt);
  EXPECT_EQ(scene.shown(), "Which parts?\n  1  A\n  2  B\nNumbers, or your own words: ");
  EXPECT_EQ(answers_in(scene.type("q1", "1, 2")),
            R"("answers":{"Which colour?":"Blue","Which parts?":"A, B"}})");
}

TEST(TerminalHost, TakesOwnWordsForAnAnswer) {
  Scene scene;
  scene.ask("q1", to_choose("[" + std::string(k_colours) + "]"));
  EXPECT_EQ(scene.type("q1", "  "), std::nullopt);
  EXPECT_EQ(answers_in(scene.type("q1", " 2 shades of green ")),
            R"("answers":{"Which colour?":"2 shades of green"}})");
  scene.ask("q2", to_choose("[" + std::string(k_colours) + "]"));
  EXPECT_EQ(
      scene.type("q2", std::nullopt),
      core::HostAnswer(core::HostDenies{.message = "The user did not answer the questions."}));
}

TEST(TerminalHost, ShowsAPlanAndLetsItBeApproved) {
  Scene scene;
  core::MayRun question{
      .call = {.id = "p1", .name = "ExitPlanMode", .input = {R"({"plan":"1. a\n2. b"})"}},
      .needs_person = true};
  scene.ask("q1", question);
  EXPECT_EQ(scene.shown(),
            "The model has this plan:\n  1. a\n  2. b\n  y  yes\n  n  no\n  e  no, and say why\n"
            "Allow it? [y/n/e] ");
  EXPECT_EQ(scene.type("q1", "y"), core::HostAnswer(core::HostAllows{}));
}

}  // namespace
}  // namespace yume::protocol
