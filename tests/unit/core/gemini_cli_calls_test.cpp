// SPDX-License-Identifier: MIT
#include "core/gemini_cli_calls.h"

#include <gtest/gtest.h>

namespace yume::core {
namespace {

GeminiCliCall told(const char* tool, const char* input) {
  return as_gemini_cli_call({.id = "c1", .name = tool, .input = RawJson{input}});
}

TEST(GeminiCliCalls, CarryItsNamesAndArguments) {
  struct Row {
    const char* tool;
    const char* input;
    const char* name;
    const char* parameters;
  };
  const Row rows[] = {
      {"Read", R"({"file_path":"a"})", "read_file", R"({"file_path":"a"})"},
      {"Read", R"({"file_path":"a","offset":3,"limit":2})", "read_file",
       R"({"file_path":"a","start_line":3,"end_line":4})"},
      {"Read", R"({"file_path":"a","limit":5})", "read_file", R"({"file_path":"a","end_line":5})"},
      {"Write", R"({"file_path":"a","content":"x"})", "write_file",
       R"({"file_path":"a","content":"x"})"},
      {"Edit", R"({"file_path":"a","old_string":"x","new_string":"y","replace_all":true})",
       "replace", R"({"file_path":"a","old_string":"x","new_string":"y","allow_multiple":true})"},
      {"MultiEdit", R"({"file_path":"a","edits":[{"old_string":"x","new_string":"y"}]})", "replace",
       R"({"file_path":"a","old_string":"x","new_string":"y"})"},
      {"Glob", R"({"pattern":"*","path":"d"})", "glob", R"({"pattern":"*","dir_path":"d"})"},
      {"Grep",
       R"({"pattern":"x","path":"d","glob":"*.c","-i":true,"-n":true,"-A":1,"-B":2,"-C":3,)"
       R"("output_mode":"content","head_limit":9})",
       "grep_search",
       R"({"pattern":"x","dir_path":"d","include_pattern":"*.c","after":1,"before":2,"context":3,)"
       R"("total_max_matches":9,"case_sensitive":false})"},
      {"Grep", R"({"pattern":"x"})", "grep_search", R"({"pattern":"x","names_only":true})"},
      {"LS", R"({"path":"d"})", "list_directory", R"({"dir_path":"d"})"},
      {"Bash", R"({"command":"ls","description":"d","run_in_background":true})",
       "run_shell_command", R"({"command":"ls","description":"d","is_background":true})"},
      {"TodoWrite", R"({"todos":[{"content":"a","status":"pending","activeForm":"Doing a"}]})",
       "write_todos", R"({"todos":[{"description":"a","status":"pending"}]})"},
      {"WebSearch", R"({"query":"q"})", "google_web_search", R"({"query":"q"})"},
      {"WebFetch", R"({"url":"https://a.example","prompt":"Sum up"})", "web_fetch",
       R"({"prompt":"Sum up\nhttps://a.example"})"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(told(row.tool, row.input).name, row.name) << row.input;
    EXPECT_EQ(told(row.tool, row.input).parameters.text, row.parameters);
  }
}

TEST(GeminiCliCalls, KeepAllEditsBesideTheFirst) {
  EXPECT_EQ(told("MultiEdit", R"({"file_path":"a","edits":[{"old_string":"x","new_string":"y"},)"
                              R"({"old_string":"p","new_string":"q"}]})")
                .parameters.text,
            R"({"file_path":"a","edits":[{"old_string":"x","new_string":"y"},)"
            R"({"old_string":"p","new_string":"q"}],"old_string":"x","new_string":"y"})");
}

TEST(GeminiCliCalls, LeaveOtherToolsAndOddInputsAlone) {
  const GeminiCliCall expected{.name = "mcp__a__b", .parameters = RawJson{R"({"x":1})"}};
  EXPECT_EQ(told("mcp__a__b", R"({"x":1})"), expected);
  EXPECT_EQ(told("Read", R"({"file_path":"a","limit":"ten"})").parameters.text,
            R"({"file_path":"a","limit":"ten"})");
  EXPECT_EQ(told("TodoWrite", R"({"todos":7})").parameters.text, R"({"todos":7})");
  EXPECT_EQ(told("Read", "7").parameters.text, "7");
}

}  // namespace
}  // namespace yume::core
