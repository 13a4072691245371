// SPDX-License-Identifier: MIT
#include "app/sessions/diff_view.h"

#include "util/json_tree.h"

#include <string_view>

namespace yume::app {
namespace {

using Json = nlohmann::ordered_json;
using Kind = DiffLine::Kind;

Json parse(const RawJson& raw) {
  return read_ordered_json(raw.text);
}

std::int64_t number_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

void add_lines(std::string_view text, Kind kind, std::vector<DiffLine>& lines) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back({kind, std::string(text.substr(0, end))});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

void add_hunk(const Json& hunk, std::vector<DiffLine>& lines) {
  const auto changed = hunk.find("lines");
  if (changed == hunk.end() || !changed->is_array()) return;
  lines.push_back({Kind::header, "@@ -" + std::to_string(number_at(hunk, "oldStart")) + "," +
                                     std::to_string(number_at(hunk, "oldLines")) + " +" +
                                     std::to_string(number_at(hunk, "newStart")) + "," +
                                     std::to_string(number_at(hunk, "newLines")) + " @@"});
  for (const Json& line : *changed) {
    if (!line.is_string()) continue;
    const std::string& text = line.get_ref<const std::string&>();
    const char sign = text.empty() ? ' ' : text.front();
    const Kind kind = sign == '+' ? Kind::added : sign == '-' ? Kind::removed : Kind::same;
    lines.push_back({kind, text.empty() ? "" : text.substr(1)});
  }
}

std::vector<DiffLine> of_patch(const Json& details) {
  std::vector<DiffLine> lines;
  if (!details.is_object()) return lines;
  const auto patch = details.find("structuredPatch");
  if (patch == details.end() || !patch->is_array()) return lines;
  for (const Json& hunk : *patch) {
    if (hunk.is_object()) add_hunk(hunk, lines);
  }
  return lines;
}

void add_edit(const Json& edit, std::vector<DiffLine>& lines) {
  if (!edit.is_object()) return;
  add_lines(text_at(edit, "old_string"), Kind::removed, lines);
  add_lines(text_at(edit, "new_string"), Kind::added, lines);
}

std::vector<DiffLine> of_input(const std::string& tool, const Json& input) {
  std::vector<DiffLine> lines;
  if (!input.is_object()) return lines;
  if (tool == "Edit") add_edit(input, lines);
  if (tool == "Write") add_lines(text_at(input, "content"), Kind::added, lines);
  if (tool == "MultiEdit") {
    const auto edits = input.find("edits");
    if (edits == input.end() || !edits->is_array()) return lines;
    for (const Json& edit : *edits) add_edit(edit, lines);
  }
  return lines;
}

}  // namespace

char sign_of(Kind kind) {
  switch (kind) {
    case Kind::added:
      return '+';
    case Kind::removed:
      return '-';
    case Kind::header:
    case Kind::same:
      break;
  }
  return ' ';
}

std::vector<DiffLine> diff_of(const session::ShownItem& call) {
  if (call.result && call.result->is_error) return {};
  if (call.result && !call.result->details.text.empty()) {
    auto lines = of_patch(parse(call.result->details));
    if (!lines.empty()) return lines;
  }
  return of_input(call.call.name, parse(call.call.input));
}

}  // namespace yume::app
