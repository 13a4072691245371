// SPDX-License-Identifier: MIT
#include "app/sessions/call_summary.h"
#include "app/sessions/session_texts.h"

#include "util/display_width.h"
#include "util/escape_codes.h"
#include "util/json_io.h"
#include "util/path_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace yume::app {
namespace {

constexpr std::size_t k_least_title = 20;
constexpr std::size_t k_gap = 2;
constexpr std::size_t k_time_width = 16;
constexpr std::size_t k_count_width = 8;

using ShortIds = std::map<std::string, std::string>;

// One that came to be after the ids were looked at is shown as it is.
std::string shown_id(const transcript::SessionSummary& session, const ShortIds& short_ids) {
  const auto found = short_ids.find(session.id);
  return found == short_ids.end() ? session.id : found->second;
}

std::string count_text(const transcript::SessionSummary& session) {
  return (session.messages_estimated ? "~" : "") + std::to_string(session.messages);
}

std::string title_of(const transcript::SessionSummary& session) {
  return session.title.empty() ? "(no prompt)" : safe_for_terminal(session.title);
}

// Cut to `columns` with a mark that something is missing.
std::string cut_title(const std::string& title, std::size_t columns) {
  const std::string line = first_line(title, title.size());
  if (display_width(line) <= columns) return line;
  return std::string(prefix_of_width(line, columns - std::min<std::size_t>(columns, 1))) + "…";
}

// The end of a path tells more than its beginning.
std::string cut_path(const std::string& path, std::size_t columns) {
  if (display_width(path) <= columns) return path;
  return "…" + std::string(suffix_of_width(path, columns - std::min<std::size_t>(columns, 1)));
}

class List {
 public:
  List(const ShortIds& short_ids, const ListLook& look, std::size_t id_width)
      : short_ids_(short_ids), look_(look), id_width_(id_width) {
    if (!look.width) return;
    const auto columns = static_cast<std::size_t>(std::max(*look.width, 1));
    const std::size_t left = id_width + k_gap + k_time_width + k_gap;
    with_counts_ = left + k_count_width + k_gap + k_least_title <= columns;
    const std::size_t used = left + (with_counts_ ? k_count_width + k_gap : 0);
    title_room_ = columns > used ? columns - used : 1;
    folder_room_ = columns > id_width + k_gap ? columns - id_width - k_gap : 1;
  }

  [[nodiscard]] std::string row(const std::string& id, const std::string& time,
                                const std::string& count, const std::string& title) const {
    std::string text = fmt::format("{:<{}}  {:<{}}  ", id, id_width_, time, k_time_width);
    if (with_counts_) text += fmt::format("{:>{}}  ", count, k_count_width);
    return text + (title_room_ ? cut_title(title, *title_room_) : title) + "\n";
  }

  [[nodiscard]] std::string rows_of(const transcript::SessionSummary& session) const {
    std::string text = row(shown_id(session, short_ids_), local_time_text(session.updated),
                           count_text(session), title_of(session));
    if (look_.folders == WithFolders::no) return text;
    const std::string folder = safe_for_terminal(session.cwd);
    return text + std::string(id_width_ + k_gap, ' ') +
           (folder_room_ ? cut_path(folder, *folder_room_) : folder) + "\n";
  }

 private:
  const ShortIds& short_ids_;
  const ListLook& look_;
  std::size_t id_width_;
  bool with_counts_ = true;
  std::optional<std::size_t> title_room_ = std::nullopt;
  std::optional<std::size_t> folder_room_ = std::nullopt;
};

}  // namespace

std::string list_text(const std::vector<transcript::SessionSummary>& sessions,
                      const std::map<std::string, std::string>& short_ids, const ListLook& look) {
  std::size_t id_width = 2;
  for (const auto& session : sessions) {
    id_width = std::max(id_width, shown_id(session, short_ids).size());
  }
  const List list(short_ids, look, id_width);
  std::string text = list.row("ID", "UPDATED", "MESSAGES", "TITLE");
  for (const auto& session : sessions) text += list.rows_of(session);
  return text;
}

std::string list_json(const std::vector<transcript::SessionSummary>& sessions) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("sessions").begin_array();
  for (const auto& session : sessions) {
    json.begin_object().field("id", session.id).field("title", session.title);
    json.field("cwd", session.cwd).field("model", session.model).field("updated", session.updated);
    json.field("messageCount", session.messages);
    json.field("messageCountIsEstimate", session.messages_estimated);
    json.field("bytes", static_cast<std::int64_t>(session.bytes));
    json.field("file", to_utf8(session.file)).end_object();
  }
  json.end_array().end_object();
  return text + "\n";
}

}  // namespace yume::app
