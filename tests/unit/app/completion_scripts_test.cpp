// SPDX-License-Identifier: MIT
// Whether the scripts work in their shells is tested with those (tests/shells).
#include "app/shells/completion_scripts.h"

#include "app/argv.h"
#include "app/commands/command_table.h"
#include "app/shells/man_page.h"
#include "app/shells/program_grammar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace yume::app {
namespace {

TEST(ProgramGrammar, HasEveryCommand) {
  std::vector<std::string_view> words = first_words();
  std::vector<std::string_view> names = command_names();
  std::sort(words.begin(), words.end());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(words, names);
}

TEST(ProgramGrammar, NamesEachChoiceInTheHelpOfItsFlag) {
  for (const ProgramCommand& command : program_grammar()) {
    for (const FlagSpec& flag : command.flags) {
      for (const std::string_view choice : choices_of(flag)) {
        EXPECT_NE(flag.help.find(choice), std::string_view::npos) << flag.name << ": " << choice;
      }
    }
  }
}

TEST(CompletionScripts, HaveEveryFlagThatIsShown) {
  for (const std::string_view shell : {"bash", "zsh", "fish", "powershell"}) {
    const std::string script = completion_script(shell).value_or("");
    for (const FlagSpec& flag : known_flags()) {
      const std::string dashes = shell == "fish" ? "-l " : "--";
      const bool there = script.find(dashes + std::string(flag.name)) != std::string::npos;
      EXPECT_TRUE(there || flag.group.empty()) << shell << " " << flag.name;
    }
  }
  EXPECT_FALSE(completion_script("csh"));
}

TEST(CompletionScripts, CloseWhatTheyOpenForPowerShell) {
  const std::string script = completion_script("powershell").value_or("");
  const auto count = [&script](char c) { return std::count(script.begin(), script.end(), c); };
  EXPECT_EQ(count('{'), count('}'));
  EXPECT_EQ(count('('), count(')'));
  EXPECT_EQ(count('\'') % 2, 0);
}

TEST(ManPage, HasEveryFlagThatIsShownAndNoLooseRequest) {
  const std::string page = man_page();
  for (const FlagSpec& flag : known_flags()) {
    std::string name = "\\-\\-";
    for (const char c : flag.name) name += c == '-' ? std::string("\\-") : std::string(1, c);
    const bool there = page.find("\\fB" + name + "\\fR") != std::string::npos;
    EXPECT_EQ(there, !flag.group.empty()) << flag.name;
  }
}

}  // namespace
}  // namespace yume::app
