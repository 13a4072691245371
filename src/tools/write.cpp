// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/file_tools.h"
#include "tools/line_diff.h"
#include "tools/line_endings.h"
#include "tools/path_guard.h"
#include "tools/text_encoding.h"
#include "tools/text_file.h"

namespace yume::tools {
namespace {

constexpr std::size_t k_largest_content = 10U << 20U;

// The content as the old file would have it: with its byte order mark and its line endings. What
// the model writes has neither, for Read does not show them.
std::string in_the_style_of(std::string_view before, std::string_view content) {
  const bool has_mark = before.starts_with(k_utf8_mark);
  if (has_mark) before.remove_prefix(k_utf8_mark.size());
  std::string after(has_mark && !content.starts_with(k_utf8_mark) ? k_utf8_mark : "");
  return after += with_line_ends_of(before, content, "\n");
}

std::variant<PreparedText, core::ToolOutcome> prepare_write(const NamedFile& file,
                                                            const std::string& content,
                                                            const ToolContext& context) {
  constexpr std::string_view k_unreadable = "\uFFFD";
  std::optional<LoadedText> before;
  if (!is_missing(file, context)) {
    auto loaded = load_known_text(file, context);
    if (auto* problem = std::get_if<core::ToolOutcome>(&loaded)) return std::move(*problem);
    before = std::get<LoadedText>(std::move(loaded));
    // Read shows this sign for what it cannot show; written back, the original would be lost.
    if (content.find(k_unreadable) != std::string::npos) {
      if (auto problem = refuse_foreign_text(file, before->bytes, content)) {
        return *std::move(problem);
      }
    }
  }
  std::string after = before ? in_the_style_of(before->bytes, content) : content;
  return PreparedText{.before = std::move(before), .after = std::move(after)};
}

Preview preview_write(const NamedFile& file, const std::string& content,
                      const ToolContext& context) {
  auto prepared = prepare_write(file, content, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&prepared)) return std::move(*problem);
  return change_of(file, std::get<PreparedText>(prepared));
}

core::ToolOutcome run_write(const NamedFile& file, const std::string& path,
                            const std::string& content, const ToolContext& context) {
  auto prepared = prepare_write(file, content, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&prepared)) return std::move(*problem);
  auto& [before, after] = std::get<PreparedText>(prepared);
  auto stored = store_text(file, after, before, context);
  if (auto* problem = std::get_if<core::ToolOutcome>(&stored)) return std::move(*problem);
  core::ToolOutcome outcome;
  outcome.content = (before ? "The file " + path + " has been updated successfully."
                            : "File created successfully at: " + path) +
                    std::get<std::string>(stored);
  core::FileWritten written{.path = path, .content = content, .before = std::nullopt, .patch = {}};
  if (before) {
    written.patch = patch_between(before->bytes, after);
    written.before = std::move(before->bytes);
  }
  outcome.details = std::move(written);
  return outcome;
}

class WriteTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    const std::string path = args.required_string("file_path");
    const std::string content = args.required_string("content");
    if (auto problem = args.problems()) return *problem;
    if (content.size() > k_largest_content) {
      return refused_input("The content is larger than 10 MB; write it in parts with Bash.");
    }
    auto file = resolve_path(path, context.cwd, context.home, context.files);
    if (!file.ok()) return refused_input(file.error().message);
    return PlannedCall{
        .action = core::WritesFile{.path = file->real, .given = file->given},
        .run = [file = *file, path, content](
                   const ToolContext& running) { return run_write(file, path, content, running); },
        .preview = [file = *file, content](
                       const ToolContext& asking) { return preview_write(file, content, asking); }};
  }

 private:
  ToolSpec spec_{
      .name = "Write",
      .description = std::string(description_text("write")),
      .input_schema = {R"({"type":"object","properties":{)"
                       R"("file_path":{"type":"string","description":"The file to write"},)"
                       R"("content":{"type":"string","description":"Its complete new content"}},)"
                       R"("required":["file_path","content"],"additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::changes_things,
  };
};

}  // namespace

std::unique_ptr<Tool> make_write_tool() {
  return std::make_unique<WriteTool>();
}

}  // namespace yume::tools
