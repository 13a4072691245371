// SPDX-License-Identifier: MIT
#include "agent/turn_notes.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::agent {
namespace {

std::string interrupted_after(const gemini::History& past) {
  return note_for_model({.interrupted = true}, past);
}

std::string cut(const std::string& what) {
  return "<system-reminder>The user interrupted the turn before this one: " + what +
         ". Go on with it only as far as the user asks for that now.</system-reminder>";
}

TEST(TurnNotes, SayWhatAnInterruptCutOff) {
  gemini::History past;
  EXPECT_EQ(interrupted_after(past), cut("you had not replied to the message before this one"));
  past.add_user_text("q");
  EXPECT_EQ(interrupted_after(past), cut("you had not replied to the message before this one"));
  past.add_model_parts({R"({"text":"half"})"});
  EXPECT_EQ(interrupted_after(past), cut("your last reply ends where it was cut off"));
  past.add_function_responses({{.call_id = {}, .name = "Bash", .text = "stopped"}});
  EXPECT_EQ(interrupted_after(past),
            cut("you had not replied to the last results of tools, and a call that was not "
                "finished says so in its result"));
}

TEST(TurnNotes, SayNothingWhenThereIsNothing) {
  EXPECT_EQ(note_for_model({}, {}), "");
  EXPECT_EQ(note_for_model(unreported_of({}), {}), "");
}

TEST(TurnNotes, TellEachEndOfACommand) {
  EXPECT_EQ(note_for_model({.interrupted = false, .news = {"One.", "Two."}}, {}),
            "<system-reminder>One.</system-reminder>\n\n<system-reminder>Two.</system-reminder>");
}

TEST(TurnNotes, TellOfCommandsThatEndedWithTheirProcess) {
  core::Conversation past;
  past.interrupted = true;
  past.state.running = {{.id = "bash_7", .title = "serve", .output_file = "/tmp/o"}};
  const Unreported unreported = unreported_of(past);
  EXPECT_TRUE(unreported.interrupted);
  EXPECT_EQ(unreported.news,
            std::vector<std::string>{
                "Background command \"serve\" ran in an earlier process of this session and cannot "
                "be reached any more; its exit code is not known. Its ID was bash_7, its output is "
                "in /tmp/o."});
}

}  // namespace
}  // namespace yume::agent
