// SPDX-License-Identifier: MIT
// Read, Write and Edit through plan and run, on a file system in memory. The texts are those hosts
// know (Claude's).
#include "tools/file_tools.h"

#include "support/file_tool_scene.h"
#include "tools/file_memory.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace yume::tools {
namespace {

using nlohmann::json;

using Scene = test::FileToolScene;
using test::failed;
using test::refused;

TEST(ReadTool, NumbersLinesAndCountsTheEmptyRest) {
  Scene scene;
  scene.files.add_file("/w/a.txt", "alpha\nbeta\n");
  EXPECT_EQ(scene.read({{"file_path", "a.txt"}}),
            "ok: 1\talpha\n2\tbeta\n3\t | "
            R"({"type":"text","file":{"filePath":"a.txt","content":"alpha\nbeta\n",)"
            R"("numLines":3,"startLine":1,"totalLines":3}})");
  EXPECT_EQ(scene.planned, "reads /w/a.txt");
}

TEST(ReadTool, ShowsAWindow) {
  Scene scene;
  scene.files.add_file("/w/a", "1\n2\n3\n4\n5");
  EXPECT_EQ(scene.read({{"file_path", "/w/a"}, {"offset", 2}, {"limit", 2}}),
            "ok: 2\t2\n3\t3 | "
            R"({"type":"text","file":{"filePath":"/w/a","content":"2\n3","numLines":2,)"
            R"("startLine":2,"totalLines":5}})");
  EXPECT_TRUE(
      scene.read({{"file_path", "a"}, {"offset", 5}, {"limit", 100}}).starts_with("ok: 5\t5 | "));
  EXPECT_TRUE(
      scene.read({{"file_path", "a"}, {"offset", 0}, {"limit", "1"}}).starts_with("ok: 1\t1 | "));
  EXPECT_TRUE(
      scene.read({{"file_path", "a"}, {"offset", -7}, {"limit", 1}}).starts_with("ok: 1\t1 | "));
}

TEST(ReadTool, WarnsAboutNothingToShow) {
  Scene scene;
  scene.files.add_file("/w/a", "1\n2\n3\n4\n5");
  scene.files.add_file("/w/empty", "");
  EXPECT_EQ(scene.read({{"file_path", "a"}, {"offset", 100}}).substr(0, 155),
            "ok: <system-reminder>Warning: the file exists but is shorter than the provided offset "
            "(100). The file has 5 lines.</system-reminder>");
  EXPECT_EQ(scene.read({{"file_path", "empty"}}),
            "ok: <system-reminder>Warning: the file exists but the contents are empty."
            "</system-reminder>");
}

TEST(ReadTool, ShowsCrlfAsLfAndHidesTheByteOrderMark) {
  Scene scene;
  scene.files.add_file("/w/a", "\xEF\xBB\xBFone\r\ntwo\r\nlast\r");
  EXPECT_TRUE(scene.read({{"file_path", "a"}}).starts_with("ok: 1\tone\n2\ttwo\n3\tlast\r | "));
}

TEST(ReadTool, ExplainsWhatItCannotRead) {
  Scene scene;
  scene.files.add_file("/w/dir/x", "");
  scene.files.add_file("/w/bin", std::string("a\0b", 3));
  scene.files.add_file("/w/big", std::string(300'000, 'x'));
  scene.files.add_other("/w/fifo");
  EXPECT_EQ(scene.read({{"file_path", "none"}}),
            failed("File does not exist. Note: your current working directory is /w."));
  EXPECT_EQ(scene.read({{"file_path", "dir"}}),
            failed("EISDIR: illegal operation on a directory, read '/w/dir'"));
  EXPECT_EQ(scene.read({{"file_path", "bin"}}),
            refused("This tool cannot read binary files. The file appears to be a binary file. Use "
                    "Bash to inspect it, for example with file, strings or xxd."));
  EXPECT_EQ(
      scene.read({{"file_path", "big"}}),
      failed("File content (293KB) exceeds maximum allowed size (256KB). Use offset and limit "
             "parameters to read specific portions of the file, or search for specific "
             "content with Grep."));
  EXPECT_EQ(scene.read({{"file_path", "fifo"}}), failed("cannot read /w/fifo: not a regular file"));
  EXPECT_EQ(scene.read({{"file_path", ""}}), refused("cannot use path '': it is empty"));
  EXPECT_EQ(scene.read({{"path", "x"}}),
            refused("InputValidationError: Read failed due to the following issues:\nThe required "
                    "parameter `file_path` is missing\nAn unexpected parameter `path` was "
                    "provided"));
}

TEST(WriteTool, CreatesAFileAndItsDirectories) {
  Scene scene;
  EXPECT_EQ(scene.write("new/dir/a.txt", "hi\n"),
            "ok: File created successfully at: new/dir/a.txt | "
            R"({"type":"create","filePath":"new/dir/a.txt","content":"hi\n","structuredPatch":[],)"
            R"("originalFile":null,"userModified":false})");
  EXPECT_EQ(scene.planned, "writes /w/new/dir/a.txt");
  EXPECT_EQ(scene.content("/w/new/dir/a.txt"), "hi\n");
}

TEST(WriteTool, ReplacesAFileThatWasRead) {
  Scene scene;
  scene.files.add_file("/w/a", "old\n");
  EXPECT_EQ(scene.write("a", "new\n"),
            refused("File has not been read yet. Read it first before writing to it."));
  EXPECT_EQ(scene.content("/w/a"), "old\n");
  scene.read({{"file_path", "a"}});
  EXPECT_EQ(scene.write("a", "new\n"),
            "ok: The file a has been updated successfully. | "
            R"({"type":"update","filePath":"a","content":"new\n","structuredPatch":[{"oldStart":1,)"
            R"("oldLines":1,"newStart":1,"newLines":1,"lines":["-old","+new"]}],)"
            R"("originalFile":"old\n","userModified":false})");
  EXPECT_EQ(scene.content("/w/a"), "new\n");
  EXPECT_TRUE(scene.write("a", "newer\n").starts_with("ok: ")) << "it knows what it wrote itself";
}

TEST(WriteTool, RefusesAFileThatChangedSinceItWasRead) {
  Scene scene;
  scene.files.add_file("/w/a", "old\n");
  scene.read({{"file_path", "a"}});
  scene.files.add_file("/w/a", "somebody else's\n");
  const std::string stale = refused(
      "File has been modified since read, either by the user or by a linter. Read it again before "
      "attempting to write it.");
  EXPECT_EQ(scene.write("a", "mine\n"), stale);
  EXPECT_EQ(scene.edit("a", "else", "x"), stale);
  EXPECT_EQ(scene.content("/w/a"), "somebody else's\n");
}

TEST(WriteTool, WritesThroughALinkAndNamesTheRealFile) {
  Scene scene;
  scene.files.add_file("/etc/target", "old");
  scene.files.add_symlink("/etc/target", "/w/link");
  scene.read({{"file_path", "link"}});
  EXPECT_TRUE(scene.write("link", "new").starts_with("ok: "));
  EXPECT_EQ(scene.planned, "writes /etc/target") << "permission is decided on this";
  EXPECT_EQ(scene.content("/etc/target"), "new");
}

TEST(WriteTool, ReportsFailuresAndRefusesTooMuch) {
  Scene scene;
  scene.files.add_file("/w/file", "x");
  EXPECT_EQ(scene.write("file/below", "x").substr(0, 7), "error: ");
  EXPECT_EQ(scene.write("big", std::string((10U << 20U) + 1, 'x')),
            refused("The content is larger than 10 MB; write it in parts with Bash."));
  scene.files.plant_failure("/w/full", {.code = ErrorCode::io, .message = "cannot write: full"});
  EXPECT_NE(scene.write("full", "x").find("cannot write: full"), std::string::npos);
}

TEST(EditTool, ReplacesOneText) {
  Scene scene;
  scene.files.add_file("/w/a", "one\ntwo\n");
  scene.read({{"file_path", "a"}});
  EXPECT_EQ(scene.edit("a", "two", "2"),
            "ok: The file a has been updated successfully. | "
            R"({"filePath":"a","oldString":"two","newString":"2","originalFile":"one\ntwo\n",)"
            R"("structuredPatch":[{"oldStart":1,"oldLines":2,"newStart":1,"newLines":2,)"
            R"("lines":[" one","-two","+2"]}],"userModified":false,"replaceAll":false})");
  EXPECT_EQ(scene.content("/w/a"), "one\n2\n");
  EXPECT_TRUE(scene.edit("a", "one", "1").starts_with("ok: "));
}

TEST(EditTool, ReplacesEveryOccurrenceWhenAsked) {
  Scene scene;
  scene.files.add_file("/w/a", "x x\n");
  scene.read({{"file_path", "a"}});
  EXPECT_EQ(
      scene.edit("a", "x", "y"),
      refused(
          "Found 2 matches of the string to replace, but replace_all is false. To replace "
          "all occurrences, set replace_all to true. To replace only one occurrence, "
          "please provide more context to uniquely identify the instance.\nString: x\n\nMatches "
          "begin at lines 1, 1."));
  EXPECT_TRUE(scene.edit("a", "x", "y", true)
                  .starts_with("ok: The file a has been updated. All occurrences were successfully "
                               "replaced. | "));
  EXPECT_EQ(scene.content("/w/a"), "y y\n");
}

TEST(EditTool, ExplainsWhatItCannotDo) {
  Scene scene;
  scene.files.add_file("/w/a", "text");
  EXPECT_EQ(scene.edit("a", "text", "x"),
            refused("File has not been read yet. Read it first before writing to it."));
  scene.read({{"file_path", "a"}});
  EXPECT_EQ(scene.edit("a", "nope", "x"),
            refused("String to replace not found in file.\nString: nope\n\nNothing in the file is "
                    "similar to it. Read the file again and copy the text from it; it may be in "
                    "another file."));
  EXPECT_EQ(scene.edit("a", "text", "text"),
            refused("No changes to make: old_string and new_string are exactly the same."));
  EXPECT_EQ(scene.edit("none", "a", "b"),
            refused("File does not exist. Note: your current working directory is /w."));
  EXPECT_TRUE(
      scene.edit("a", "", "b").starts_with("error: <tool_use_error>The file already exists."));
  EXPECT_EQ(scene.content("/w/a"), "text");
}

TEST(EditTool, CreatesAFileFromAnEmptyOldString) {
  Scene scene;
  EXPECT_TRUE(
      scene.edit("new.txt", "", "hi\n").starts_with("ok: The file new.txt has been updated"));
  EXPECT_EQ(scene.content("/w/new.txt"), "hi\n");
}

TEST(EditTool, KeepsByteOrderMarkAndLineEnds) {
  Scene scene;
  scene.files.add_file("/w/a", "\xEF\xBB\xBFone\r\ntwo\r\n");
  scene.read({{"file_path", "a"}});
  EXPECT_TRUE(scene.edit("a", "one\ntwo", "1\n2").starts_with("ok: "));
  EXPECT_EQ(scene.content("/w/a"),
            "\xEF\xBB\xBF"
            "1\r\n2\r\n");
}

TEST(FileMemory, TellsUnseenCurrentAndChangedApart) {
  FileMemory memory;
  EXPECT_EQ(memory.check("/a", "x"), Knowledge::never_seen);
  memory.remember("/a", "x");
  EXPECT_EQ(memory.check("/a", "x"), Knowledge::current);
  EXPECT_EQ(memory.check("/a", "y"), Knowledge::changed);
  EXPECT_EQ(memory.check("/a", ""), Knowledge::changed);
  EXPECT_EQ(memory.check("/b", "x"), Knowledge::never_seen);
  memory.remember("/a", "y");
  EXPECT_EQ(memory.check("/a", "y"), Knowledge::current);
}

}  // namespace
}  // namespace yume::tools
