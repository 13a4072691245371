// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/session_tools.h"
#include "tools/skill_book.h"
#include "util/utf8.h"

#include <utility>

namespace yume::tools {
namespace {

constexpr std::size_t k_longest_listing = 15'000;  // bytes, as Claude bounds it
constexpr std::size_t k_longest_line = 500;

std::string description_with(const std::vector<SkillLine>& skills) {
  std::string text(description_text("skill"));
  text += "\n\nSkills:";
  std::size_t left = skills.size();
  for (const SkillLine& skill : skills) {
    const std::string line =
        "\n- " + skill.name + ": " + std::string(utf8_prefix(skill.description, k_longest_line));
    if (text.size() + line.size() > k_longest_listing) break;
    text += line;
    --left;
  }
  if (left > 0) text += "\n(and " + std::to_string(left) + " more that are not listed)";
  return text;
}

class SkillTool final : public Tool {
 public:
  explicit SkillTool(const SkillBook& book) : book_(book) {
    spec_.description = description_with(book.skills());
  }

  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& /*context*/) const override {
    ArgReader args(spec_.name, input);
    std::string name = args.required_string("skill");
    const std::string arguments = args.optional_string("args").value_or("");
    if (auto problem = args.problems()) return *problem;
    if (name.starts_with('/')) name.erase(0, 1);
    auto skill = book_.open(name, arguments);
    if (!skill) return refused_input("Unknown skill: " + name);
    return PlannedCall{.action = core::StaysInSession{},
                       .run = [skill = *std::move(skill)](const ToolContext& /*running*/) {
                         core::ToolOutcome outcome;
                         outcome.content = "Launching skill: " + skill.name;
                         outcome.model_note = skill.text;
                         return outcome;
                       }};
  }

 private:
  const SkillBook& book_;
  ToolSpec spec_{
      .name = "Skill",
      .description = {},
      .input_schema = {R"({"type":"object","properties":{)"
                       R"("skill":{"type":"string","description":"The skill's name"},)"
                       R"("args":{"type":"string","description":"Arguments for the skill"}},)"
                       R"("required":["skill"],"additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::reads_only,
  };
};

}  // namespace

std::unique_ptr<Tool> make_skill_tool(const SkillBook& book) {
  return std::make_unique<SkillTool>(book);
}

}  // namespace yume::tools
