// SPDX-License-Identifier: MIT
#include "support/file_tool_scene.h"

#include <gtest/gtest.h>

namespace yume::tools {
namespace {

using nlohmann::json;
using Scene = test::FileToolScene;
using test::refused;

json step(const std::string& from, const std::string& to) {
  return {{"old_string", from}, {"new_string", to}};
}

TEST(MultiEditTool, AppliesAllEdits) {
  Scene scene;
  scene.files.add_file("/w/a", "one\ntwo\n");
  scene.read({{"file_path", "a"}});
  EXPECT_EQ(scene.multi_edit("a", {step("one", "1"), step("1\ntwo", "x\n2")}),
            "ok: Applied 2 edits to a:\n1. Replaced \"one\" with \"1\"\n2. Replaced \"1\ntwo\" "
            "with \"x\n2\" | "
            R"({"filePath":"a","edits":[{"old_string":"one","new_string":"1","replace_all":false},)"
            R"({"old_string":"1\ntwo","new_string":"x\n2","replace_all":false}],)"
            R"("originalFileContents":"one\ntwo\n","structuredPatch":[{"oldStart":1,"oldLines":2,)"
            R"("newStart":1,"newLines":2,"lines":["-one","-two","+x","+2"]}],)"
            R"("userModified":false})");
  EXPECT_EQ(scene.planned, "writes /w/a");
  EXPECT_EQ(scene.content("/w/a"), "x\n2\n");
}

TEST(MultiEditTool, MakesAllOrNone) {
  Scene scene;
  scene.files.add_file("/w/a", "one\ntwo\n");
  scene.read({{"file_path", "a"}});
  EXPECT_EQ(scene.multi_edit("a", {step("one", "1"), step("zzzz", "x"), step("two", "2")}),
            refused("String to replace not found in file.\nString: zzzz\n\nNothing in the file is "
                    "similar to it. Read the file again and copy the text from it; it may be in "
                    "another file.\n\nThis was edit 2 of 3; none of them was made."));
  EXPECT_EQ(scene.content("/w/a"), "one\ntwo\n");
}

TEST(MultiEditTool, CreatesAFile) {
  Scene scene;
  EXPECT_TRUE(scene.multi_edit("new", {step("", "a\nb\n"), step("b", "c")})
                  .starts_with("ok: Applied 2 edits to new:"));
  EXPECT_EQ(scene.content("/w/new"), "a\nc\n");
}

TEST(MultiEditTool, ExplainsWhatItCannotDo) {
  Scene scene;
  scene.files.add_file("/w/a", "text");
  EXPECT_EQ(scene.multi_edit("a", json::array({step("text", "x")})),
            refused("File has not been read yet. Read it first before writing to it."));
  EXPECT_EQ(scene.multi_edit("zz", json::array({step("a", "b")})),
            refused("File does not exist. Note: your current working directory is /w."));
  EXPECT_EQ(scene.multi_edit("a", json::array()), refused("No changes to make: edits is empty."));
  EXPECT_EQ(scene.multi_edit("a", json::array({step("x", "x")})),
            refused("No changes to make: old_string and new_string are exactly the same."));
  EXPECT_EQ(scene.multi_edit("a", {step("x", "y"), step("", "z")}),
            refused("Only the first edit may have an empty old_string, to create a file."));
  EXPECT_EQ(scene.multi_edit("a", json::array({{{"old_string", 1}, {"extra", 2}}})),
            refused("InputValidationError: MultiEdit failed due to the following issues:\nThe "
                    "parameter `edits[0].old_string` must be a string\nThe required parameter "
                    "`edits[0].new_string` is missing\nAn unexpected parameter `edits[0].extra` "
                    "was provided"));
  EXPECT_EQ(scene.multi_edit("a", "text"),
            refused("InputValidationError: MultiEdit failed due to the following issue:\nThe "
                    "parameter `edits` must be an array of objects"));
}

}  // namespace
}  // namespace yume::tools
