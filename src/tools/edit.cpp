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

struct PreparedEdit {
  PreparedText text;
  std::size_t matches = 1;
};
using Prepared = std::variant<PreparedEdit, core::ToolOutcome>;

core::ToolOutcome updated(const EditInput& edit, PreparedEdit prepared, const std::string& notes) {
  core::ToolOutcome outcome;
  outcome.content =
      "The file " + edit.path +
      (edit.step.all ? " has been updated. All occurrences were successfully replaced."
                     : " has been updated successfully.") +
      notes;
  if (edit.step.all) {
    outcome.model_note = std::to_string(prepared.matches) +
                         (prepared.matches == 1 ? " occurrence was" : " occurrences were") +
                         " replaced.";
  }
  std::string before = prepared.text.before ? std::move(prepared.text.before->bytes) : "";
  core::Patch patch = patch_between(before, prepared.text.after);
  outcome.details = core::FileEdited{.path = edit.path,
                                     .replacement = edit.step,
                                     .before = std::move(before),
                                     .patch = std::move(patch)};
  return outcome;
}

Prepared prepare_creation(const NamedFile& file, const EditInput& edit,
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
  return PreparedEdit{.text = {.before = std::move(before), .after = edit.step.new_text}};
}

Prepared prepare_edit(const NamedFile& file, const EditInput& edit, const ToolContext& context) {
  if (edit.step.old_text.empty()) return prepare_creation(file, edit, context);
  if (is_missing(file, context)) return refused_input(missing_file_text(file, context));
  auto loaded = load_known_text(file, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&loaded)) return std::move(*problem);
  auto& before = std::get<LoadedText>(loaded);
  if (auto problem = refuse_foreign_text(file, before.bytes, edit.step.new_text)) {
    return *std::move(problem);
  }
  auto edited = apply_edits(before.bytes, {edit.step});
  if (const auto* refusal = std::get_if<EditRefusal>(&edited)) return refused_input(refusal->text);
  auto& after = std::get<EditedText>(edited);
  return PreparedEdit{.text = {.before = std::move(before), .after = std::move(after.content)},
                      .matches = after.matches.front()};
}

Preview preview_edit(const NamedFile& file, const EditInput& edit, const ToolContext& context) {
  Prepared prepared = prepare_edit(file, edit, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&prepared)) return std::move(*problem);
  return change_of(file, std::get<PreparedEdit>(prepared).text);
}

core::ToolOutcome run_edit(const NamedFile& file, const EditInput& edit,
                           const ToolContext& context) {
  Prepared prepared = prepare_edit(file, edit, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&prepared)) return std::move(*problem);
  auto& change = std::get<PreparedEdit>(prepared);
  auto stored = store_text(file, change.text.after, change.text.before, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&stored)) return std::move(*problem);
  return updated(edit, std::move(change), std::get<std::string>(stored));
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
    return PlannedCall{
        .action = core::WritesFile{.path = file->real, .given = file->given},
        .run = [file = *file,
                edit](const ToolContext& running) { return run_edit(file, edit, running); },
        .preview = [file = *file,
                    edit](const ToolContext& asking) { return preview_edit(file, edit, asking); }};
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
