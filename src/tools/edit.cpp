// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/file_tools.h"
#include "tools/line_diff.h"
#include "tools/path_guard.h"
#include "tools/replace_text.h"
#include "tools/text_file.h"

namespace yume::tools {
namespace {

struct EditInput {
  std::string path;
  std::string old_text;
  std::string new_text;
  bool all = false;
};

core::ToolOutcome updated(const EditInput& edit, std::string_view before, std::string_view after) {
  core::ToolOutcome outcome;
  outcome.content = edit.all ? "The file " + edit.path +
                                   " has been updated. All occurrences were successfully replaced."
                             : "The file " + edit.path + " has been updated successfully.";
  std::string details;
  JsonWriter json(details);
  json.begin_object().field("filePath", edit.path).field("oldString", edit.old_text);
  json.field("newString", edit.new_text).field("originalFile", before);
  json.field("structuredPatch", structured_patch(before, after));
  json.field("userModified", false).field("replaceAll", edit.all).end_object();
  outcome.details = RawJson{std::move(details)};
  return outcome;
}

core::ToolOutcome create_file(const NamedFile& file, const EditInput& edit,
                              const ToolContext& context) {
  if (context.files.info(file.real).ok()) {
    return refused_input(
        "The file already exists. An empty old_string is only for creating a new file; copy the "
        "text to replace into old_string.");
  }
  if (auto problem = store_text(file, edit.new_text, context)) return *std::move(problem);
  return updated(edit, "", edit.new_text);
}

core::ToolOutcome run_edit(const NamedFile& file, const EditInput& edit,
                           const ToolContext& context) {
  if (edit.old_text.empty()) return create_file(file, edit, context);
  auto loaded = load_text(file, context, k_largest_text_file);
  if (auto* problem = std::get_if<core::ToolOutcome>(&loaded)) return std::move(*problem);
  const std::string& before = std::get<std::string>(loaded);
  if (auto problem = refuse_unless_known(file, before, context)) return *std::move(problem);

  const auto replaced =
      replace_text(before, {.old_text = edit.old_text, .new_text = edit.new_text, .all = edit.all});
  if (std::holds_alternative<NotFound>(replaced)) {
    return refused_input("String to replace not found in file.\nString: " + edit.old_text);
  }
  if (const auto* ambiguous = std::get_if<Ambiguous>(&replaced)) {
    return refused_input(
        "Found " + std::to_string(ambiguous->matches) +
        " matches of the string to replace, but replace_all is false. To replace all occurrences, "
        "set replace_all to true. To replace only one occurrence, please provide more context to "
        "uniquely identify the instance.\nString: " +
        edit.old_text);
  }
  const auto& after = std::get<std::string>(replaced);
  if (auto problem = store_text(file, after, context)) return *std::move(problem);
  return updated(edit, before, after);
}

class EditTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    EditInput edit;
    edit.path = args.required_string("file_path");
    edit.old_text = args.required_string("old_string");
    edit.new_text = args.required_string("new_string");
    edit.all = args.optional_bool("replace_all", false);
    if (auto problem = args.problems()) return *problem;
    if (edit.old_text == edit.new_text) {
      return refused_input("No changes to make: old_string and new_string are exactly the same.");
    }
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
      .effect = Effect::changes_things,
  };
};

}  // namespace

std::unique_ptr<Tool> make_edit_tool() {
  return std::make_unique<EditTool>();
}

}  // namespace yume::tools
