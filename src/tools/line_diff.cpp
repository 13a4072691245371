// SPDX-License-Identifier: MIT
#include "tools/line_diff.h"

#include <algorithm>
#include <string>
#include <vector>

namespace yume::tools {
namespace {

constexpr std::size_t k_context = 3;

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void write_lines(JsonWriter& json, char mark, const std::vector<std::string_view>& lines,
                 std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    json.string(std::string(1, mark).append(lines[i]));
  }
}

}  // namespace

RawJson structured_patch(std::string_view before, std::string_view after) {
  if (before == after) return {"[]"};
  const auto old_lines = split_lines(before);
  const auto new_lines = split_lines(after);
  const std::size_t shorter = std::min(old_lines.size(), new_lines.size());
  std::size_t head = 0;
  while (head < shorter && old_lines[head] == new_lines[head]) ++head;
  std::size_t tail = 0;
  while (tail < shorter - head &&
         old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail]) {
    ++tail;
  }
  const std::size_t first = head - std::min(head, k_context);
  const std::size_t after_context = std::min(tail, k_context);
  const std::size_t old_changed_end = old_lines.size() - tail;
  const std::size_t new_changed_end = new_lines.size() - tail;

  std::string out;
  JsonWriter json(out);
  json.begin_array().begin_object();
  json.field("oldStart", static_cast<std::int64_t>(first + 1));
  json.field("oldLines", static_cast<std::int64_t>(old_changed_end + after_context - first));
  json.field("newStart", static_cast<std::int64_t>(first + 1));
  json.field("newLines", static_cast<std::int64_t>(new_changed_end + after_context - first));
  json.key("lines").begin_array();
  write_lines(json, ' ', old_lines, first, head);
  write_lines(json, '-', old_lines, head, old_changed_end);
  write_lines(json, '+', new_lines, head, new_changed_end);
  write_lines(json, ' ', old_lines, old_changed_end, old_changed_end + after_context);
  json.end_array().end_object().end_array();
  return {std::move(out)};
}

}  // namespace yume::tools
