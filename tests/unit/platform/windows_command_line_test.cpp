// SPDX-License-Identifier: MIT
#include "platform/windows_command_line.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::platform {
namespace {

// What CommandLineToArgvW and the C runtime make of a line, written down a second time.
std::vector<std::string> taken_apart(const std::string& line) {
  std::vector<std::string> argv;
  std::size_t at = line.find('"', 1);
  argv.push_back(line.substr(1, at - 1));  // the program's own name is always in quotes here
  for (++at; at < line.size();) {
    if (line[at] == ' ' || line[at] == '\t') {
      ++at;
      continue;
    }
    std::string argument;
    bool quoted = false;
    for (; at < line.size() && (quoted || (line[at] != ' ' && line[at] != '\t')); ++at) {
      std::size_t backslashes = 0;
      for (; at < line.size() && line[at] == '\\'; ++at) ++backslashes;
      const bool before_quote = at < line.size() && line[at] == '"';
      argument.append(before_quote ? backslashes / 2 : backslashes, '\\');
      if (before_quote && backslashes % 2 == 0) {
        quoted = !quoted;
      } else if (at < line.size() && (quoted || (line[at] != ' ' && line[at] != '\t'))) {
        argument += line[at];
      } else {
        break;
      }
    }
    argv.push_back(argument);
  }
  return argv;
}

TEST(WindowsCommandLine, IsTakenApartIntoTheSameArguments) {
  // Every text of up to five of these, alone and between others.
  const std::string letters = "a \"\\\t";
  std::vector<std::string> texts = {""};
  for (std::size_t first = 0, length = 1; length <= 5; ++length) {
    const std::size_t end = texts.size();
    for (; first < end; ++first) {
      for (const char c : letters) texts.push_back(texts[first] + c);
    }
  }
  ASSERT_EQ(texts.size(), 3906U);
  for (const std::string& text : texts) {
    const std::vector<std::string> argv = {R"(C:\a b\x.exe)", text, "last\\", text};
    ASSERT_EQ(taken_apart(windows_command_line(argv)), argv) << text;
  }
}

TEST(WindowsCommandLine, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(windows_command_line({R"(C:\x.exe)", "-a", R"(C:\b\)", "c d", "", "é"}),
            R"("C:\x.exe" -a C:\b\ "c d" "" é)");
  EXPECT_EQ(windows_command_line({"x.exe", "say \"hi\"", R"(end here\)"}),
            R"("x.exe" "say \"hi\"" "end here\\")");
}

TEST(WindowsCommandLine, LeavesCmdItsCommand) {
  EXPECT_EQ(windows_command_line({R"(C:\Windows\System32\CMD.EXE)", "/d", "/s", "/c",
                                  R"("C:\a b\x.exe" "y" & echo \"z\")"}),
            R"("C:\Windows\System32\CMD.EXE" /d /s /c ""C:\a b\x.exe" "y" & echo \"z\"")");
  EXPECT_EQ(windows_command_line({R"(C:\x.exe)", "/c", "a \"b\""}), R"("C:\x.exe" /c "a \"b\"")");
}

TEST(WindowsPath, KnowsAbsoluteOnes) {
  for (const char* path : {R"(C:\x)", "c:/x", R"(\\server\share\x)", R"(\\?\C:\x)"}) {
    EXPECT_TRUE(is_absolute_windows_path(path)) << path;
  }
  for (const char* path : {"", "x", R"(\x)", "C:x", "C:", R"(.\x)", "1:\\x", "/x"}) {
    EXPECT_FALSE(is_absolute_windows_path(path)) << path;
  }
}

TEST(WindowsPath, KnowsBatchFiles) {
  for (const char* path : {R"(C:\x.bat)", R"(C:\x.CMD)", R"(C:\x.cmd. .)"}) {
    EXPECT_TRUE(is_batch_file(path)) << path;
  }
  for (const char* path : {R"(C:\cmd.exe)", R"(C:\bat)", R"(C:\x.bat\y.exe)", ""}) {
    EXPECT_FALSE(is_batch_file(path)) << path;
  }
}

TEST(WindowsPath, GrowsAPrefixWhenItIsLong) {
  const std::string name(250, 'n');
  EXPECT_EQ(extended_windows_path("C:/a/b"), R"(C:\a\b)");
  EXPECT_EQ(extended_windows_path("C:/" + name), R"(\\?\C:\)" + name);
  EXPECT_EQ(extended_windows_path(R"(\\server\share\)" + name), R"(\\?\UNC\server\share\)" + name);
  EXPECT_EQ(extended_windows_path(R"(\\?\C:\)" + name), R"(\\?\C:\)" + name);
}

}  // namespace
}  // namespace yume::platform
