// SPDX-License-Identifier: MIT
#include "app/sessions/call_summary.h"
#include "app/sessions/session_texts.h"

#include "util/json_io.h"
#include "util/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace yume::app {
namespace {

constexpr std::size_t k_least_title = 20;

std::string count_text(const session::SessionSummary& session) {
  return (session.messages_estimated ? "~" : "") + std::to_string(session.messages);
}

std::string title_of(const session::SessionSummary& session) {
  return session.title.empty() ? "(no prompt)" : for_terminal(session.title);
}

}  // namespace

std::string list_text(const std::vector<session::SessionSummary>& sessions, WithFolders folders,
                      std::optional<int> width) {
  std::size_t id_width = 2;
  for (const auto& session : sessions) id_width = std::max(id_width, session.id.size());
  std::string text = fmt::format("{:<{}}  {:<16}  {:>8}  {}\n", "ID", id_width, "UPDATED (UTC)",
                                 "MESSAGES", "TITLE");
  for (const auto& session : sessions) {
    const std::string left = fmt::format("{:<{}}  {:<16}  {:>8}  ", session.id, id_width,
                                         short_time(session.updated), count_text(session));
    std::string title = title_of(session);
    if (width) {
      const auto columns = static_cast<std::size_t>(std::max(*width, 0));
      const std::size_t room = columns > left.size() + 1 ? columns - left.size() - 1 : 0;
      title = first_line(title, std::max(room, k_least_title));
    }
    text += left + title + "\n";
    if (folders == WithFolders::yes) {
      text += std::string(id_width + 2, ' ') + for_terminal(session.cwd) + "\n";
    }
  }
  return text;
}

std::string list_json(const std::vector<session::SessionSummary>& sessions) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("sessions").begin_array();
  for (const auto& session : sessions) {
    json.begin_object().field("id", session.id).field("title", session.title);
    json.field("cwd", session.cwd).field("model", session.model).field("updated", session.updated);
    json.field("messageCount", session.messages);
    json.field("messageCountIsEstimate", session.messages_estimated);
    json.field("bytes", static_cast<std::int64_t>(session.bytes));
    json.field("file", session.file.string()).end_object();
  }
  json.end_array().end_object();
  return text + "\n";
}

}  // namespace yume::app
