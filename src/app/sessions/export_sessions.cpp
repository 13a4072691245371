// SPDX-License-Identifier: MIT
#include "app/sessions/export_sessions.h"

#include "app/sessions/call_summary.h"
#include "app/sessions/session_texts.h"
#include "markdown/html.h"
#include "util/path_text.h"

#include <limits>
#include <map>
#include <utility>

namespace yume::app {
namespace {

using markdown::escaped;

namespace fs = std::filesystem;
using transcript::SessionSummary;

std::string_view extension_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::markdown:
      return ".md";
    case ExportFormat::html:
      return ".html";
    case ExportFormat::jsonl:
      break;
  }
  return ".jsonl";
}

using ByFolder = std::map<std::string, std::vector<const SessionSummary*>>;

ByFolder by_folder(const std::vector<SessionSummary>& summaries) {
  ByFolder folders;
  for (const SessionSummary& summary : summaries) folders[summary.cwd].push_back(&summary);
  return folders;
}

std::string title_of(const SessionSummary& summary) {
  return summary.title.empty() ? summary.id : summary.title;
}

std::string index_html(const std::vector<SessionSummary>& summaries) {
  std::string out = page_head("Sessions") + "<header>\n<h1>Sessions</h1>\n<p>" +
                    std::to_string(summaries.size()) + " conversations</p>\n" +
                    search_box("Search in the titles") + "</header>\n";
  for (const auto& [folder, sessions] : by_folder(summaries)) {
    out += "<h2>" + (folder.empty() ? "(unknown folder)" : escaped(folder)) +
           "</h2>\n<div class=\"table\"><table>\n<tr><th>Session</th><th>Last message</th>"
           "<th>Model</th><th class=\"right\">Messages</th></tr>\n";
    for (const SessionSummary* session : sessions) {
      out += "<tr class=\"session\"><td><a href=\"" + escaped(session->id) + ".html\">" +
             escaped(title_of(*session)) + "</a></td><td>" + escaped(short_time(session->updated)) +
             "</td><td>" + escaped(session->model) + "</td><td class=\"right\">" +
             (session->messages_estimated ? "~" : "") + std::to_string(session->messages) +
             "</td></tr>\n";
    }
    out += "</table></div>\n";
  }
  return out + "<footer>Exported by yume-cli</footer>\n" + searched_page_end();
}

// For the text of a link.
std::string without_brackets(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string index_markdown(const std::vector<SessionSummary>& summaries) {
  std::string out = "# Sessions\n";
  for (const auto& [folder, sessions] : by_folder(summaries)) {
    out += "\n## " + (folder.empty() ? "(unknown folder)" : folder) + "\n\n";
    for (const SessionSummary* session : sessions) {
      out += "- [" + without_brackets(title_of(*session)) + "](" + session->id + ".md), " +
             short_time(session->updated) + "\n";
    }
  }
  return out;
}

}  // namespace

Result<std::string> exported_text(const platform::FileSystem& files,
                                  const transcript::FoundSession& found, ExportFormat format) {
  YUME_TRY(std::string bytes, files.read(found.file, std::numeric_limits<std::uint64_t>::max()));
  if (format == ExportFormat::jsonl) return bytes;
  transcript::ShownSession shown = transcript::read_shown(bytes);
  shown.id = found.id;
  return format == ExportFormat::html ? html_text(shown) : markdown_text(shown);
}

Result<void> write_export(platform::FileSystem& files, const fs::path& file, std::string_view text,
                          Existing existing) {
  if (existing == Existing::kept && files.info(file).ok()) {
    return Error{.code = ErrorCode::not_found,
                 .message = to_utf8(file) +
                            " exists. Add --force to replace it, or choose "
                            "another place with --output."};
  }
  if (const auto written = files.replace(file, text); !written) {
    return Error{.code = ErrorCode::not_found,
                 .message = written.error().message + ". Choose another place with --output."};
  }
  return {};
}

Result<ExportedAll> export_all(platform::FileSystem& files,
                               const std::vector<transcript::FoundSession>& found,
                               const std::vector<SessionSummary>& summaries, const fs::path& folder,
                               ExportFormat format, Existing existing,
                               const std::function<void(std::size_t)>& progress) {
  if (const auto made = files.create_directories(folder); !made) return made.error();
  ExportedAll done;
  std::vector<SessionSummary> listed;
  std::map<std::string, const transcript::FoundSession*> by_id;
  for (const transcript::FoundSession& one : found) by_id[one.id] = &one;
  for (const SessionSummary& summary : summaries) {
    const auto session = by_id.find(summary.id);
    if (session == by_id.end()) continue;
    progress(listed.size() + 1);
    const auto text = exported_text(files, *session->second, format);
    if (!text.ok()) {
      done.unreadable.push_back(text.error().message);
      continue;
    }
    const fs::path file = folder / (summary.id + std::string(extension_of(format)));
    if (const auto written = write_export(files, file, *text, existing); !written) {
      return written.error();
    }
    listed.push_back(summary);
  }
  done.sessions = listed.size();
  if (format == ExportFormat::jsonl) return done;
  const bool html = format == ExportFormat::html;
  done.index = folder / (html ? "index.html" : "index.md");
  const std::string index = html ? index_html(listed) : index_markdown(listed);
  if (const auto written = write_export(files, done.index, index, existing); !written) {
    return written.error();
  }
  return done;
}

}  // namespace yume::app
