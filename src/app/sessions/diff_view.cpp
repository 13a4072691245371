// SPDX-License-Identifier: MIT
#include "app/sessions/diff_view.h"

#include "util/json_tree.h"

#include <string_view>

namespace yume::app {
namespace {

using Json = nlohmann::ordered_json;
using Kind = DiffLine::Kind;

void add_lines(std::string_view text, Kind kind, std::vector<DiffLine>& lines) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back({kind, std::string(text.substr(0, end))});
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

void add_hunk(const core::PatchHunk& hunk, std::vector<DiffLine>& lines) {
  lines.push_back({Kind::header, core::header_of(hunk)});
  for (const std::string& text : hunk.lines) {
    const char sign = text.empty() ? ' ' : text.front();
    const Kind kind = sign == '+' ? Kind::added : sign == '-' ? Kind::removed : Kind::same;
    lines.push_back({kind, text.empty() ? "" : text.substr(1)});
  }
}

std::vector<DiffLine> of_patch(const core::Patch& patch) {
  std::vector<DiffLine> lines;
  for (const core::PatchHunk& hunk : patch) add_hunk(hunk, lines);
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

std::vector<DiffLine> diff_of(const transcript::ShownItem& call) {
  if (call.result && call.result->is_error) return {};
  if (call.result && !call.result->patch.empty()) return of_patch(call.result->patch);
  return of_input(call.call.name, read_ordered_json(call.call.input.text));
}

}  // namespace yume::app
