// SPDX-License-Identifier: MIT
#include "protocol/claude/tool_details.h"

#include "support/event_text.h"
#include "util/json_tree.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace yume::protocol {
namespace {

using core::ToolDetails;

struct Row {
  ToolDetails details;
  std::string expected;
  std::string content = {};
  std::vector<core::Media> media = {};
};

core::Patch patch() {
  return {{.old_start = 1,
           .old_lines = 2,
           .new_start = 1,
           .new_lines = 1,
           .lines = {" a", "-\xC3\xA9", ""}}};
}
const std::string k_patch =
    R"([{"oldStart":1,"oldLines":2,"newStart":1,"newLines":1,"lines":[" a","-\u00e9",""]}])";

core::NotebookEdited deleted_cell() {
  core::NotebookEdited edited;
  edited.mode = core::CellEditMode::remove;
  return edited;
}

std::vector<Row> files() {
  return {
      {core::FileEdited{.path = "/w/\xC3\xA9",
                        .replacement = {.old_text = "\xE2\x82\xAC", .new_text = "", .all = true},
                        .before = "\xFF\n",
                        .patch = patch()},
       R"({"filePath":"/w/\u00e9","oldString":"\u20ac","newString":"","originalFile":"\ufffd\n",)"
       R"("structuredPatch":)" +
           k_patch + R"(,"userModified":false,"replaceAll":true})"},
      {core::FileEdited{},
       R"({"filePath":"","oldString":"","newString":"","originalFile":"","structuredPatch":[],)"
       R"("userModified":false,"replaceAll":false})"},
      {core::FileEditedInSteps{.path = "f",
                               .replacements = {{.old_text = "a", .new_text = "b"},
                                                {.old_text = "", .new_text = "\"", .all = true}},
                               .before = "a",
                               .patch = patch()},
       R"({"filePath":"f","edits":[{"old_string":"a","new_string":"b","replace_all":false},)"
       R"({"old_string":"","new_string":"\"","replace_all":true}],"originalFileContents":"a",)"
       R"("structuredPatch":)" +
           k_patch + R"(,"userModified":false})"},
      {core::FileEditedInSteps{},
       R"({"filePath":"","edits":[],"originalFileContents":"","structuredPatch":[],)"
       R"("userModified":false})"},
      {core::FileWritten{.path = "f", .content = "\xF0\x9F\x98\x80", .before = {}, .patch = {}},
       R"({"type":"create","filePath":"f","content":"\ud83d\ude00","structuredPatch":[],)"
       R"("originalFile":null,"userModified":false})"},
      {core::FileWritten{.path = "f", .content = "", .before = "", .patch = patch()},
       R"({"type":"update","filePath":"f","content":"","structuredPatch":)" + k_patch +
           R"(,"originalFile":"","userModified":false})"},
      {core::NotebookEdited{.path = "n.ipynb",
                            .mode = core::CellEditMode::insert,
                            .cell_id = "c",
                            .cell_type = "code",
                            .language = "python",
                            .new_source = "\xC3\xA9",
                            .old_source = "o",
                            .before = "{}",
                            .after = "[]"},
       R"({"new_source":"\u00e9","old_source":"o","cell_type":"code","language":"python",)"
       R"("edit_mode":"insert","cell_id":"c","error":"","notebook_path":"n.ipynb",)"
       R"("original_file":"{}","updated_file":"[]"})"},
      {deleted_cell(),
       R"({"new_source":"","old_source":"","cell_type":"","language":"","edit_mode":"delete",)"
       R"("cell_id":"","error":"","notebook_path":"","original_file":"","updated_file":""})"},
  };
}

std::vector<Row> reading() {
  const core::Media png{.mime_type = "image/png", .base64 = "QUJD"};
  const core::Media huge{.mime_type = "image/png", .base64 = std::string(480'001, 'A')};
  return {
      {core::FileRead{.path = "f",
                      .content = "\xC3\xA9\tb",
                      .first_line = 3,
                      .line_count = 1,
                      .total_lines = 9,
                      .is_cut = true},
       R"({"type":"text","file":{"filePath":"f","content":"\u00e9\tb","numLines":1,)"
       R"("startLine":3,"totalLines":9,"truncatedByTokenCap":true}})"},
      {core::FileRead{},
       R"({"type":"text","file":{"filePath":"","content":"","numLines":0,"startLine":1,)"
       R"("totalLines":0}})"},
      {core::ImageRead{.file_bytes = 3, .size = core::ImageSize{.width = 2, .height = 5}},
       R"({"type":"image","file":{"base64":"QUJD","type":"image/png","originalSize":3,)"
       R"("dimensions":{"originalWidth":2,"originalHeight":5,"displayWidth":2,)"
       R"("displayHeight":5}}})",
       "",
       {png}},
      // It would not fit into a line twice.
      {core::ImageRead{.file_bytes = 360'000, .size = {}},
       R"({"type":"image","file":{"type":"image/png","originalSize":360000}})",
       "",
       {huge}},
      {core::PdfRead{.path = "d.pdf", .file_bytes = 3},
       R"({"type":"pdf","file":{"filePath":"d.pdf","base64":"QUJD","originalSize":3}})",
       "",
       {png}},
      {core::PdfRead{.path = "d.pdf", .file_bytes = 360'000},
       R"({"type":"pdf","file":{"filePath":"d.pdf","originalSize":360000}})",
       "",
       {huge}},
      {core::NotebookRead{.path = "n.ipynb",
                          .cells = {{.id = "a", .type = "markdown", .source = "\xC3\xA9"},
                                    {.id = "b",
                                     .type = "code",
                                     .source = "1",
                                     .language = "python",
                                     .execution_count = 7,
                                     .outputs = {{.type = "stream", .text = "\x1b[0m"}}}}},
       R"({"type":"notebook","file":{"filePath":"n.ipynb","cells":[)"
       R"({"cellType":"markdown","source":"\u00e9","cell_id":"a"},)"
       R"({"cellType":"code","source":"1","execution_count":7,"cell_id":"b",)"
       R"("language":"python","outputs":[{"output_type":"stream","text":"\u001b[0m"}]}]}})"},
      {core::NotebookRead{}, R"({"type":"notebook","file":{"filePath":"","cells":[]}})"},
  };
}

std::vector<Row> commands_and_searches() {
  return {
      {core::CommandRan{.output = "\xC3\xA9\n"},
       R"({"stdout":"\u00e9\n","stderr":"","interrupted":false,"isImage":false,)"
       R"("noOutputExpected":false})"},
      {core::CommandRan{.output = "",
                        .note = "Shell cwd was reset to /w",
                        .kept = core::KeptOutput{.path = "/o/x.txt", .bytes = 5'000'000'000}},
       R"({"stdout":"","stderr":"Shell cwd was reset to /w","interrupted":false,)"
       R"("isImage":false,"noOutputExpected":false,"persistedOutputPath":"/o/x.txt",)"
       R"("persistedOutputSize":5000000000})"},
      {core::CommandStarted{"bash_1"},
       R"({"stdout":"","stderr":"","interrupted":false,"isImage":false,)"
       R"("noOutputExpected":false,"backgroundTaskId":"bash_1"})"},
      {core::FilesFound{.paths = {"a", "\xC3\xA9"}, .total = 2, .took = {}},
       R"({"filenames":["a","\u00e9"],"durationMs":0,"numFiles":2,"truncated":false})"},
      {core::FilesFound{
           .paths = {"a"}, .total = 2, .is_complete = true, .took = std::chrono::milliseconds(12)},
       R"({"filenames":["a"],"durationMs":12,"numFiles":1,"truncated":true,"totalMatches":2,)"
       R"("countIsComplete":true})"},
      {core::FilesFound{.paths = {}, .total = 0, .is_complete = false},
       R"({"filenames":[],"durationMs":0,"numFiles":0,"truncated":true,"totalMatches":0,)"
       R"("countIsComplete":false})"},
      {core::FilesMatched{.paths = {"\xC3\xA9"}, .total = 3, .page = {.limit = 1, .offset = 2}},
       R"({"mode":"files_with_matches","filenames":["\u00e9"],"numFiles":1,"totalFiles":3,)"
       R"("appliedLimit":1,"appliedOffset":2})"},
      {core::FilesMatched{},
       R"({"mode":"files_with_matches","filenames":[],"numFiles":0,"totalFiles":0})"},
      {core::MatchesCounted{.lines = "a:2", .files = 1, .matches = 2, .page = {.limit = 1}},
       R"({"mode":"count","numFiles":1,"filenames":[],"content":"a:2","numMatches":2,)"
       R"("appliedLimit":1})"},
      {core::MatchesCounted{},
       R"({"mode":"count","numFiles":0,"filenames":[],"content":"","numMatches":0})"},
      {core::LinesMatched{
           .text = "a:1:\xC3\xA9", .lines = 1, .total_lines = 4, .page = {.offset = 3}},
       R"({"mode":"content","numFiles":0,"filenames":[],"content":"a:1:\u00e9","numLines":1,)"
       R"("totalLines":4,"appliedOffset":3})"},
      {core::LinesMatched{},
       R"({"mode":"content","numFiles":0,"filenames":[],"content":"","numLines":0,)"
       R"("totalLines":0})"},
      {core::DirectoryListed{.path = "/w", .entries = {"d/", "\xC3\xA9"}, .total = 3},
       R"({"path":"/w","entries":["d/","\u00e9"],"numEntries":3,"truncated":true})"},
      {core::DirectoryListed{.path = "/w", .entries = {}, .total = 0},
       R"({"path":"/w","entries":[],"numEntries":0,"truncated":false})"},
  };
}

std::vector<Row> web_and_session() {
  return {
      {core::PageFetched{.url = "https://a/\xC3\xA9",
                         .status = 200,
                         .status_text = "OK",
                         .bytes = 7,
                         .took = std::chrono::milliseconds(3)},
       R"({"bytes":7,"code":200,"codeText":"OK","result":"p\u00e4ge","durationMs":3,)"
       R"("url":"https://a/\u00e9"})",
       "p\xC3\xA4ge"},
      {core::PageFetched{},
       R"({"bytes":0,"code":0,"codeText":"","result":"","durationMs":0,"url":""})"},
      {core::WebSearched{.query = "\xC3\xA9",
                         .answer = "so",
                         .sources = {{.title = "T", .url = "u"}},
                         .took = std::chrono::duration<double>(0.25)},
       R"({"query":"\u00e9","results":[{"tool_use_id":"","content":[{"title":"T","url":"u"}]},)"
       R"("so"],"durationSeconds":0.25})"},
      {core::WebSearched{}, R"({"query":"","results":[""],"durationSeconds":0})"},
      {core::TodosChanged{
           .before = {},
           .after = {{.content = "\xC3\xA9",
                      .status = core::TodoStatus::in_progress,
                      .active_form = "a"},
                     {.content = "b", .status = core::TodoStatus::completed, .active_form = ""}}},
       R"({"oldTodos":[],"newTodos":[{"activeForm":"a","content":"\u00e9",)"
       R"("status":"in_progress"},{"activeForm":"","content":"b","status":"completed"}]})"},
      {core::PlanApproved{"# \xC3\xA9"}, R"({"plan":"# \u00e9","isAgent":false})"},
      {core::QuestionsAnswered{.questions = {"[ {\"question\": \"\xC3\xA9\"} ]"},
                               .answers = {R"({"é":["x"]})"}},
       R"({"questions":[{"question":"\u00e9"}],"answers":{"\u00e9":["x"]}})"},
      {core::BlocksReturned{.blocks = {"\xC3\xA9"}}, R"([{"type":"text","text":"\u00e9"}])"},
      {core::AgentLaunched{.agent_id = "a1",
                           .description = "d",
                           .prompt = "\xC3\xA9",
                           .model = "m",
                           .output_file = "f"},
       R"({"isAsync":true,"status":"async_launched","agentId":"a1","description":"d",)"
       R"("resolvedModel":"m","prompt":"\u00e9","outputFile":"f","canReadOutputFile":true})"},
      {core::AgentFinished{.agent_id = "a1",
                           .type = "t",
                           .prompt = "\xC3\xA9",
                           .model = "m",
                           .last_request = {},
                           .tokens = 7,
                           .calls = 2,
                           .took = std::chrono::milliseconds(3)},
       R"({"status":"completed","prompt":"\u00e9","agentId":"a1","agentType":"t",)"
       R"("content":[{"type":"text","text":""}],"resolvedModel":"m","totalDurationMs":3,)"
       R"("totalTokens":7,"totalToolUseCount":2,"usage":{"input_tokens":0,)"
       R"("cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0,)"
       R"("server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},)"
       R"("service_tier":"standard","cache_creation":{"ephemeral_1h_input_tokens":0,)"
       R"("ephemeral_5m_input_tokens":0}}})"},
      {core::CallFailed{"no \xC3\xA9"}, R"("Error: no \u00e9")"},
      {core::CallFailed{}, R"("Error: ")"},
      {core::CallRejected{}, R"("User rejected tool use")"},
      {core::NoDetails{}, ""},
  };
}

std::vector<Row> all_rows() {
  std::vector<Row> rows;
  for (const auto& some : {files(), reading(), commands_and_searches(), web_and_session()}) {
    rows.insert(rows.end(), some.begin(), some.end());
  }
  return rows;
}

TEST(ClaudeToolDetails, RendersEveryKind) {
  std::set<std::size_t> kinds;
  for (const Row& row : all_rows()) {
    kinds.insert(row.details.index());
    EXPECT_EQ(
        test::details_text({.content = row.content, .media = row.media, .details = row.details}),
        row.expected);
  }
  EXPECT_EQ(kinds.size(), std::variant_size_v<ToolDetails>);
}

// The redactor and the limit of a line depend on it.
TEST(ClaudeToolDetails, KnowsEveryTextThatIsRendered) {
  for (const Row& row : all_rows()) {
    ToolDetails details = row.details;
    EXPECT_LE(core::text_size(details), row.expected.size()) << row.expected;
    core::for_each_text(details, [](std::string& text) { text = "7"; });
    EXPECT_EQ(test::details_text({.content = "", .details = details}).find("\\u"),
              std::string::npos)
        << row.expected;
  }
  ToolDetails failed = core::CallFailed{"secret"};
  core::for_each_text(failed, [](std::string& text) { text = "[redacted]"; });
  EXPECT_EQ(failed, ToolDetails(core::CallFailed{"[redacted]"}));
  EXPECT_EQ(core::text_size(failed), 10U);
}

TEST(ClaudeToolDetails, ReadsAPatchBack) {
  for (const ToolDetails& details :
       {ToolDetails(
            core::FileEdited{.path = {}, .replacement = {}, .before = {}, .patch = patch()}),
        ToolDetails(core::FileEditedInSteps{
            .path = {}, .replacements = {}, .before = {}, .patch = patch()}),
        ToolDetails(
            core::FileWritten{.path = {}, .content = {}, .before = "", .patch = patch()})}) {
    const std::string text = test::details_text({.content = "", .details = details});
    EXPECT_EQ(read_patch(read_ordered_json(text)), patch()) << text;
  }
}

TEST(ClaudeToolDetails, PassesOverWhatIsNoPatch) {
  const auto read = [](std::string_view text) { return read_patch(read_ordered_json(text)); };
  for (const char* text :
       {"null", "7", R"("Error: x")", "[]", "{}", R"({"structuredPatch":"x"})",
        R"({"structuredPatch":[]})", R"({"structuredPatch":[7,"x",{},{"lines":7}]})"}) {
    EXPECT_EQ(read(text), core::Patch()) << text;
  }
  EXPECT_EQ(read(R"({"structuredPatch":[null,{"oldStart":"x","newLines":2,"lines":["+a",7]}]})"),
            (core::Patch{{.new_lines = 2, .lines = {"+a"}}}));
}

}  // namespace
}  // namespace yume::protocol
