// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/file_tools.h"
#include "tools/line_diff.h"
#include "tools/path_guard.h"
#include "tools/text_file.h"

namespace yume::tools {
namespace {

constexpr std::size_t k_largest_content = 10U << 20U;

RawJson details(const std::string& path, std::string_view content,
                const std::optional<std::string>& before) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().field("type", before ? "update" : "create").field("filePath", path);
  json.field("content", content);
  json.field("structuredPatch", before ? structured_patch(*before, content) : RawJson{"[]"});
  json.key("originalFile");
  if (before) {
    json.string(*before);
  } else {
    json.null();
  }
  json.field("userModified", false).end_object();
  return {std::move(out)};
}

core::ToolOutcome run_write(const NamedFile& file, const std::string& path,
                            const std::string& content, const ToolContext& context) {
  std::optional<std::string> before;
  if (context.files.info(file.real).ok()) {
    auto loaded = load_text(file, context, k_largest_text_file);
    if (auto* problem = std::get_if<core::ToolOutcome>(&loaded)) return std::move(*problem);
    before = std::get<std::string>(std::move(loaded));
    if (auto problem = refuse_unless_known(file, *before, context)) return *std::move(problem);
  }
  if (auto problem = store_text(file, content, context)) return *std::move(problem);
  core::ToolOutcome outcome;
  outcome.content = before ? "The file " + path + " has been updated successfully."
                           : "File created successfully at: " + path;
  outcome.details = details(path, content, before);
  return outcome;
}

class WriteTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    const std::string path = args.required_string("file_path");
    std::string content = args.required_string("content");
    if (auto problem = args.problems()) return *problem;
    if (content.size() > k_largest_content) {
      return refused_input("The content is larger than 10 MB; write it in parts with Bash.");
    }
    auto file = resolve_path(path, context.cwd, context.home, context.files);
    if (!file.ok()) return refused_input(file.error().message);
    return PlannedCall{
        .action = core::WritesFile{.path = file->real, .given = file->given},
        .run = [file = *file, path, content = std::move(content)](const ToolContext& running) {
          return run_write(file, path, content, running);
        }};
  }

 private:
  ToolSpec spec_{
      .name = "Write",
      .description = std::string(description_text("write")),
      .input_schema = {R"({"type":"object","properties":{)"
                       R"("file_path":{"type":"string","description":"The file to write"},)"
                       R"("content":{"type":"string","description":"Its complete new content"}},)"
                       R"("required":["file_path","content"],"additionalProperties":false})"},
      .effect = Effect::changes_things,
  };
};

}  // namespace

std::unique_ptr<Tool> make_write_tool() {
  return std::make_unique<WriteTool>();
}

}  // namespace yume::tools
