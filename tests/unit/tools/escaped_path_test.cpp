// SPDX-License-Identifier: MIT
#include "tools/escaped_path.h"

#include "support/memory_file_system.h"
#include "tools/path_guard.h"
#include "util/utf8.h"

#include <gtest/gtest.h>

#include <random>

namespace yume::tools {
namespace {

TEST(EscapedPath, LeavesOrdinaryNamesAlone) {
  for (const std::string name : {"a.txt", "src/b c.ts", "it's", "a\"b", "back\\slash", "-rf", "...",
                                 "caf\xC3\xA9", "a~", "#x", "$HOME"}) {
    EXPECT_EQ(escaped_path(name), name);
  }
}

TEST(EscapedPath, QuotesWhatCannotStandOnALine) {
  EXPECT_EQ(escaped_path("a\nb"), R"("a\nb")");
  EXPECT_EQ(escaped_path("src/\ta\x1B"), R"("src/\ta\033")");
  EXPECT_EQ(escaped_path("caf\xE9"), R"("caf\351")");
  EXPECT_EQ(escaped_path("\xC3\xA9\n"), "\"\xC3\xA9\\n\"");
  EXPECT_EQ(escaped_path("\"a\\nb\""), R"("\"a\\nb\"")");
  EXPECT_EQ(escaped_path("~me"), R"("~me")");
  EXPECT_EQ(escaped_path("end "), R"("end ")");
}

TEST(EscapedPath, UnderstandsAQuotedNameWithinAPath) {
  EXPECT_EQ(unescaped_path(R"(src/"a\nb"/c)"), "src/a\nb/c");
  EXPECT_EQ(unescaped_path(R"("a\nb"/)"), "a\nb/");
  EXPECT_EQ(unescaped_path(R"(/w/"a\"")"), "/w/a\"");
}

TEST(EscapedPath, TakesNothingElseForAnEscape) {
  for (const std::string text : {"", "a", "a\"b\"", "\"", "\"a", "\"a\"b", "\"\\", "\"\\q\"",
                                 "\"\\1\"", "\"\\000\"", "\"\\777\"", "\"\\01"}) {
    EXPECT_EQ(unescaped_path(text), std::nullopt) << text;
  }
}

std::string random_name(std::mt19937& random) {
  static constexpr std::string_view k_bytes = "ab\"\\~ .-\n\t\x01\x7F\x80\xC3\xA9\xFFn0";
  std::string name;
  for (std::size_t i = 1 + random() % 12; i > 0; --i) name += k_bytes[random() % k_bytes.size()];
  return name;
}

TEST(EscapedPath, IsOneLineThatLeadsBackToTheFile) {
  std::mt19937 random(11);
  test::MemoryFileSystem files("/w");
  std::vector<std::string> paths;
  for (int i = 0; i < 3000; ++i) {
    std::string path = random_name(random) + "x";  // neither "." nor ".."
    if (random() % 2 == 0) path = "directory" + random_name(random) + "/" + path;
    if (!files.info("/w/" + path).ok()) {
      files.add_file("/w/" + path, "");
      paths.push_back(path);
      // Another file that has the name which this one is shown by.
      files.add_file("/w/" + escaped_path(path), "");
    }
  }
  for (const std::string& path : paths) {
    const std::string shown = escaped_path(path);
    EXPECT_TRUE(is_valid_utf8(shown));
    EXPECT_EQ(shown.find_first_of("\n\t\x01\x7F"), std::string::npos);
    EXPECT_EQ(unescaped_path(shown).value_or(shown), path);
    const auto file = resolve_path(shown, "/w", "/home/u", files);
    ASSERT_TRUE(file.ok()) << shown;
    EXPECT_EQ(file->real, std::filesystem::path("/w/" + path).lexically_normal());
  }
}

}  // namespace
}  // namespace yume::tools
