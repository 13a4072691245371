// SPDX-License-Identifier: MIT
#include "agent/system_prompt.h"

#include "agent/prompt_texts.h"
#include "support/fake_clock.h"
#include "support/memory_file_system.h"
#include "util/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::agent {
namespace {

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
  EXPECT_EQ(paths(find_instructions("/w/app", "/home/u", files)),
            (std::vector<std::string>{"/home/u/CLAUDE.md", "/AGENTS.md", "/w/CLAUDE.md",
                                      "/w/app/CLAUDE.md", "/w/app/.claude/CLAUDE.md",
                                      "/w/app/GEMINI.md", "/w/app/AGENTS.md"}));
}

TEST(FindInstructions, TakesHomeOnceWhenItIsAboveTheWorkingDirectory) {
  test::MemoryFileSystem files("/home/u/app");
  files.add_file("/home/u/CLAUDE.md", "home");
  files.add_file("/home/u/app/CLAUDE.md", "app");
  EXPECT_EQ(find_instructions("/home/u/app", "/home/u", files),
            (std::vector<InstructionFile>{{.path = "/home/u/CLAUDE.md", .text = "home"},
                                          {.path = "/home/u/app/CLAUDE.md", .text = "app"}}));
}

TEST(FindInstructions, SkipsWhatIsEmptyBrokenOrNotAFile) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md", "");
  files.add_file("/w/GEMINI.md/x", "a directory");
  files.add_file("/w/AGENTS.md", "kept");
  files.plant_failure("/CLAUDE.md", {.code = ErrorCode::permission_denied, .message = "no"});
  EXPECT_EQ(find_instructions("/w", "", files),
            (std::vector<InstructionFile>{{.path = "/w/AGENTS.md", .text = "kept"}}));
}

TEST(FindInstructions, CutsALongFileWithAMarkerAndNoHalfCharacter) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md", std::string(9'999, 'x') + "\xC3\xA9 and more");
  const auto found = find_instructions("/w", "", files);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text, std::string(9'999, 'x') + "\n[truncated]");
  files.add_file("/w/CLAUDE.md", std::string(10'000, 'x'));
  EXPECT_EQ(find_instructions("/w", "", files)[0].text, std::string(10'000, 'x'));
}

TEST(FindInstructions, SpendsTheLimitFromTheNearestFile) {
  test::MemoryFileSystem files("/a/b/c");
  const std::string full(10'000, 'x');
  for (const char* path :
       {"/CLAUDE.md", "/a/CLAUDE.md", "/a/b/CLAUDE.md", "/a/b/c/CLAUDE.md", "/a/b/c/GEMINI.md"}) {
    files.add_file(path, full);
  }
  EXPECT_EQ(find_instructions("/a/b/c", "", files),
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
  EXPECT_EQ(find_instructions("/w", "", files).size(), 1U);
}

TEST(FindInstructions, NamesAFileThatIsTooLargeToRead) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md", std::string((4U << 20U) + 1, 'x'));
  EXPECT_EQ(find_instructions("/w", "", files),
            (std::vector<InstructionFile>{
                {.path = "/w/CLAUDE.md", .text = "[left out: over the size limit]"}}));
}

TEST(FindInstructions, RepairsTextThatIsNotUtf8) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md", "a\xFF");
  EXPECT_EQ(find_instructions("/w", "", files)[0].text, "a\xEF\xBF\xBD");
}

PromptSettings settings() {
  PromptSettings made;
  made.cwd = "/w";
  made.home = "/home/u";
  made.os_name = "Linux 6.1 (x86_64)";
  return made;
}

TEST(MakeSystemPrompt, HoldsIdentityPlaceDateModeAndInstructions) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md", "Use tabs.");
  const std::string prompt = make_system_prompt(settings(), files, test::FakeClock().wall_now());
  EXPECT_EQ(
      prompt,
      std::string(prompt_text("system_prompt")) +
          "\n\nEnvironment:\n- Working directory: /w\n- Operating system: Linux 6.1 "
          "(x86_64)\n- Date: 2023-11-14\n- Permissions: Some actions may be refused; the "
          "result of the call then says why.\n\nInstructions from /w/CLAUDE.md:\nUse tabs.\n");
  EXPECT_FALSE(prompt_text("system_prompt").empty());
}

TEST(MakeSystemPrompt, PadsTheDate) {
  const test::MemoryFileSystem files("/w");
  const platform::WallTime day(std::chrono::sys_days(std::chrono::year(2026) / 3 / 7));
  EXPECT_NE(make_system_prompt(settings(), files, day).find("- Date: 2026-03-07\n"),
            std::string::npos);
}

TEST(MakeSystemPrompt, NamesEachModeDifferently) {
  const test::MemoryFileSystem files("/w");
  std::vector<std::string> seen;
  for (const auto mode :
       {core::PermissionMode::default_mode, core::PermissionMode::accept_edits,
        core::PermissionMode::plan, core::PermissionMode::bypass, core::PermissionMode::dont_ask}) {
    PromptSettings with_mode = settings();
    with_mode.mode = mode;
    const std::string prompt = make_system_prompt(with_mode, files, {});
    for (const std::string& other : seen) EXPECT_NE(prompt, other);
    seen.push_back(prompt);
  }
}

TEST(MakeSystemPrompt, IsReplacedWholeEvenByNothing) {
  test::MemoryFileSystem files("/w");
  files.add_file("/w/CLAUDE.md", "Use tabs.");
  PromptSettings replaced = settings();
  replaced.replacement = "Be a parrot.";
  EXPECT_EQ(make_system_prompt(replaced, files, {}), "Be a parrot.");
  replaced.replacement = "";
  EXPECT_EQ(make_system_prompt(replaced, files, {}), "");
}

TEST(MakeSystemPrompt, TakesTheHostsAddition) {
  const test::MemoryFileSystem files("/w");
  PromptSettings added = settings();
  added.appended = "And be brief.";
  EXPECT_EQ(make_system_prompt(added, files, {}),
            make_system_prompt(settings(), files, {}) + "\n\nAnd be brief.");
  added.replacement = "";
  EXPECT_EQ(make_system_prompt(added, files, {}), "And be brief.");
}

}  // namespace
}  // namespace yume::agent
