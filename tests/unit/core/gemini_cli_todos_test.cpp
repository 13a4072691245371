// SPDX-License-Identifier: MIT
// One rule for a list of tasks, whether a model writes it or a session of Gemini CLI has it.
#include "core/gemini_cli_tools.h"

#include "core/gemini_cli_input.h"
#include "tools/aliases.h"
#include "util/json_tree.h"

#include <gtest/gtest.h>

#include <string>

namespace yume {
namespace {

struct Row {
  const char* given;
  const char* expected;
};

const Row k_rows[] = {
    {R"([{"description":"d","status":"pending"}])",
     R"([{"status":"pending","content":"d","activeForm":"d"}])"},
    {R"([{"content":"c","status":"in_progress","activeForm":"a"}])",
     R"([{"content":"c","status":"in_progress","activeForm":"a"}])"},
    {R"([{"description":"d","status":"cancelled"},{"description":"e","status":"canceled"}])",
     R"([{"status":"completed","content":"d","activeForm":"d"},)"
     R"({"status":"completed","content":"e","activeForm":"e"}])"},
    {R"([{"description":"d","status":"blocked"}])",
     R"([{"status":"pending","content":"d","activeForm":"d"}])"},
    {R"([{"description":"","status":"pending"},{"description":" \n\t","status":"completed"},)"
     R"({"content":"","status":"pending","activeForm":"x"},{"status":"pending"},)"
     R"({"description":null,"status":"pending"},{}])",
     "[]"},
    {R"([{"content":" ","description":"d","status":"pending","activeForm":""}])",
     R"([{"content":"d","status":"pending","activeForm":"d"}])"},
    {R"([{"content":"c","description":"d","status":"pending","activeForm":"a"}])",
     R"([{"content":"c","status":"pending","activeForm":"a"}])"},
    // What is wrong in another way is for whoever reads the list.
    {R"(["nonsense",{"description":5,"status":"pending"},{"description":"d","status":"someday"}])",
     R"(["nonsense",{"status":"pending","content":5},)"
     R"({"status":"someday","content":"d","activeForm":"d"}])"},
    {R"("no list")", R"("no list")"},
};

TEST(GeminiCliTodos, AreTheSameListLiveAndImported) {
  for (const Row& row : k_rows) {
    const auto expected = read_json(row.expected);
    nlohmann::json live{{"todos", read_json(row.given)}};
    tools::rename_fields("write_todos", live);
    EXPECT_EQ(live["todos"], expected) << row.given;

    nlohmann::ordered_json args{{"todos", read_ordered_json(row.given)}};
    const auto imported = core::map_gemini_cli_call("write_todos", args);
    EXPECT_EQ(imported.name, "TodoWrite");
    EXPECT_EQ(write_json(imported.input["todos"]), row.expected) << row.given;
  }
}

TEST(GeminiCliTodos, SayWhetherAnythingChanged) {
  auto ours = read_json(R"([{"content":"c","status":"pending","activeForm":"a"}])");
  EXPECT_FALSE(core::translate_todos(ours));
  auto theirs = read_json(R"([{"description":"c","status":"pending"}])");
  EXPECT_TRUE(core::translate_todos(theirs));
  auto blank = read_json(R"([{"content":"","status":"pending","activeForm":""}])");
  EXPECT_TRUE(core::translate_todos(blank));
}

}  // namespace
}  // namespace yume
