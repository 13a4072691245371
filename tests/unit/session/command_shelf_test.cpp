// SPDX-License-Identifier: MIT
#include "session/commands/command_shelf.h"

#include "session/commands/slash_commands.h"
#include "support/memory_file_system.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::session {
namespace {

using Source = core::SlashCommandInfo::Source;
using Strings = std::vector<std::string>;

class CommandShelfTest : public testing::Test {
 protected:
  CommandShelfTest() {
    files_.add_file("/u/.claude/commands/help.md", "never");
    files_.add_file("/u/.claude/commands/mine.md", "mine");
    files_.add_file("/w/.claude/commands/mine.md", "not this");
    files_.add_file("/w/.claude/commands/theirs.md", "theirs");
    files_.add_file("/w/.claude/skills/pdf/SKILL.md",
                    "---\ndescription: Reads\n---\nUse $1 !`date`");
    files_.add_file("/w/.claude/skills/quiet/SKILL.md",
                    "---\ndisable-model-invocation: true\n---\nx");
  }

  CommandShelf shelf(bool trusted, bool enabled = true) {
    return {{.enabled = enabled,
             .user_folder = "/u/.claude",
             .project = config::find_commands("/w/.claude", Source::project, files_),
             .project_trusted = trusted},
            "/w",
            files_};
  }
  // Without ours.
  static Strings own_names(const CommandShelf& shelf) {
    const Strings all = shelf.names();
    return {all.begin() + static_cast<std::ptrdiff_t>(builtin_commands().size()), all.end()};
  }

  test::MemoryFileSystem files_{"/w"};
};

TEST_F(CommandShelfTest, HasOursThenTheUsersThenTheProjects) {
  const CommandShelf all = shelf(true);
  EXPECT_EQ(own_names(all), (Strings{"mine", "pdf", "quiet", "theirs"}));
  EXPECT_EQ(all.skill_names(), (Strings{"pdf", "quiet"}));
  ASSERT_NE(all.find("mine"), nullptr);
  EXPECT_EQ(all.read(*all.find("mine"))->body, "mine");
  EXPECT_EQ(all.find("help"), nullptr);
  EXPECT_FALSE(all.is_untrusted("theirs"));
}

TEST_F(CommandShelfTest, LeavesOutTheProjectsWhereTheFolderIsNotTrusted) {
  const CommandShelf own = shelf(false);
  EXPECT_EQ(own_names(own), Strings{"mine"});
  EXPECT_TRUE(own.skill_names().empty());
  EXPECT_TRUE(own.is_untrusted("theirs"));
  EXPECT_FALSE(own.is_untrusted("mine"));
}

TEST_F(CommandShelfTest, CanBeSwitchedOff) {
  const CommandShelf none = shelf(true, false);
  EXPECT_TRUE(none.names().empty());
  EXPECT_TRUE(none.all().empty());
  EXPECT_EQ(none.find("mine"), nullptr);
}

TEST_F(CommandShelfTest, GivesTheModelItsSkillsAndRunsNothingInThem) {
  const CommandShelf all = shelf(true);
  const auto skills = all.skills();
  ASSERT_EQ(skills.size(), 1U);
  EXPECT_EQ(skills.front().name, "pdf");
  EXPECT_EQ(skills.front().description, "Reads");
  EXPECT_EQ(all.open("pdf", "a.pdf")->text,
            "Base directory for this skill: /w/.claude/skills/pdf\n\nUse a.pdf !`date`");
  EXPECT_FALSE(all.open("quiet", ""));
  EXPECT_FALSE(all.open("mine", ""));
}

}  // namespace
}  // namespace yume::session
