// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/edit_steps.h"
#include "tools/file_tools.h"
#include "tools/line_diff.h"
#include "tools/path_guard.h"
#include "tools/text_file.h"
#include "util/utf8.h"

#include <nlohmann/json.hpp>

namespace yume::tools {
namespace {

constexpr std::size_t k_most_steps = 1000;

struct MultiEditInput {
  std::string path;
  std::vector<EditStep> steps;
};

std::string shortened(std::string_view text) {
  constexpr std::size_t k_longest = 200;
  const std::string_view shown = utf8_prefix(text, k_longest);
  return "\"" + std::string(shown) + (shown.size() < text.size() ? "...\"" : "\"");
}

core::ToolOutcome applied(const MultiEditInput& edit, std::string before, std::string_view after,
                          const std::string& notes) {
  core::ToolOutcome outcome;
  const std::size_t count = edit.steps.size();
  outcome.content = "Applied " + std::to_string(count) + (count == 1 ? " edit" : " edits") +
                    " to " + edit.path + ":";
  for (std::size_t i = 0; i < count; ++i) {
    const EditStep& step = edit.steps[i];
    outcome.content += "\n" + std::to_string(i + 1) + ". Replaced " + shortened(step.old_text) +
                       " with " + shortened(step.new_text);
  }
  if (!notes.empty()) outcome.content += "\n" + notes.substr(1);
  core::Patch patch = patch_between(before, after);
  outcome.details = core::FileEditedInSteps{.path = edit.path,
                                            .replacements = edit.steps,
                                            .before = std::move(before),
                                            .patch = std::move(patch)};
  return outcome;
}

// As with Edit, an empty first old_string makes a new file; the other steps then work on it.
std::variant<EditedText, EditRefusal> apply_to_new_file(const std::vector<EditStep>& steps) {
  return apply_edits(steps.front().new_text, {steps.begin() + 1, steps.end()});
}

std::variant<PreparedText, core::ToolOutcome> prepare_multi_edit(const NamedFile& file,
                                                                 const MultiEditInput& edit,
                                                                 const ToolContext& context) {
  const bool creates = edit.steps.front().old_text.empty();
  std::optional<LoadedText> before;
  if (is_missing(file, context)) {
    if (!creates) return refused_input(missing_file_text(file, context));
  } else {
    auto loaded = load_known_text(file, context);
    if (auto* problem = std::get_if<core::ToolOutcome>(&loaded)) return std::move(*problem);
    before = std::get<LoadedText>(std::move(loaded));
    if (creates && !before->bytes.empty()) {
      return refused_input(
          "The file already exists. An empty old_string is only for creating a new file; copy the "
          "text to replace into old_string.");
    }
    for (const EditStep& step : edit.steps) {
      if (auto problem = refuse_foreign_text(file, before->bytes, step.new_text)) {
        return *std::move(problem);
      }
    }
  }
  auto edited = creates ? apply_to_new_file(edit.steps) : apply_edits(before->bytes, edit.steps);
  if (const auto* refusal = std::get_if<EditRefusal>(&edited)) return refused_input(refusal->text);
  return PreparedText{.before = std::move(before),
                      .after = std::move(std::get<EditedText>(edited).content)};
}

Preview preview_multi_edit(const NamedFile& file, const MultiEditInput& edit,
                           const ToolContext& context) {
  auto prepared = prepare_multi_edit(file, edit, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&prepared)) return std::move(*problem);
  return change_of(file, std::get<PreparedText>(prepared));
}

core::ToolOutcome run_multi_edit(const NamedFile& file, const MultiEditInput& edit,
                                 const ToolContext& context) {
  auto prepared = prepare_multi_edit(file, edit, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&prepared)) return std::move(*problem);
  auto& [before, after] = std::get<PreparedText>(prepared);
  auto stored = store_text(file, after, before, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&stored)) return std::move(*problem);
  return applied(edit, before ? std::move(before->bytes) : std::string(), after,
                 std::get<std::string>(stored));
}

class MultiEditTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    MultiEditInput edit;
    edit.path = args.required_string("file_path");
    for (ArgReader& one : args.required_objects("edits")) {
      EditStep step;
      step.old_text = one.required_string("old_string");
      step.new_text = one.required_string("new_string");
      step.all = one.optional_bool("replace_all", false);
      args.adopt(one);
      edit.steps.push_back(std::move(step));
    }
    if (auto problem = args.problems()) return *problem;
    if (auto problem = refuse_steps(edit.steps)) return *problem;
    auto file = resolve_path(edit.path, context.cwd, context.home, context.files);
    if (!file.ok()) return refused_input(file.error().message);
    return PlannedCall{
        .action = core::WritesFile{.path = file->real, .given = file->given},
        .run = [file = *file,
                edit](const ToolContext& running) { return run_multi_edit(file, edit, running); },
        .preview =
            [file = *file, edit](const ToolContext& asking) {
              return preview_multi_edit(file, edit, asking);
            }};
  }

 private:
  static std::optional<core::ToolOutcome> refuse_steps(const std::vector<EditStep>& steps) {
    if (steps.empty()) return refused_input("No changes to make: edits is empty.");
    if (steps.size() > k_most_steps) {
      return refused_input("There are more than " + std::to_string(k_most_steps) +
                           " edits; make them in several calls.");
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].old_text == steps[i].new_text) return refused_input(k_no_changes);
      if (i > 0 && steps[i].old_text.empty()) {
        return refused_input("Only the first edit may have an empty old_string, to create a file.");
      }
    }
    return std::nullopt;
  }

  ToolSpec spec_{
      .name = "MultiEdit",
      .description = std::string(description_text("multi_edit")),
      .input_schema =
          {R"({"type":"object","properties":{)"
           R"("file_path":{"type":"string","description":"The file to change"},)"
           R"("edits":{"type":"array","description":"Replacements, made in this order",)"
           R"("items":{"type":"object","properties":{)"
           R"("old_string":{"type":"string","description":"Exact text to replace"},)"
           R"("new_string":{"type":"string","description":"Text to put there"},)"
           R"("replace_all":{"type":"boolean","description":"Every occurrence"}},)"
           R"("required":["old_string","new_string"],"additionalProperties":false}}},)"
           R"("required":["file_path","edits"],"additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::changes_things,
  };
};

}  // namespace

std::unique_ptr<Tool> make_multi_edit_tool() {
  return std::make_unique<MultiEditTool>();
}

}  // namespace yume::tools
