// SPDX-License-Identifier: MIT
#include "agent/instruction_files.h"

#include "support/memory_file_system.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::agent {
namespace {

using platform::FileOwner;

constexpr FileOwner k_root{.is_root = true, .is_self = false, .others_may_write = false};
constexpr FileOwner k_root_for_all{.is_root = true, .is_self = false, .others_may_write = true};
constexpr FileOwner k_stranger{.is_root = false, .is_self = false, .others_may_write = false};
constexpr FileOwner k_stranger_for_all{
    .is_root = false, .is_self = false, .others_may_write = true};

std::vector<InstructionFile> found_in(const platform::FileSystem& files,
                                      const InstructionSearch& search) {
  return find_instructions(search, files).files;
}

std::vector<std::string> paths(const std::vector<InstructionFile>& files) {
  std::vector<std::string> names;
  for (const InstructionFile& file : files) names.push_back(file.path.string());
  return names;
}

TEST(FindInstructions, ListsHomeThenRootDownToTheWorkingDirectory) {
  test::MemoryFileSystem files("/w/app");
  for (const char* path : {"/w/app/AGENTS.md", "/w/app/GEMINI.md", "/w/app/.claude/CLAUDE.md",
                           "/w/app/CLAUDE.md", "/w/CLAUDE.md", "/AGENTS.md", "/home/u/CLAUDE.md",
                           "/w/app/sub/CLAUDE.md", "/w/other/CLAUDE.md", "/w/app/README.md"}) {
    files.add_file(path, path);
  }
  EXPECT_EQ(paths(found_in(files, {.cwd = "/w/app", .home = "/home/u"})),
            (std::vector<std::string>{"/home/u/CLAUDE.md", "/AGENTS.md", "/w/CLAUDE.md",
                                      "/w/app/CLAUDE.md", "/w/app/.claude/CLAUDE.md",
                                      "/w/app/GEMINI.md", "/w/app/AGENTS.md"}));
}

TEST(FindInstructions, TakesHomeOnceWhenItIsAboveTheWorkingDirectory) {
  test::MemoryFileSystem files("/home/u/app");
  files.add_file("/home/u/CLAUDE.md", "home");
  files.add_file("/home/u/app/CLAUDE.md", "app");
  EXPECT_EQ(found_in(files, {.cwd = "/home/u/app", .home = "/home/u"}),
            (std::vector<InstructionFile>{
                {.path = "/home/u/CLAUDE.md", .text = "home", .source = InstructionSource::user},
                {.path = "/home/u/app/CLAUDE.md", .text = "app"}}));
}

TEST(FindInstructions, SkipsWhatIsEmptyBrokenOrNotAFile) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md", "");
  files.add_file("/w/GEMINI.md/x", "a directory");
  files.add_file("/w/AGENTS.md", "kept");
  files.plant_failure("/CLAUDE.md", {.code = ErrorCode::permission_denied, .message = "no"});
  EXPECT_EQ(found_in(files, {.cwd = "/w"}),
            (std::vector<InstructionFile>{{.path = "/w/AGENTS.md", .text = "kept"}}));
}

TEST(FindInstructions, CutsALongFileWithAMarkerAndNoHalfCharacter) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md", std::string(9'999, 'x') + "\xC3\xA9 and more");
  const auto found = found_in(files, {.cwd = "/w"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, std::string(9'999, 'x') + "\n[truncated]");
  files.add_file("/w/CLAUDE.md", std::string(10'000, 'x'));
  EXPECT_EQ(found_in(files, {.cwd = "/w"})[0].text, std::string(10'000, 'x'));
}

TEST(FindInstructions, SpendsTheLimitFromTheNearestFile) {
  test::MemoryFileSystem files("/a/b/c");
  const std::string full(10'000, 'x');
  for (const char* path :
       {"/CLAUDE.md", "/a/CLAUDE.md", "/a/b/CLAUDE.md", "/a/b/c/CLAUDE.md", "/a/b/c/GEMINI.md"}) {
    files.add_file(path, full);
  }
  EXPECT_EQ(found_in(files, {.cwd = "/a/b/c"}),
            (std::vector<InstructionFile>{
                {.path = "/CLAUDE.md", .text = "[left out: over the size limit]"},
                {.path = "/a/CLAUDE.md", .text = std::string(2'000, 'x') + "\n[truncated]"},
                {.path = "/a/b/CLAUDE.md", .text = full},
                {.path = "/a/b/c/CLAUDE.md", .text = full},
                {.path = "/a/b/c/GEMINI.md", .text = full}}));
}

TEST(FindInstructions, TakesAFileAndItsLinkOnce) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/AGENTS.md", "Use tabs.");
  files.add_symlink("AGENTS.md", "/w/CLAUDE.md");
  EXPECT_EQ(found_in(files, {.cwd = "/w"}).size(), 1U);
}

TEST(FindInstructions, NamesAFileThatIsTooLargeToRead) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md", std::string((4U << 20U) + 1, 'x'));
  EXPECT_EQ(found_in(files, {.cwd = "/w"}),
            (std::vector<InstructionFile>{
                {.path = "/w/CLAUDE.md", .text = "[left out: over the size limit]"}}));
}

TEST(FindInstructions, RepairsTextThatIsNotUtf8) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md", "a\xFF");
  EXPECT_EQ(found_in(files, {.cwd = "/w"})[0].text, "a\xEF\xBF\xBD");
}

using Why = LeftOut::Why;

Instructions left_out(const std::string& path, const std::string& reason, Why why = Why::suspect) {
  return {.files = {}, .left_out = {{.path = path, .reason = reason, .why = why}}};
}

TEST(FindInstructions, FollowsALinkInsideItsOwnFolderOnly) {
  test::MemoryFileSystem files("/w");
  files.add_file("/home/u/.ssh/id_rsa", "PRIVATE KEY");
  files.add_file("/w/docs/agents.md", "Use tabs.");
  files.add_symlink("docs/agents.md", "/w/AGENTS.md");
  EXPECT_EQ(
      find_instructions({.cwd = "/w"}, files),
      (Instructions{.files = {{.path = "/w/AGENTS.md", .text = "Use tabs."}}, .left_out = {}}));
  files.add_symlink("/home/u/.ssh/id_rsa", "/w/CLAUDE.md");
  EXPECT_EQ(find_instructions({.cwd = "/w"}, files).left_out,
            left_out("/w/CLAUDE.md", "it is a link to /home/u/.ssh/id_rsa, outside its own folder")
                .left_out);
}

TEST(FindInstructions, FollowsNoLinkedFolderOutOfTheTree) {
  test::MemoryFileSystem files("/w");
  files.add_file("/elsewhere/CLAUDE.md", "from elsewhere");
  files.add_symlink("/elsewhere", "/w/.claude");
  EXPECT_EQ(find_instructions({.cwd = "/w"}, files),
            left_out("/w/.claude/CLAUDE.md",
                     "it is a link to /elsewhere/CLAUDE.md, outside its own folder"));
}

TEST(FindInstructions, ASiblingWithTheSameBeginningIsOutside) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w-secret/x", "secret");
  files.add_symlink("/w-secret/x", "/w/CLAUDE.md");
  EXPECT_TRUE(found_in(files, {.cwd = "/w"}).empty());
}

TEST(FindInstructions, TakesAHomeThatIsItselfALink) {
  test::MemoryFileSystem files("/w");
  files.add_file("/data/u/CLAUDE.md", "Be brief.");
  files.add_symlink("/data/u", "/home/u");
  EXPECT_EQ(
      found_in(files, {.cwd = "/w", .home = "/home/u"}),
      (std::vector<InstructionFile>{
          {.path = "/home/u/CLAUDE.md", .text = "Be brief.", .source = InstructionSource::user}}));
}

TEST(FindInstructions, TakesFilesOfThisUserAndOfRootAlone) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md", "root's");
  files.set_owner("/w/CLAUDE.md", k_root);
  EXPECT_EQ(found_in(files, {.cwd = "/w"}).size(), 1U);
  files.set_owner("/w/CLAUDE.md", k_stranger);
  EXPECT_EQ(find_instructions({.cwd = "/w"}, files),
            left_out("/w/CLAUDE.md", "it belongs to another user"));
}

TEST(FindInstructions, TakesNothingFromAFolderThatAnotherUserOpenedForEverybody) {
  test::MemoryFileSystem files("/shared/w");
  files.add_file("/shared/CLAUDE.md", "mine");
  files.set_owner("/shared", k_stranger);
  EXPECT_EQ(found_in(files, {.cwd = "/shared/w"}).size(), 1U);
  files.set_owner("/shared", k_stranger_for_all);
  EXPECT_EQ(find_instructions({.cwd = "/shared/w"}, files),
            left_out("/shared/CLAUDE.md",
                     "everybody can write to its folder, which belongs to another user"));
}

TEST(FindInstructions, TakesFromAFolderForEverybodyWhatNobodyElseCouldHavePutThere) {
  test::MemoryFileSystem files("/tmp/w");
  files.set_owner("/tmp", k_root_for_all);
  files.add_file("/tmp/CLAUDE.md", "mine");
  EXPECT_EQ(found_in(files, {.cwd = "/tmp/w"}).size(), 1U);
  files.set_owner("/tmp/CLAUDE.md", k_stranger);
  EXPECT_EQ(find_instructions({.cwd = "/tmp/w"}, files),
            left_out("/tmp/CLAUDE.md", "it belongs to another user"));
  files.set_owner("/tmp/CLAUDE.md", FileOwner{});
  files.set_hard_links("/tmp/CLAUDE.md", 2);
  EXPECT_EQ(
      find_instructions({.cwd = "/tmp/w"}, files),
      left_out("/tmp/CLAUDE.md", "it has a second name, and everybody can write to its folder"));
}

TEST(FindInstructions, AsksAboutEveryNameOfAFile) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/keys/private", "PRIVATE KEY");
  files.add_symlink("keys/private", "/w/CLAUDE.md");
  for (const char* closed : {"/w/CLAUDE.md", "/w/keys/private"}) {
    EXPECT_EQ(find_instructions(
                  {.cwd = "/w",
                   .hides = [closed](const std::filesystem::path& name) { return name == closed; }},
                  files),
              left_out("/w/CLAUDE.md", "reading it is not allowed", Why::hidden))
        << closed;
  }
}

TEST(FindInstructions, SaysWhatCouldNotBeRead) {
  test::MemoryFileSystem files("/w");
  files.add_other("/w/CLAUDE.md");
  EXPECT_EQ(find_instructions({.cwd = "/w"}, files),
            left_out("/w/CLAUDE.md", "cannot read /w/CLAUDE.md: not a regular file"));
}

TEST(FindInstructions, AddsWhatAFileImportsBehindIt) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md",
                 "See @docs/style.md, @none.md and me@example.org. `@docs/code.md`");
  files.add_file("/w/docs/style.md", "@more.md\n@../CLAUDE.md");
  files.add_file("/w/docs/more.md", "more");
  files.add_file("/w/docs/code.md", "not imported");
  files.add_file("/w/AGENTS.md", "last");
  EXPECT_EQ(paths(found_in(files, {.cwd = "/w"})),
            (std::vector<std::string>{"/w/CLAUDE.md", "/w/docs/style.md", "/w/docs/more.md",
                                      "/w/AGENTS.md"}));
}

TEST(FindInstructions, ImportsNoDeeperThanFive) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md", "@1");
  for (int i = 1; i < 9; ++i) {
    files.add_file("/w/" + std::to_string(i), "@" + std::to_string(i + 1));
  }
  EXPECT_EQ(paths(found_in(files, {.cwd = "/w"})),
            (std::vector<std::string>{"/w/CLAUDE.md", "/w/1", "/w/2", "/w/3", "/w/4", "/w/5"}));
}

TEST(FindInstructions, ImportsOnlyFromTheFolderOfTheFile) {
  test::MemoryFileSystem files("/w");
  files.add_file("/home/u/key.md", "secret");
  files.add_file("/home/u/CLAUDE.md", "@~/mine.md");
  files.add_file("/home/u/mine.md", "mine");
  files.add_file("/w/CLAUDE.md", "@~/key.md");
  const Instructions found = find_instructions({.cwd = "/w", .home = "/home/u"}, files);
  EXPECT_EQ(paths(found.files),
            (std::vector<std::string>{"/home/u/CLAUDE.md", "/home/u/mine.md", "/w/CLAUDE.md"}));
  EXPECT_EQ(
      found.left_out,
      (std::vector<LeftOut>{{.path = "/home/u/key.md",
                             .reason = "it lies outside of the folder whose file names it"}}));
}

}  // namespace
}  // namespace yume::agent
