// SPDX-License-Identifier: MIT
#include "tools/read_special.h"

#include "core/media_header.h"
#include "tools/notebook.h"
#include "util/base64.h"
#include "util/utf8.h"

#include <utility>

namespace yume::tools {
namespace {

constexpr std::size_t k_longest_output = 10'000;
constexpr std::size_t k_most_images = 20;

core::ToolOutcome show_image(core::Media media, std::string_view bytes, const std::string& path) {
  const auto size = core::image_size(bytes);
  core::ToolOutcome outcome;
  outcome.content = "Image file read: " + path + " (" + media.mime_type;
  if (size)
    outcome.content += ", " + std::to_string(size->width) + "x" + std::to_string(size->height);
  outcome.content += ", " + kilobytes_text(bytes.size()) + ")";
  outcome.details = core::ImageRead{.file_bytes = bytes.size(), .size = size};
  outcome.media.push_back(std::move(media));
  outcome.media_is_content = true;
  return outcome;
}

core::ToolOutcome show_pdf(core::Media media, std::string_view bytes, const std::string& path,
                           const std::optional<std::string>& pages) {
  core::ToolOutcome outcome;
  outcome.content = "PDF file read: " + path + " (" + kilobytes_text(bytes.size()) + ")";
  if (pages) {
    outcome.model_note =
        "The whole document is attached; pages cannot be picked out. Look at pages " + *pages +
        " of it.";
  }
  outcome.details = core::PdfRead{.path = path, .file_bytes = bytes.size()};
  outcome.media.push_back(std::move(media));
  return outcome;
}

std::string shown_output(const CellOutput& output, const std::string& path, std::size_t cell) {
  if (output.text.size() <= k_longest_output) {
    return output.text + (output.image ? "[" + output.image->mime_type + " output]" : "") +
           output.image_problem;
  }
  return "[Output of " + std::to_string(output.text.size()) +
         " bytes left out; see it with Bash: " + "jq '.cells[" + std::to_string(cell) +
         "].outputs' " + path + "]";
}

std::string shown_cell(const Cell& cell) {
  std::string text = "<cell id=\"" + cell.id + "\">";
  if (cell.type != "code") text += "<cell_type>" + cell.type + "</cell_type>";
  if (!cell.language.empty() && cell.language != "python") {
    text += "<language>" + cell.language + "</language>";
  }
  return text + cell.source + "</cell id=\"" + cell.id + "\">";
}

core::NotebookCell for_programs(Cell cell) {
  core::NotebookCell made{.id = std::move(cell.id),
                          .type = std::move(cell.type),
                          .source = std::move(cell.source),
                          .language = std::move(cell.language),
                          .execution_count = cell.execution_count};
  for (CellOutput& output : cell.outputs) {
    made.outputs.push_back({.type = std::move(output.type),
                            .text = std::string(utf8_prefix(output.text, k_longest_output))});
  }
  return made;
}

}  // namespace

std::string kilobytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  return std::to_string((bytes + 512) / 1024) + "KB";
}

core::ToolOutcome show_media(std::string_view type, std::string_view bytes, const std::string& path,
                             const std::optional<std::string>& pages) {
  core::Media media{.mime_type = std::string(type), .base64 = base64(bytes)};
  if (type == "application/pdf") return show_pdf(std::move(media), bytes, path, pages);
  return show_image(std::move(media), bytes, path);
}

std::optional<core::ToolOutcome> show_notebook(std::string_view bytes, const std::string& path) {
  auto notebook = parse_notebook(bytes);
  if (!notebook.ok()) return std::nullopt;
  core::ToolOutcome outcome;
  core::NotebookRead read{.path = path, .cells = {}};
  std::size_t shown = 0;
  for (Cell& cell : notebook->cells) {
    std::string text = shown_cell(cell);
    for (const CellOutput& output : cell.outputs) text += "\n" + shown_output(output, path, shown);
    if (shown > 0 && outcome.content.size() + text.size() > k_most_shown_bytes) break;
    if (text.size() > k_most_shown_bytes) {
      text = std::string(utf8_prefix(text, k_most_shown_bytes)) + "\n[The cell goes on.]";
    }
    outcome.content += (shown > 0 ? "\n" : "") + text;
    for (CellOutput& output : cell.outputs) {
      if (output.image && outcome.media.size() < k_most_images) {
        outcome.media.push_back(*std::move(output.image));
      }
    }
    read.cells.push_back(for_programs(std::move(cell)));
    ++shown;
  }
  outcome.details = std::move(read);
  if (shown < notebook->cells.size()) {
    outcome.model_note = "Shown are the first " + std::to_string(shown) + " of " +
                         std::to_string(notebook->cells.size()) +
                         " cells. To see the others, read the file with offset and limit, which "
                         "count the lines of its JSON.";
  }
  if (notebook->cells.empty()) outcome.content = "The notebook has no cells.";
  return outcome;
}

}  // namespace yume::tools
