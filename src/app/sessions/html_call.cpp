// SPDX-License-Identifier: MIT
#include "app/sessions/html_call.h"

#include "app/sessions/call_summary.h"
#include "app/sessions/diff_view.h"
#include "markdown/html.h"
#include "util/base64.h"
#include "util/json_tree.h"

namespace yume::app {
namespace {

using markdown::escaped;

using Json = nlohmann::ordered_json;

constexpr std::size_t k_subject_width = 200;
constexpr std::size_t k_short = 40;

// Pictures that browsers show without running anything; SVG is not among them.
bool is_picture(const core::Media& media) {
  const std::string& type = media.mime_type;
  const bool known = type == "image/png" || type == "image/jpeg" || type == "image/gif" ||
                     type == "image/webp" || type == "image/avif" || type == "image/bmp";
  return known && is_base64(media.base64);
}

std::string block_html(std::string_view text) {
  return "<pre><code>" + escaped(text) + "</code></pre>\n";
}

std::string input_text(const RawJson& input) {
  const Json json = read_ordered_json(input.text);
  if (json.is_discarded()) return input.text;
  constexpr int k_indent = 2;
  return write_json(json, {.indent = k_indent});
}

std::string diff_html(const std::vector<DiffLine>& lines) {
  std::string out = "<pre class=\"diff\">";
  for (const DiffLine& line : lines) {
    switch (line.kind) {
      case DiffLine::Kind::added:
        out += "<span class=\"add\">+" + escaped(line.text);
        break;
      case DiffLine::Kind::removed:
        out += "<span class=\"del\">-" + escaped(line.text);
        break;
      case DiffLine::Kind::header:
        out += "<span class=\"hunk\">" + escaped(line.text);
        break;
      case DiffLine::Kind::same:
        out += "<span> " + escaped(line.text);
        break;
    }
    out += "</span>";
  }
  return out + "</pre>\n";
}

// The list that a TodoWrite sets; empty for every other call.
std::string todos_html(const core::ToolCall& call) {
  if (call.name != "TodoWrite") return "";
  const Json input = read_ordered_json(call.input.text);
  const auto todos = input.is_object() ? input.find("todos") : input.end();
  if (todos == input.end() || !todos->is_array() || todos->empty()) return "";
  std::string out = "<ul class=\"todos\">\n";
  for (const Json& todo : *todos) {
    if (!todo.is_object()) return "";
    const std::string status = text_at(todo, "status");
    const bool done = status == "completed";
    const bool doing = status == "in_progress";
    out += std::string("<li class=\"") + (done ? "done" : doing ? "doing" : "open") + "\">";
    out += done ? "<span>\u2611</span> " : doing ? "<span>\u25B6</span> " : "<span>\u2610</span> ";
    out += escaped(text_at(todo, "content")) + "</li>\n";
  }
  return out + "</ul>\n";
}

std::string input_html(const transcript::ShownItem& item) {
  const auto diff = diff_of(item);
  if (!diff.empty()) return diff_html(diff);
  std::string todos = todos_html(item.call);
  if (!todos.empty()) return todos;
  return folded_html("input", "Input", block_html(input_text(item.call.input)));
}

}  // namespace

std::string media_html(const core::Media& media) {
  if (!is_picture(media)) return "<p>[" + escaped(media.mime_type) + "]</p>\n";
  return "<p><img alt=\"picture\" src=\"data:" + media.mime_type + ";base64," + media.base64 +
         "\"></p>\n";
}

std::string folded_html(std::string_view name, std::string_view summary,
                        const std::string& content) {
  return "<details class=\"" + std::string(name) + "\"><summary>" + escaped(summary) +
         "</summary>\n" + content + "</details>\n";
}

std::string call_html(const transcript::ShownItem& item) {
  const bool bad = !item.result || item.result->is_error;
  const std::string subject = first_line(call_subject(item.call), k_subject_width);
  std::string out = bad ? "<div class=\"tool bad\">" : "<div class=\"tool\">";
  out += "<div class=\"head\"><span class=\"name\">" + escaped(item.call.name) + "</span>";
  if (!subject.empty()) out += "<code class=\"subject\">" + escaped(subject) + "</code>";
  out += "<span class=\"state\">" + escaped(result_summary(item)) + "</span></div>\n";
  out += input_html(item);
  if (!item.result) return out + "</div>\n";
  // One short line stands in the head already.
  const bool said = first_line(item.result->text, k_short) == item.result->text;
  const std::string text = said ? "" : block_html(item.result->text);
  if (bad) {
    out += text;
  } else if (!text.empty()) {
    out += folded_html("result", "Result", text);
  }
  for (const core::Media& media : item.result->media) out += media_html(media);
  return out + "</div>\n";
}

}  // namespace yume::app
