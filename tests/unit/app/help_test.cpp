// SPDX-License-Identifier: MIT
#include "app/help.h"

#include "app/argv.h"
#include "app/overflow_files.h"
#include "platform/file_system.h"
#include "support/temporary_directory.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace yume::app {
namespace {

TEST(Help, ShowsEveryFlagThatMeansSomethingAndNoOther) {
  const std::string text = help_text();
  for (const FlagSpec& flag : known_flags()) {
    const bool shown = text.find(" --" + std::string(flag.name) + " ") != std::string::npos;
    EXPECT_EQ(shown, !flag.group.empty()) << flag.name;
    EXPECT_EQ(flag.help.empty(), flag.group.empty()) << flag.name;
  }
}

TEST(Help, IsReadableOnATerminal) {
  std::istringstream lines(help_text());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110U) << line;
}

TEST(Help, KnowsEachFlagOnce) {
  std::set<std::string_view> names;
  std::set<char> letters;
  for (const FlagSpec& flag : known_flags()) {
    EXPECT_TRUE(names.insert(flag.name).second) << flag.name;
    const bool fresh = flag.short_name == '\0' || letters.insert(flag.short_name).second;
    EXPECT_TRUE(fresh) << flag.name;
  }
}

TEST(Version, IsWhatHostsLookFor) {
  const std::string text = version_text();
  EXPECT_TRUE(std::regex_match(
      text, std::regex(R"((2\.[1-9][0-9]*|[3-9])\.[0-9.]+ \(Claude Code\) yume-cli \d+\.\d+\.\d+)"
                       R"( \([a-z]+-(x64|arm64)(, [0-9a-f]{12}(\+changes)?)?\)\n)")))
      << text;
}

TEST(OverflowFiles, KeepsTextUnderANameThatCannotEscape) {
  const test::TemporaryDirectory home;
  const auto files = platform::make_system_file_system();
  OverflowFiles store(*files, home.path() / "a/b");
  const std::filesystem::path kept = store.keep("../../etc/passwd", "text");
  EXPECT_EQ(kept.parent_path(), home.path() / "a/b");
  EXPECT_TRUE(kept.filename().string().starts_with("______etc_passwd-")) << kept;
  EXPECT_EQ(*files->read(kept, 100), "text");
}

TEST(OverflowFiles, SaysNothingWhenItCannotKeepIt) {
  const test::TemporaryDirectory home;
  const auto files = platform::make_system_file_system();
  EXPECT_EQ(OverflowFiles(*files, "").keep("a", "text"), "");
  ASSERT_TRUE(files->replace(home.path() / "file", "in the way").ok());
  EXPECT_EQ(OverflowFiles(*files, home.path() / "file").keep("a", "text"), "");
}

}  // namespace
}  // namespace yume::app
