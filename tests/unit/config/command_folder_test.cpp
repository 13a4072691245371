// SPDX-License-Identifier: MIT
#include "config/command_folder.h"

#include "support/memory_file_system.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::config {
namespace {

using Source = core::SlashCommandInfo::Source;

std::vector<std::string> names(const std::vector<FoundCommand>& commands) {
  std::vector<std::string> all;
  for (const FoundCommand& one : commands) all.push_back(one.name + (one.is_skill ? "!" : ""));
  return all;
}

TEST(CommandFolder, NamesCommandsByTheirPathAndSkillsByTheirFolder) {
  test::MemoryFileSystem files("/w");
  for (const char* path : {"/w/.claude/commands/fix.md", "/w/.claude/commands/git/fix.md",
                           "/w/.claude/commands/git/hub/pr.md", "/w/.claude/commands/notes.txt",
                           "/w/.claude/commands/.hidden.md", "/w/.claude/commands/with blank.md",
                           "/w/.claude/commands/pdf.md", "/w/.claude/skills/pdf/SKILL.md",
                           "/w/.claude/skills/empty/readme.md", "/w/.claude/skills/SKILL.md"}) {
    files.add_file(path, "text");
  }
  EXPECT_EQ(names(find_commands("/w/.claude", Source::project, files)),
            (std::vector<std::string>{"fix", "git:fix", "git:hub:pr", "pdf!"}));
  EXPECT_TRUE(find_commands("/w/none", Source::user, files).empty());
  EXPECT_TRUE(find_commands("", Source::user, files).empty());
}

TEST(CommandFolder, NotesWhatAProjectsCommandsGrant) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/.claude/commands/a.md", "---\nallowed-tools: Bash(make:*), Read\n---\nx");
  files.add_file("/w/.claude/commands/b.md", "plain");
  auto commands = find_commands("/w/.claude", Source::project, files);
  EXPECT_EQ(note_grants(commands, "/w", files), "in /a allow Bash(make:*)\nin /a allow Read\n");
  EXPECT_EQ(commands.front().granted, (std::vector<std::string>{"Bash(make:*)", "Read"}));
}

TEST(CommandFolder, ReadsNothingThatLiesOutsideOfTheProject) {
  test::MemoryFileSystem files("/w");
  files.add_file("/secret.md", "secret");
  files.add_file("/w/.claude/commands/notes.txt", "");
  files.add_file("/u/.claude/commands/notes.txt", "");
  files.add_symlink("/secret.md", "/w/.claude/commands/a.md");
  files.add_symlink("/secret.md", "/u/.claude/commands/a.md");
  const auto project = find_commands("/w/.claude", Source::project, files);
  ASSERT_EQ(project.size(), 1U);
  EXPECT_EQ(read_command(project.front(), "/w", files), std::nullopt);
  const auto user = find_commands("/u/.claude", Source::user, files);
  ASSERT_EQ(user.size(), 1U);
  EXPECT_EQ(read_command(user.front(), "/w", files)->body, "secret");
}

}  // namespace
}  // namespace yume::config
