// SPDX-License-Identifier: MIT
// ExitPlanMode and AskUserQuestion: the host's answer to the permission question is the work.
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/session_tools.h"
#include "util/json_tree.h"

namespace yume::tools {
namespace {

using nlohmann::json;

core::ToolOutcome approved(const std::string& plan) {
  core::ToolOutcome outcome;
  outcome.content = "User has approved exiting plan mode. You can now proceed.";
  if (!plan.empty()) {
    outcome.content =
        "User has approved your plan. You can now start coding. Start with updating "
        "your todo list if applicable.";
  }
  outcome.details = core::PlanApproved{plan};
  return outcome;
}

class ExitPlanModeTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const json& input, const ToolContext& /*context*/) const override {
    const auto given = input.find("plan");
    std::string text =
        given != input.end() && given->is_string() ? given->get<std::string>() : std::string();
    return PlannedCall{
        .action = core::AsksPerson{.then = core::PermissionMode::default_mode},
        .run = [text = std::move(text)](const ToolContext&) { return approved(text); }};
  }

 private:
  ToolSpec spec_{
      .name = "ExitPlanMode",
      .description = std::string(description_text("exit_plan_mode")),
      .input_schema = {R"({"type":"object","properties":{"plan":{"type":"string",)"
                       R"("description":"The plan, as Markdown"}}})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::changes_things,
  };
};

// Claude's shape: a map from each question to the label that was chosen.
core::ToolOutcome answered(const json& input) {
  const auto answers = input.find("answers");
  std::string pairs;
  if (answers != input.end() && answers->is_object()) {
    for (const auto& [question, answer] : answers->items()) {
      pairs += (pairs.empty() ? "\"" : ", \"") + question + "\"=\"";
      pairs += answer.is_string() ? answer.get<std::string>() : write_json(answer);
      pairs += "\"";
    }
  }
  core::ToolOutcome outcome;
  outcome.content = pairs.empty() ? "The user did not answer the questions."
                                  : "Your questions have been answered: " + pairs +
                                        ". You can now continue with these answers in mind.";
  outcome.details =
      core::QuestionsAnswered{.questions = {write_json(input["questions"])},
                              .answers = {pairs.empty() ? "{}" : write_json(*answers)}};
  return outcome;
}

// What is wrong with the questions; empty: nothing.
std::string problem_with(const json& questions) {
  if (!questions.is_array() || questions.empty() || questions.size() > 4) {
    return "The parameter `questions` must be an array of one to four questions";
  }
  for (const json& question : questions) {
    const bool fine = question.is_object() && question.contains("question") &&
                      question["question"].is_string() && question.contains("options") &&
                      question["options"].is_array() && question["options"].size() >= 2 &&
                      question["options"].size() <= 4;
    if (!fine) return "Each question needs `question`, `header` and two to four `options`";
  }
  return "";
}

class AskUserQuestionTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const json& input, const ToolContext& /*context*/) const override {
    const auto questions = input.find("questions");
    const std::string problem = questions == input.end()
                                    ? "The required parameter `questions` is missing"
                                    : problem_with(*questions);
    if (!problem.empty()) {
      return refused_input(
          "InputValidationError: AskUserQuestion failed due to the following issue:\n" + problem);
    }
    return PlannedCall{.action = core::AsksPerson{},
                       .run = [input](const ToolContext&) { return answered(input); }};
  }

 private:
  ToolSpec spec_{
      .name = "AskUserQuestion",
      .description = std::string(description_text("ask_user_question")),
      .input_schema =
          {R"({"type":"object","properties":{"questions":{"type":"array",)"
           R"("items":{"type":"object","properties":{"question":{"type":"string"},)"
           R"("header":{"type":"string"},"multiSelect":{"type":"boolean"},)"
           R"("options":{"type":"array","items":{"type":"object",)"
           R"("properties":{"label":{"type":"string"},"description":{"type":"string"}},)"
           R"("required":["label","description"]},"minItems":2,"maxItems":4}},)"
           R"("required":["question","header","options","multiSelect"]},)"
           R"("minItems":1,"maxItems":4}},"required":["questions"]})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::changes_things,
  };
};

}  // namespace

std::unique_ptr<Tool> make_exit_plan_mode_tool() {
  return std::make_unique<ExitPlanModeTool>();
}

std::unique_ptr<Tool> make_ask_user_question_tool() {
  return std::make_unique<AskUserQuestionTool>();
}

}  // namespace yume::tools
