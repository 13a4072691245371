// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/file_tools.h"
#include "tools/notebook.h"
#include "tools/path_guard.h"
#include "tools/text_file.h"
#include "util/uuid.h"

namespace yume::tools {
namespace {

struct NotebookInput {
  std::string path;
  CellEdit edit;
};

std::optional<CellEditMode> mode_from(std::string_view name) {
  if (name == "replace") return CellEditMode::replace;
  if (name == "insert") return CellEditMode::insert;
  if (name == "delete") return CellEditMode::remove;
  return std::nullopt;
}

core::ToolOutcome done(const NotebookInput& input, EditedNotebook edited, std::string before,
                       const std::string& notes) {
  core::ToolOutcome outcome;
  const std::string& id = edited.cell.id;
  const std::string& source = input.edit.new_source;
  switch (input.edit.mode) {
    case CellEditMode::replace:
      outcome.content = "Updated cell " + id + " with " + source;
      break;
    case CellEditMode::insert:
      outcome.content = "Inserted cell " + id + " with " + source;
      break;
    case CellEditMode::remove:
      outcome.content = "Deleted cell " + id;
      break;
  }
  if (!notes.empty()) outcome.content += "\n" + notes.substr(1);
  outcome.details = core::NotebookEdited{.path = input.path,
                                         .mode = input.edit.mode,
                                         .cell_id = std::move(edited.cell.id),
                                         .cell_type = std::move(edited.cell.type),
                                         .language = std::move(edited.language),
                                         .new_source = source,
                                         .old_source = std::move(edited.old_source),
                                         .before = std::move(before),
                                         .after = std::move(edited.text)};
  return outcome;
}

struct PreparedCell {
  LoadedText before;
  EditedNotebook after;
};
using Prepared = std::variant<PreparedCell, core::ToolOutcome>;

Prepared prepare_notebook_edit(const NamedFile& file, const NotebookInput& input,
                               const ToolContext& context) {
  if (is_missing(file, context)) return refused_input(missing_file_text(file, context));
  auto loaded = load_known_text(file, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&loaded)) return std::move(*problem);
  auto& before = std::get<LoadedText>(loaded);
  auto edited = edit_notebook(before.bytes, input.edit);
  if (!edited.ok()) return refused_input(edited.error().message);
  return PreparedCell{.before = std::move(before), .after = std::move(edited).value()};
}

Preview preview_notebook_edit(const NamedFile& file, const NotebookInput& input,
                              const ToolContext& context) {
  Prepared prepared = prepare_notebook_edit(file, input, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&prepared)) return std::move(*problem);
  auto& [before, after] = std::get<PreparedCell>(prepared);
  return change_of(file, {.before = std::move(before), .after = std::move(after.text)});
}

core::ToolOutcome run_notebook_edit(const NamedFile& file, const NotebookInput& input,
                                    const ToolContext& context) {
  Prepared prepared = prepare_notebook_edit(file, input, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&prepared)) return std::move(*problem);
  auto& [before, after] = std::get<PreparedCell>(prepared);
  auto stored = store_text(file, after.text, before, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&stored)) return std::move(*problem);
  return done(input, std::move(after), std::move(before.bytes), std::get<std::string>(stored));
}

class NotebookEditTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    NotebookInput notebook;
    notebook.path = args.required_string("notebook_path");
    const std::string mode_name = args.optional_string("edit_mode").value_or("replace");
    notebook.edit.cell_id = args.optional_string("cell_id");
    notebook.edit.cell_type = args.optional_string("cell_type");
    const std::optional<CellEditMode> mode = mode_from(mode_name);
    // Nothing to say about a cell that goes away.
    notebook.edit.new_source = mode == CellEditMode::remove
                                   ? args.optional_string("new_source").value_or("")
                                   : args.required_string("new_source");
    if (auto problem = args.problems()) return *problem;
    if (!mode) return refused_input("Edit mode must be replace, insert, or delete.");
    notebook.edit.mode = *mode;
    const auto& type = notebook.edit.cell_type;
    if (type && *type != "code" && *type != "markdown") {
      return refused_input("Cell type must be code or markdown.");
    }
    auto file = resolve_path(notebook.path, context.cwd, context.home, context.files);
    if (!file.ok()) return refused_input(file.error().message);
    if (file->given.extension() != ".ipynb") {
      return refused_input(
          "File must be a Jupyter notebook (.ipynb file). For editing other file types, use the "
          "Edit tool.");
    }
    constexpr std::size_t k_id_length = 8;
    notebook.edit.fresh_id = make_uuid().substr(0, k_id_length);
    return PlannedCall{.action = core::WritesFile{.path = file->real, .given = file->given},
                       .run =
                           [file = *file, notebook](const ToolContext& running) {
                             return run_notebook_edit(file, notebook, running);
                           },
                       .preview =
                           [file = *file, notebook](const ToolContext& asking) {
                             return preview_notebook_edit(file, notebook, asking);
                           }};
  }

 private:
  ToolSpec spec_{
      .name = "NotebookEdit",
      .description = std::string(description_text("notebook_edit")),
      .input_schema =
          {R"({"type":"object","properties":{)"
           R"("notebook_path":{"type":"string","description":"The .ipynb file"},)"
           R"("cell_id":{"type":"string","description":"The cell, by the id that Read shows"},)"
           R"("new_source":{"type":"string","description":"The cell's whole new text"},)"
           R"("cell_type":{"type":"string","enum":["code","markdown"]},)"
           R"("edit_mode":{"type":"string","enum":["replace","insert","delete"]}},)"
           R"("required":["notebook_path","new_source"],"additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::changes_things,
  };
};

}  // namespace

std::unique_ptr<Tool> make_notebook_edit_tool() {
  return std::make_unique<NotebookEditTool>();
}

}  // namespace yume::tools
