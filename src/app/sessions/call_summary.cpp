// SPDX-License-Identifier: MIT
#include "app/sessions/call_summary.h"

#include "platform/local_time.h"
#include "util/json_tree.h"
#include "util/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace yume::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t k_summary_width = 120;

// "+2 -1"; empty where nothing was changed.
std::string change_summary(const core::Patch& patch) {
  std::size_t added = 0;
  std::size_t removed = 0;
  for (const core::PatchHunk& hunk : patch) {
    for (const std::string& line : hunk.lines) {
      if (line.starts_with('+')) ++added;
      if (line.starts_with('-')) ++removed;
    }
  }
  std::string text;
  if (added > 0) text = "+" + std::to_string(added);
  if (removed > 0) text += (text.empty() ? "-" : " -") + std::to_string(removed);
  return text;
}

}  // namespace

std::string call_subject(const core::ToolCall& call) {
  const Json input = read_ordered_json(call.input.text);
  if (!input.is_object()) return "";
  for (const char* key : {"file_path", "notebook_path", "command", "pattern", "path", "url",
                          "query", "description", "prompt", "skill"}) {
    const auto found = input.find(key);
    if (found != input.end() && found->is_string()) return found->get<std::string>();
  }
  return "";
}

std::string first_line(std::string_view text, std::size_t width) {
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string_view::npos) return "";
  text.remove_prefix(from);
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  std::size_t at = 0;
  for (std::size_t shown = 0; at < line.size() && shown < width; ++shown) {
    at += decode_utf8(line, at).length;
  }
  if (at >= line.size()) return std::string(line);
  return std::string(line.substr(0, at)) + "…";
}

std::size_t count_lines(std::string_view text) {
  if (text.empty()) return 0;
  const auto ends = std::count(text.begin(), text.end(), '\n');
  return static_cast<std::size_t>(ends) + (text.back() == '\n' ? 0 : 1);
}

std::string result_summary(const transcript::ShownItem& call) {
  if (!call.result) return "no result";
  const transcript::ShownResult& result = *call.result;
  const std::string pictures =
      result.media.empty() ? "" : ", " + std::to_string(result.media.size()) + " media";
  if (!result.is_error) {
    const std::string changed = change_summary(result.patch);
    if (!changed.empty()) return changed;
  }
  const std::size_t lines = count_lines(result.text);
  const std::string start = first_line(result.text, k_summary_width);
  if (result.is_error || lines <= 1) return (start.empty() ? "(nothing)" : start) + pictures;
  return std::to_string(lines) + " lines" + pictures;
}

std::optional<platform::WallTime> read_time(std::string_view iso) {
  constexpr std::string_view k_form = "0000-00-00T00:00:00";
  if (iso.size() <= k_form.size() || !iso.ends_with('Z')) return std::nullopt;
  for (std::size_t i = 0; i < k_form.size(); ++i) {
    const bool digit = iso[i] >= '0' && iso[i] <= '9';
    if (k_form[i] == '0' ? !digit : iso[i] != k_form[i]) return std::nullopt;
  }
  const auto number = [iso](std::size_t from, std::size_t length) {
    int value = 0;
    for (const char c : iso.substr(from, length)) value = value * 10 + (c - '0');
    return value;
  };
  const std::chrono::year_month_day date(std::chrono::year(number(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(number(8, 2))));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date) + std::chrono::hours(number(11, 2)) +
         std::chrono::minutes(number(14, 2)) + std::chrono::seconds(number(17, 2));
}

std::string short_time(const std::string& iso) {
  constexpr std::size_t k_minutes = 16;  // 2026-01-02T03:04
  if (iso.size() < k_minutes || iso[10] != 'T') return iso;
  std::string text = iso.substr(0, k_minutes);
  text[10] = ' ';
  return text;
}

std::string local_time_text(const std::string& iso) {
  const auto time = read_time(iso);
  if (!time) return short_time(iso);
  const platform::LocalTime local = platform::to_local(*time);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", local.year, local.month, local.day,
                     local.hour, local.minute);
}

}  // namespace yume::app
