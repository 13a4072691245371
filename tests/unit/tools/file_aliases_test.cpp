// SPDX-License-Identifier: MIT
// Names and fields of the file tools as models send them from habit.
#include "tools/aliases.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace yume::tools {
namespace {

std::string renamed(std::string_view called, const std::string& input) {
  auto parsed = nlohmann::json::parse(input);
  const bool changed = rename_fields(called, parsed);
  EXPECT_EQ(changed, parsed != nlohmann::json::parse(input));
  return std::string(tool_name_for(called)) + parsed.dump();
}

TEST(FileAliases, KnowGeminiClisNames) {
  EXPECT_EQ(renamed("read_file", R"({"absolute_path":"/a"})"), R"(Read{"file_path":"/a"})");
  EXPECT_EQ(renamed("write_file", R"({"file_path":"/a","content":"x"})"),
            R"(Write{"content":"x","file_path":"/a"})");
  EXPECT_EQ(renamed("replace", R"({"file_path":"/a","instruction":"do","old_string":"a",)"
                               R"("new_string":"b","expected_replacements":2})"),
            R"(Edit{"file_path":"/a","new_string":"b","old_string":"a","replace_all":true})");
  EXPECT_EQ(renamed("replace", R"({"expected_replacements":1})"), "Edit{}");
  EXPECT_EQ(renamed("edit_file", R"({"allow_multiple":true})"), R"(Edit{"replace_all":true})");
  EXPECT_EQ(renamed("multi_edit", R"({"path":"a"})"), R"(MultiEdit{"file_path":"a"})");
  EXPECT_EQ(renamed("read_many_files", R"({"include":["a"]})"),
            R"(read_many_files{"include":["a"]})")
      << "several files are several calls";
}

TEST(FileAliases, CountLinesFromWhereTheNameSays) {
  EXPECT_EQ(renamed("read_file", R"({"absolute_path":"/a","offset":0,"limit":5})"),
            R"(Read{"file_path":"/a","limit":5,"offset":1})");
  EXPECT_EQ(renamed("read_file", R"({"file_path":"/a","offset":3,"limit":5})"),
            R"(Read{"file_path":"/a","limit":5,"offset":3})");
  EXPECT_EQ(renamed("read_file", R"({"file_path":"/a","start_line":3,"end_line":5})"),
            R"(Read{"file_path":"/a","limit":3,"offset":3})");
  EXPECT_EQ(renamed("Read", R"({"file_path":"/a","end_line":5})"),
            R"(Read{"file_path":"/a","limit":5})");
  EXPECT_EQ(renamed("Read", R"({"file_path":"/a","start_line":"x"})"),
            R"(Read{"file_path":"/a","start_line":"x"})");
}

TEST(FileAliases, RenameThePath) {
  for (const char* field : {"path", "absolute_path", "filename", "filepath"}) {
    const std::string input = R"({")" + std::string(field) + R"(":"a"})";
    EXPECT_EQ(renamed("Read", input), R"(Read{"file_path":"a"})");
    EXPECT_EQ(renamed("Edit", input), R"(Edit{"file_path":"a"})");
    EXPECT_EQ(renamed("NotebookEdit", input), R"(NotebookEdit{"notebook_path":"a"})");
  }
  EXPECT_EQ(renamed("Write", R"({"file_path":"a","path":"b"})"), R"(Write{"file_path":"a"})")
      << "the right name wins";
  EXPECT_EQ(renamed("NotebookEdit", R"({"file_path":"a"})"),
            R"(NotebookEdit{"notebook_path":"a"})");
}

TEST(FileAliases, ReadAnArrayThatCameAsText) {
  EXPECT_EQ(renamed("MultiEdit", R"({"edits":"[{\"old_string\":\"a\"}]"})"),
            R"(MultiEdit{"edits":[{"old_string":"a"}]})");
  EXPECT_EQ(renamed("MultiEdit", R"({"edits":"[oops"})"), R"(MultiEdit{"edits":"[oops"})");
}

}  // namespace
}  // namespace yume::tools
