// SPDX-License-Identifier: MIT
#include "tools/search_tools.h"

#include "support/event_text.h"
#include "support/tool_world.h"
#include "tools/aliases.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace yume::tools {
namespace {

using nlohmann::json;

struct SearchTools : testing::Test {
  SearchTools() {
    world.files.add_file("/w/a.txt", "alpha\nbeta\ngamma\ndelta\n");
    world.files.add_file("/w/src/b.ts", "let beta = 1;\nlet Beta = 2;\n");
    world.files.add_file("/w/src/c.py", "beta(\n");
    world.files.add_file("/w/.hidden/d.ts", "beta\n");
    world.files.add_file("/w/.ignore", "skipped/\n");
    world.files.add_file("/w/skipped/e.ts", "beta\n");
    world.files.add_file("/w/data.bin", std::string_view("beta\0\n", 6));
    world.files.add_file("/elsewhere/f.ts", "beta\n");
  }

  core::ToolOutcome call(const std::unique_ptr<Tool>& tool, const json& input) {
    const ToolContext context = world.context();
    Plan plan = tool->plan(input, context);
    if (auto* outcome = std::get_if<core::ToolOutcome>(&plan)) return *outcome;
    return std::get<PlannedCall>(plan).run(context);
  }
  core::ToolOutcome grep(const json& input) { return call(make_grep_tool(), input); }
  std::string grep_text(const json& input) { return grep(input).content; }
  std::string glob_text(const json& input) { return call(make_glob_tool(), input).content; }
  std::string ls_text(const json& input) { return call(make_ls_tool(), input).content; }

  test::ToolWorld world;
};

TEST_F(SearchTools, GrepListsFilesNewestFirst) {
  const auto outcome = grep({{"pattern", "beta"}});
  EXPECT_EQ(outcome.content, "Found 3 files\nsrc/c.py\nsrc/b.ts\na.txt");
  EXPECT_EQ(json::parse(test::details_text(outcome)),
            (json{{"mode", "files_with_matches"},
                  {"filenames", {"src/c.py", "src/b.ts", "a.txt"}},
                  {"numFiles", 3},
                  {"totalFiles", 3}}));
  EXPECT_EQ(grep_text({{"pattern", "gamma"}}), "Found 1 file\na.txt");
  EXPECT_EQ(grep_text({{"pattern", "omega"}}), "No files found");
}

TEST_F(SearchTools, GrepShowsLines) {
  const auto outcome = grep({{"pattern", "beta"}, {"output_mode", "content"}});
  EXPECT_EQ(outcome.content, "a.txt:2:beta\nsrc/b.ts:1:let beta = 1;\nsrc/c.py:1:beta(");
  EXPECT_EQ(json::parse(test::details_text(outcome)), (json{{"mode", "content"},
                                                            {"numFiles", 0},
                                                            {"filenames", json::array()},
                                                            {"content", outcome.content},
                                                            {"numLines", 3},
                                                            {"totalLines", 3}}));
  EXPECT_EQ(grep_text({{"pattern", "beta"}, {"output_mode", "content"}, {"-n", false}}),
            "a.txt:beta\nsrc/b.ts:let beta = 1;\nsrc/c.py:beta(");
  EXPECT_EQ(grep_text({{"pattern", "omega"}, {"output_mode", "content"}}), "No matches found");
}

TEST_F(SearchTools, GrepLeavesThePathOutForOneFile) {
  EXPECT_EQ(grep_text({{"pattern", "l"}, {"path", "a.txt"}, {"output_mode", "content"}}),
            "1:alpha\n4:delta");
}

TEST_F(SearchTools, GrepShowsContext) {
  EXPECT_EQ(
      grep_text({{"pattern", "beta"}, {"path", "a.txt"}, {"output_mode", "content"}, {"-C", 1}}),
      "1-alpha\n2:beta\n3-gamma");
  EXPECT_EQ(
      grep_text(
          {{"pattern", "alpha|delta"}, {"path", "a.txt"}, {"output_mode", "content"}, {"-A", 1}}),
      "1:alpha\n2-beta\n--\n4:delta");
  EXPECT_EQ(
      grep_text(
          {{"pattern", "alpha|delta"}, {"path", "a.txt"}, {"output_mode", "content"}, {"-B", 1}}),
      "1:alpha\n--\n3-gamma\n4:delta");
  EXPECT_EQ(grep_text({{"pattern", "beta"},
                       {"glob", "*.{txt,py}"},
                       {"output_mode", "content"},
                       {"context", 1}}),
            "a.txt-1-alpha\na.txt:2:beta\na.txt-3-gamma\n--\nsrc/c.py:1:beta(");
}

TEST_F(SearchTools, GrepShowsOnlyMatchesWhenAsked) {
  EXPECT_EQ(grep_text({{"pattern", "[a-z]eta"},
                       {"-i", true},
                       {"type", "ts"},
                       {"-o", true},
                       {"output_mode", "content"}}),
            "src/b.ts:1:beta\nsrc/b.ts:2:Beta");
}

TEST_F(SearchTools, GrepCounts) {
  const auto outcome = grep({{"pattern", "beta"}, {"-i", true}, {"output_mode", "count"}});
  EXPECT_EQ(outcome.content,
            "a.txt:1\nsrc/b.ts:2\nsrc/c.py:1\n\nFound 4 total occurrences across 3 files.");
  EXPECT_EQ(json::parse(test::details_text(outcome))["numMatches"], 4);
  EXPECT_EQ(grep_text({{"pattern", "omega"}, {"output_mode", "count"}}),
            "No matches found\n\nFound 0 total occurrences across 0 files.");
}

TEST_F(SearchTools, GrepPagesThroughResults) {
  const auto outcome =
      grep({{"pattern", "a"}, {"path", "a.txt"}, {"output_mode", "content"}, {"head_limit", 2}});
  EXPECT_EQ(outcome.content, "1:alpha\n2:beta\n\n[Showing results with pagination = limit: 2]");
  EXPECT_EQ(json::parse(test::details_text(outcome))["appliedLimit"], 2);
  EXPECT_EQ(json::parse(test::details_text(outcome))["totalLines"], 4);
  EXPECT_EQ(grep_text({{"pattern", "a"},
                       {"path", "a.txt"},
                       {"output_mode", "content"},
                       {"head_limit", 1},
                       {"offset", 2}}),
            "3:gamma\n\n[Showing results with pagination = limit: 1, offset: 2]");
  EXPECT_EQ(grep_text({{"pattern", "beta"}, {"head_limit", 1}}),
            "Found 1 file\nsrc/c.py\n\n[Showing results with pagination = limit: 1]");
}

TEST_F(SearchTools, GrepSpansLinesWhenAsked) {
  EXPECT_EQ(grep_text({{"pattern", "beta.gam"},
                       {"path", "a.txt"},
                       {"output_mode", "content"},
                       {"multiline", true}}),
            "2:beta\n3:gamma");
  EXPECT_EQ(grep_text({{"pattern", "beta.gam"}}), "No files found");
}

TEST_F(SearchTools, GrepCutsLongLinesAroundTheMatch) {
  world.files.add_file("/w/long.js", std::string(5000, 'x') + "NEEDLE" + std::string(5000, 'y'));
  const std::string text =
      grep_text({{"pattern", "NEEDLE"}, {"path", "long.js"}, {"output_mode", "content"}});
  EXPECT_LT(text.size(), 600U);
  EXPECT_NE(text.find("NEEDLE"), std::string::npos);
  EXPECT_NE(text.find("[line of 10006 bytes cut]"), std::string::npos);
}

TEST_F(SearchTools, GrepReadsUtf16AndKeepsInvalidBytesHonest) {
  world.files.add_file("/w/u.txt", std::string_view("\xFF\xFEn\0e\0e\0d\0\n\0", 12));
  world.files.add_file("/w/v.txt", "need \xFF\n");
  EXPECT_EQ(grep_text({{"pattern", "need"}, {"output_mode", "content"}}),
            "u.txt:1:need\nv.txt:1:need \xEF\xBF\xBD");
}

TEST_F(SearchTools, GrepTellsWhatIsWrong) {
  const auto bad = grep({{"pattern", "("}});
  EXPECT_TRUE(bad.is_error);
  EXPECT_TRUE(bad.content.starts_with("regex parse error:\n    (\nerror: ")) << bad.content;
  EXPECT_EQ(grep_text({{"pattern", "a"}, {"path", "nowhere"}}),
            "<tool_use_error>Path does not exist: /w/nowhere. Note: your current working directory "
            "is /w.</tool_use_error>");
  EXPECT_TRUE(grep({{"pattern", "a"}, {"type", "klingon"}}).is_error);
  EXPECT_TRUE(grep({{"pattern", "a"}, {"glob", "[a"}}).is_error);
  EXPECT_NE(grep_text({{"pattern", "a"}, {"output_mode", "x"}}).find("InputValidationError"),
            std::string::npos);
  EXPECT_NE(grep_text({{"path", "a"}}).find("`pattern` is missing"), std::string::npos);
  world.files.add_other("/w/pipe");
  EXPECT_EQ(grep_text({{"pattern", "a"}, {"path", "pipe"}}),
            "cannot search /w/pipe: not a regular file");
}

TEST_F(SearchTools, GrepStopsWhenInterrupted) {
  world.cancel.request_stop();
  const auto outcome = grep({{"pattern", "beta"}});
  EXPECT_TRUE(outcome.is_error);
  EXPECT_EQ(outcome.content, "The search was interrupted.");
}

TEST_F(SearchTools, GlobListsOldestFirst) {
  EXPECT_EQ(glob_text({{"pattern", "**/*.ts"}}), "src/b.ts");
  EXPECT_EQ(glob_text({{"pattern", "*"}}), "a.txt\nsrc/b.ts\nsrc/c.py\ndata.bin");
  EXPECT_EQ(glob_text({{"pattern", "src/*.{py,ts}"}}), "src/b.ts\nsrc/c.py");
  EXPECT_EQ(glob_text({{"pattern", "*.ts"}, {"path", "src"}}), "src/b.ts");
  EXPECT_EQ(glob_text({{"pattern", "a.txt"}}), "a.txt");
  EXPECT_EQ(glob_text({{"pattern", "./*.txt"}}), "a.txt");
  EXPECT_EQ(glob_text({{"pattern", "*.rs"}}), "No files found");
  EXPECT_EQ(glob_text({{"pattern", "nowhere/*.ts"}}), "No files found");
}

TEST_F(SearchTools, GlobFindsHiddenFilesOnlyByName) {
  EXPECT_EQ(glob_text({{"pattern", ".hidden/*.ts"}}), ".hidden/d.ts");
  EXPECT_EQ(glob_text({{"pattern", "skipped/*.ts"}}), "skipped/e.ts");
}

TEST_F(SearchTools, GlobShowsAbsolutePathsOutsideTheWorkingDirectory) {
  EXPECT_EQ(glob_text({{"pattern", "/elsewhere/*.ts"}}), "/elsewhere/f.ts");
  EXPECT_EQ(glob_text({{"pattern", "*.ts"}, {"path", "/elsewhere"}}), "/elsewhere/f.ts");
}

TEST_F(SearchTools, GlobKeepsTheNewestHundred) {
  for (int i = 100; i < 250; ++i) {
    world.files.add_file("/w/many/f" + std::to_string(i) + ".rs", "");
  }
  const auto outcome = call(make_glob_tool(), {{"pattern", "*.rs"}});
  const json details = json::parse(test::details_text(outcome));
  EXPECT_EQ(details["numFiles"], 100);
  EXPECT_EQ(details["truncated"], true);
  EXPECT_EQ(details["totalMatches"], 150);
  EXPECT_EQ(details["filenames"].front(), "many/f150.rs");
  EXPECT_EQ(details["filenames"].back(), "many/f249.rs");
  EXPECT_NE(outcome.content.find("(Results are truncated"), std::string::npos);
}

TEST_F(SearchTools, GlobTellsWhatIsWrong) {
  EXPECT_EQ(glob_text({{"pattern", "*"}, {"path", "a.txt"}}),
            "<tool_use_error>Path is not a directory: /w/a.txt</tool_use_error>");
  EXPECT_NE(glob_text({{"pattern", "*"}, {"path", "none"}}).find("Path does not exist: /w/none"),
            std::string::npos);
  EXPECT_TRUE(call(make_glob_tool(), {{"pattern", "[a"}}).is_error);
}

TEST_F(SearchTools, LsListsOneDirectory) {
  EXPECT_EQ(ls_text(json::object()),
            "a.txt\ndata.bin\nsrc/\n(3 hidden or ignored, not shown; use Bash with ls -a to see "
            "all.)");
  EXPECT_EQ(ls_text({{"path", "src"}}), "b.ts\nc.py");
  EXPECT_EQ(ls_text({{"path", "/w/src"}, {"ignore", {"*.py"}}}),
            "b.ts\n(1 hidden or ignored, not shown; use Bash with ls -a to see all.)");
  EXPECT_EQ(ls_text({{"path", "a.txt"}}),
            "<tool_use_error>Path is not a directory: /w/a.txt</tool_use_error>");
  EXPECT_NE(ls_text({{"path", "none"}}).find("Path does not exist"), std::string::npos);
}

TEST(Aliases, TurnGeminiClisFieldsIntoOurs) {
  json input = {
      {"pattern", "x"}, {"dir_path", "src"}, {"include", "*.ts"}, {"case_sensitive", false}};
  EXPECT_TRUE(rename_fields("search_file_content", input));
  EXPECT_EQ(input, (json{{"pattern", "x"},
                         {"path", "src"},
                         {"glob", "*.ts"},
                         {"-i", true},
                         {"output_mode", "content"}}));
  json ours = {{"pattern", "x"}, {"path", "a"}, {"glob", "*.c"}};
  EXPECT_FALSE(rename_fields("Grep", ours));
  json both = {{"path", "right"}, {"dir_path", "wrong"}};
  EXPECT_TRUE(rename_fields("list_directory", both));
  EXPECT_EQ(both, (json{{"path", "right"}}));
  EXPECT_EQ(tool_name_for("glob"), "Glob");
  EXPECT_EQ(tool_name_for("Bash"), "Bash");
}

}  // namespace
}  // namespace yume::tools
