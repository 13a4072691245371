// SPDX-License-Identifier: MIT
#include "tools/registry.h"

#include "gemini/schema.h"
#include "util/json_io.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace yume::tools {
namespace {

TEST(Registry, OffersTheBuiltInTools) {
  const Registry registry = make_builtin_tools();
  EXPECT_EQ(registry.names(),
            (std::vector<std::string>{"Bash", "BashOutput", "Edit", "Glob", "Grep", "KillShell",
                                      "LS", "MultiEdit", "NotebookEdit", "Read", "TodoWrite",
                                      "WebFetch", "WebSearch", "Write"}));
  EXPECT_EQ(registry.find("Read")->spec().name, "Read");
  EXPECT_EQ(registry.find("read"), nullptr);
  EXPECT_EQ(registry.find(""), nullptr);
}

TEST(Registry, ForgetsATool) {
  Registry registry = make_builtin_tools();
  registry.remove("Bash");
  registry.remove("Unknown");
  EXPECT_EQ(registry.names(),
            (std::vector<std::string>{"BashOutput", "Edit", "Glob", "Grep", "KillShell", "LS",
                                      "MultiEdit", "NotebookEdit", "Read", "TodoWrite", "WebFetch",
                                      "WebSearch", "Write"}));
  EXPECT_EQ(registry.find("Bash"), nullptr);
}

TEST(Registry, DescribesEachToolForTheModel) {
  const Registry registry = make_builtin_tools();
  for (const auto& tool : registry.all()) {
    const ToolSpec& spec = tool->spec();
    EXPECT_GT(spec.description.size(), 100U) << spec.name;
    const auto schema = nlohmann::json::parse(spec.input_schema.text);
    EXPECT_EQ(schema["type"], "object") << spec.name;
    EXPECT_EQ(schema["additionalProperties"], false) << spec.name;
    for (const std::string required : schema.value("required", nlohmann::json::array())) {
      EXPECT_TRUE(schema["properties"].contains(required)) << spec.name << " " << required;
    }
  }
}

TEST(Registry, HasOnlySchemasThatNeedNoCleaning) {
  Registry registry = make_builtin_tools();
  add_question_tools(registry);
  for (const auto& tool : registry.all()) {
    const ToolSpec& spec = tool->spec();
    EXPECT_EQ(spec.schema_form, SchemaForm::plain) << spec.name;
    EXPECT_EQ(gemini::clean_schema(spec.input_schema).text, spec.input_schema.text) << spec.name;
  }
}

TEST(Registry, LetsOnlyReadersRunBesideOthers) {
  const Registry registry = make_builtin_tools();
  const std::set<std::string> readers = {"Glob", "Grep", "LS", "Read", "WebFetch", "WebSearch"};
  for (const auto& tool : registry.all()) {
    const bool reads = readers.contains(tool->spec().name);
    EXPECT_EQ(tool->spec().effect, reads ? Effect::reads_only : Effect::changes_things);
  }
}

TEST(Registry, FindsAToolByGeminiClisName) {
  Registry registry = make_builtin_tools();
  EXPECT_EQ(registry.find("search_file_content")->spec().name, "Grep");
  EXPECT_EQ(registry.find("list_directory")->spec().name, "LS");
  EXPECT_EQ(registry.find("web_fetch")->spec().name, "WebFetch");
  EXPECT_EQ(registry.find("google_web_search")->spec().name, "WebSearch");
  registry.remove("Grep");
  EXPECT_EQ(registry.find("search_file_content"), nullptr);
}

}  // namespace
}  // namespace yume::tools
