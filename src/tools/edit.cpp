// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/edit_steps.h"
#include "tools/file_tools.h"
#include "tools/line_diff.h"
#include "tools/path_guard.h"
#include "tools/text_file.h"

namespace yume::tools {
namespace {

struct EditInput {
  std::string path;
  EditStep step;
};

struct Change {
  std::string before;
  std::string_view after;
  std::size_t matches = 1;
  std::string notes;
};

core::ToolOutcome updated(const EditInput& edit, Change change) {
  core::ToolOutcome outcome;
  outcome.content =
      "The file " + edit.path +
      (edit.step.all ? " has been updated. All occurrences were successfully replaced."
                     : " has been updated successfully.") +
      change.notes;
  if (edit.step.all) {
    outcome.model_note = std::to_string(change.matches) +
                         (change.matches == 1 ? " occurrence was" : " occurrences were") +
                         " replaced.";
  }
  core::Patch patch = patch_between(change.before, change.after);
  outcome.details = core::FileEdited{.path = edit.path,
                                     .replacement = edit.step,
                                     .before = std::move(change.before),
                                     .patch = std::move(patch)};
  return outcome;
}

core::ToolOutcome create_file(const NamedFile& file, const EditInput& edit,
                              const ToolContext& context) {
  std::optional<LoadedText> before;
  if (!is_missing(file, context)) {
    auto loaded = load_known_text(file, context);
    if (auto* problem = std::get_if<core::ToolOutcome>(&loaded)) return std::move(*problem);
    before = std::get<LoadedText>(std::move(loaded));
    if (!before->bytes.empty()) {
      return refused_input(
          "The file already exists. An empty old_string is only for creating a new file; copy the "
          "text to replace into old_string.");
    }
  }
  auto stored = store_text(file, edit.step.new_text, before, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&stored)) return std::move(*problem);
  return updated(edit, {.before = "",
                        .after = edit.step.new_text,
                        .matches = 1,
                        .notes = std::get<std::string>(std::move(stored))});
}

core::ToolOutcome run_edit(const NamedFile& file, const EditInput& edit,
                           const ToolContext& context) {
  if (edit.step.old_text.empty()) return create_file(file, edit, context);
  if (is_missing(file, context)) return refused_input(missing_file_text(file, context));
  auto loaded = load_known_text(file, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&loaded)) return std::move(*problem);
  auto& before = std::get<LoadedText>(loaded);
  if (auto problem = refuse_foreign_text(file, before.bytes, edit.step.new_text)) {
    return *std::move(problem);
  }
  auto edited = apply_edits(before.bytes, {edit.step});
  if (const auto* refusal = std::get_if<EditRefusal>(&edited)) return refused_input(refusal->text);
  const auto& after = std::get<EditedText>(edited);
  auto stored = store_text(file, after.content, before, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&stored)) return std::move(*problem);
  return updated(edit, {.before = std::move(before.bytes),
                        .after = after.content,
                        .matches = after.matches.front(),
                        .notes = std::get<std::string>(std::move(stored))});
}

class EditTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    EditInput edit;
    edit.path = args.required_string("file_path");
    edit.step.old_text = args.required_string("old_string");
    edit.step.new_text = args.required_string("new_string");
    edit.step.all = args.optional_bool("replace_all", false);
    if (auto problem = args.problems()) return *problem;
    if (edit.step.old_text == edit.step.new_text) return refused_input(k_no_changes);
    auto file = resolve_path(edit.path, context.cwd, context.home, context.files);
    if (!file.ok()) return refused_input(file.error().message);
    return PlannedCall{.action = core::WritesFile{.path = file->real, .given = file->given},
                       .run = [file = *file, edit = std::move(edit)](const ToolContext& running) {
                         return run_edit(file, edit, running);
                       }};
  }

 private:
  ToolSpec spec_{
      .name = "Edit",
      .description = std::string(description_text("edit")),
      .input_schema = {R"({"type":"object","properties":{)"
                       R"("file_path":{"type":"string","description":"The file to change"},)"
                       R"("old_string":{"type":"string","description":"Exact text to replace"},)"
                       R"("new_string":{"type":"string","description":"Text to put there"},)"
                       R"("replace_all":{"type":"boolean","description":"Every occurrence"}},)"
                       R"("required":["file_path","old_string","new_string"],)"
                       R"("additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::changes_things,
  };
};

}  // namespace

std::unique_ptr<Tool> make_edit_tool() {
  return std::make_unique<EditTool>();
}

}  // namespace yume::tools
