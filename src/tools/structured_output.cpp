// SPDX-License-Identifier: MIT
#include "tools/descriptions.h"
#include "tools/session_tools.h"
#include "tools/text_file.h"
#include "util/json_tree.h"

#include <utility>

namespace yume::tools {
namespace {

class StructuredOutputTool final : public Tool {
 public:
  StructuredOutputTool(JsonSchema schema, RawJson text) : schema_(std::move(schema)) {
    spec_.input_schema = std::move(text);
  }

  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& /*context*/) const override {
    const std::vector<std::string> problems = schema_.problems(input);
    if (!problems.empty()) {
      std::string text = "Output does not match required schema: ";
      for (const std::string& problem : problems) {
        text.append(&problem == &problems.front() ? "" : ", ").append(problem);
      }
      return failed_running(std::move(text));
    }
    return PlannedCall{.action = core::StaysInSession{}, .run = [](const ToolContext&) {
                         core::ToolOutcome outcome;
                         outcome.content = "Structured output provided successfully";
                         outcome.is_answer = true;
                         return outcome;
                       }};
  }

 private:
  JsonSchema schema_;
  ToolSpec spec_{
      .name = std::string(core::k_structured_output),
      .description = std::string(description_text("structured_output")),
      .input_schema = {},
      .schema_form = SchemaForm::any,
      .effect = Effect::changes_things,
  };
};

}  // namespace

Result<std::unique_ptr<Tool>> make_structured_output_tool(const RawJson& schema) {
  YUME_TRY(JsonSchema checked, parse_output_schema(schema.text));
  return std::unique_ptr<Tool>(std::make_unique<StructuredOutputTool>(std::move(checked), schema));
}

}  // namespace yume::tools
