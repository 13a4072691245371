// SPDX-License-Identifier: MIT
// What a person is shown before a file changes is what the tool then does.
#include "support/file_tool_scene.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::tools {
namespace {

using Strings = std::vector<std::string>;
using nlohmann::json;

struct Scene : test::FileToolScene {
  Preview preview(const Tool& tool, const json& input) {
    Plan plan = tool.plan(input, context());
    return std::get<PlannedCall>(plan).preview(context());
  }
  core::FileChange change(const Tool& tool, const json& input) {
    return std::get<core::FileChange>(preview(tool, input));
  }
  std::string refusal(const Tool& tool, const json& input) {
    return test::text_of(std::get<core::ToolOutcome>(preview(tool, input)));
  }
};

Strings lines_of(const core::FileChange& change) {
  Strings lines;
  for (const core::PatchHunk& hunk : change.patch) {
    lines.insert(lines.end(), hunk.lines.begin(), hunk.lines.end());
  }
  return lines;
}

TEST(Preview, OfANewFileIsAllOfIt) {
  Scene scene;
  const json input = {{"file_path", "/w/new"}, {"content", "a\nb\n"}};
  const core::FileChange change = scene.change(*scene.write_tool, input);
  EXPECT_EQ(change.path, "/w/new");
  EXPECT_EQ(change.real_path, "/w/new");
  EXPECT_TRUE(change.creates);
  EXPECT_EQ(lines_of(change), (Strings{"+a", "+b"}));
  EXPECT_FALSE(scene.files.read("/w/new", 10).ok()) << "nothing was written";
}

TEST(Preview, OfAWriteComparesWithWhatIsThere) {
  Scene scene;
  scene.files.add_file("/w/a", "one\r\ntwo\r\n");
  const json input = {{"file_path", "/w/a"}, {"content", "one\nthree\n"}};
  EXPECT_EQ(scene.refusal(*scene.write_tool, input),
            test::refused("File has not been read yet. Read it first before writing to it."));
  scene.read({{"file_path", "/w/a"}});
  const core::FileChange change = scene.change(*scene.write_tool, input);
  EXPECT_FALSE(change.creates);
  EXPECT_EQ(lines_of(change), (Strings{" one\r", "-two\r", "+three\r"}))
      << "with the line ends that the file will have";
  EXPECT_EQ(scene.content("/w/a"), "one\r\ntwo\r\n");
}

TEST(Preview, OfAnEditIsItsPatch) {
  Scene scene;
  scene.files.add_file("/w/a", "one\ntwo\n");
  scene.read({{"file_path", "/w/a"}});
  const json input = {{"file_path", "/w/a"}, {"old_string", "two"}, {"new_string", "2"}};
  const core::FileChange change = scene.change(*scene.edit_tool, input);
  EXPECT_EQ(lines_of(change), (Strings{" one", "-two", "+2"}));
  scene.edit("/w/a", "two", "2");
  EXPECT_EQ(scene.content("/w/a"), "one\n2\n");
  EXPECT_NE(scene.refusal(*scene.edit_tool, input).find("String to replace not found"),
            std::string::npos);
}

TEST(Preview, OfSeveralEditsIsWhatComesOfAllOfThem) {
  Scene scene;
  scene.files.add_file("/w/a", "one\n");
  scene.read({{"file_path", "/w/a"}});
  const json edits = {{{"old_string", "one"}, {"new_string", "two"}},
                      {{"old_string", "two"}, {"new_string", "three"}}};
  EXPECT_EQ(
      lines_of(scene.change(*scene.multi_edit_tool, {{"file_path", "/w/a"}, {"edits", edits}})),
      (Strings{"-one", "+three"}));
}

TEST(Preview, OfANotebookIsInItsFile) {
  Scene scene;
  const std::string cell = R"({"cell_type":"code","id":"c","metadata":{},"outputs":[],)"
                           R"("execution_count":null,"source":["old"]})";
  scene.files.add_file(
      "/w/n.ipynb",
      "{\"cells\":[\n" + cell + "\n],\"metadata\":{},\"nbformat\":4,\"nbformat_minor\":5}\n");
  scene.read({{"file_path", "/w/n.ipynb"}});
  const Strings lines = lines_of(
      scene.change(*scene.notebook_edit_tool,
                   {{"notebook_path", "/w/n.ipynb"}, {"cell_id", "c"}, {"new_source", "new"}}));
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  EXPECT_NE(all.find("old"), std::string::npos) << all;
  EXPECT_NE(all.find("new"), std::string::npos) << all;
}

}  // namespace
}  // namespace yume::tools
