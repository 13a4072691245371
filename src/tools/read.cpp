// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/file_tools.h"
#include "tools/path_guard.h"
#include "tools/text_file.h"
#include "util/utf8.h"

#include <algorithm>
#include <vector>

namespace yume::tools {
namespace {

constexpr std::uint64_t k_whole_file_limit = 256U << 10U;
constexpr std::string_view k_bom = "\xEF\xBB\xBF";

struct Window {
  std::optional<std::int64_t> offset;
  std::optional<std::int64_t> limit;
};

// Lines without their ends; CRLF counts as one end, and the empty rest after a final newline as a
// line, as Claude counts it.
std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (;;) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (end != std::string_view::npos && line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string size_text(std::uint64_t bytes) {
  return std::to_string((bytes + 512) / 1024) + "KB";
}

core::ToolOutcome warning(const std::string& text) {
  core::ToolOutcome outcome;
  outcome.content = "<system-reminder>Warning: " + text + "</system-reminder>";
  return outcome;
}

core::ToolOutcome too_large(std::uint64_t bytes) {
  return failed_running("File content (" + size_text(bytes) + ") exceeds maximum allowed size (" +
                        size_text(k_whole_file_limit) +
                        "). Use offset and limit parameters to read specific portions of the "
                        "file, or search for specific content with Bash.");
}

core::ToolOutcome numbered(const std::string& path, std::string_view text, const Window& window) {
  if (text.empty()) return warning("the file exists but the contents are empty.");
  const std::vector<std::string_view> lines = split_lines(text);
  const auto total = static_cast<std::int64_t>(lines.size());
  const std::int64_t first = std::max<std::int64_t>(window.offset.value_or(1), 1);
  if (first > total) {
    return warning("the file exists but is shorter than the provided offset (" +
                   std::to_string(first) + "). The file has " + std::to_string(total) + " lines.");
  }
  const std::int64_t count =
      std::clamp<std::int64_t>(window.limit.value_or(total), 0, total - first + 1);

  core::ToolOutcome outcome;
  std::string raw;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string_view line = lines[static_cast<std::size_t>(first - 1 + i)];
    if (i > 0) {
      outcome.content.push_back('\n');
      raw.push_back('\n');
    }
    outcome.content.append(std::to_string(first + i)).append("\t").append(line);
    raw.append(line);
    if (outcome.content.size() > 2 * k_whole_file_limit) return too_large(text.size());
  }
  std::string details;
  JsonWriter json(details);
  json.begin_object().field("type", "text").key("file").begin_object();
  json.field("filePath", path).field("content", raw).field("numLines", count);
  json.field("startLine", first).field("totalLines", total).end_object().end_object();
  outcome.details = RawJson{std::move(details)};
  return outcome;
}

core::ToolOutcome run_read(const NamedFile& file, const std::string& shown, const Window& window,
                           const ToolContext& context) {
  const bool whole = !window.limit;
  const auto info = context.files.info(file.real);
  if (whole && info.ok() && info->kind == platform::FileKind::regular &&
      info->size > k_whole_file_limit) {
    return too_large(info->size);
  }
  auto loaded = load_text(file, context, k_largest_text_file);
  if (auto* problem = std::get_if<core::ToolOutcome>(&loaded)) return std::move(*problem);
  const std::string& bytes = std::get<std::string>(loaded);
  context.memory.remember(file.real, bytes);
  std::string text = to_valid_utf8(bytes);
  std::string_view visible = text;
  if (visible.starts_with(k_bom)) visible.remove_prefix(k_bom.size());
  return numbered(shown, visible, window);
}

class ReadTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    const std::string path = args.required_string("file_path");
    const Window window{args.optional_integer("offset"), args.optional_integer("limit")};
    if (auto problem = args.problems()) return *problem;
    auto file = resolve_path(path, context.cwd, context.home, context.files);
    if (!file.ok()) return refused_input(file.error().message);
    return PlannedCall{.action = core::ReadsFile{.path = file->real, .given = file->given},
                       .run = [file = *file, path, window](const ToolContext& running) {
                         return run_read(file, path, window, running);
                       }};
  }

 private:
  ToolSpec spec_{
      .name = "Read",
      .description = std::string(description_text("read")),
      .input_schema = {R"({"type":"object","properties":{)"
                       R"("file_path":{"type":"string","description":"The file to read"},)"
                       R"("offset":{"type":"integer","description":"First line, from 1"},)"
                       R"("limit":{"type":"integer","description":"How many lines"}},)"
                       R"("required":["file_path"],"additionalProperties":false})"},
      .effect = Effect::reads_only,
  };
};

}  // namespace

std::unique_ptr<Tool> make_read_tool() {
  return std::make_unique<ReadTool>();
}

}  // namespace yume::tools
