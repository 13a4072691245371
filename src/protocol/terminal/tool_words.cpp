// SPDX-License-Identifier: MIT
#include "protocol/terminal/tool_words.h"

#include "markdown/styled_lines.h"
#include "util/byte_size.h"
#include "util/display_width.h"
#include "util/escape_codes.h"
#include "util/grouped_count.h"
#include "util/json_tree.h"
#include "util/overloaded.h"
#include "util/utf8.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace yume::protocol {
namespace {

using markdown::TerminalLook;

// Of what is shown below a call; all of it is in the transcript.
constexpr std::size_t k_most_changes = 40;
constexpr std::size_t k_most_output = 6;
constexpr std::size_t k_most_failure = 10;
constexpr std::size_t k_longest_subject = 300;
constexpr std::size_t k_longest_line = 1000;

// What a terminal would obey or hide is spelled out: a person may stop what they read here.
std::string one_line(std::string_view text, std::size_t most) {
  const std::string_view begin = utf8_prefix(text, most);
  std::string line(begin);
  for (char& c : line) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  line = spelled_for_terminal(line);
  return begin.size() < text.size() ? line + " ..." : line;
}

// What is inside of the working directory is known without it.
std::string from_here(std::string_view path, std::string_view cwd) {
  const bool inside = !cwd.empty() && path.size() > cwd.size() + 1 && path.starts_with(cwd) &&
                      (path[cwd.size()] == '/' || path[cwd.size()] == '\\');
  return std::string(inside ? path.substr(cwd.size() + 1) : path);
}

std::string subject_of(const core::ToolCall& call, const std::string& cwd) {
  const auto input = read_ordered_json(call.input.text);
  if (!input.is_object()) return "";
  for (const char* key : {"file_path", "notebook_path", "path"}) {
    if (call.name == "Grep" || call.name == "Glob") break;  // what they look for says more
    const std::string path = text_at(input, key);
    if (!path.empty()) return from_here(path, cwd);
  }
  for (const char* key :
       {"command", "pattern", "url", "query", "description", "skill", "task_id", "prompt"}) {
    const std::string text = text_at(input, key);
    if (!text.empty()) return key == std::string_view("pattern") ? "\"" + text + "\"" : text;
  }
  return "";
}

std::string counted(std::size_t count, std::string_view one) {
  return grouped(static_cast<std::int64_t>(count))
      .append(" ")
      .append(one)
      .append(count == 1 ? "" : "s");
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

enum class Part { first, last };

std::vector<ToolLine> some_lines(std::string_view text, std::size_t most, Part part,
                                 unsigned style) {
  const std::vector<std::string_view> lines = lines_of(text);
  const std::size_t shown = std::min(lines.size(), most);
  const std::size_t from = part == Part::last ? lines.size() - shown : 0;
  std::vector<ToolLine> out;
  const std::string rest =
      lines.size() > shown ? "... " + counted(lines.size() - shown, "more line") : std::string();
  if (!rest.empty() && part == Part::last) out.push_back({rest, style});
  for (std::size_t at = from; at < from + shown; ++at) {
    out.push_back({one_line(lines[at], k_longest_line), style});
  }
  if (!rest.empty() && part == Part::first) out.push_back({rest, style});
  return out;
}

struct Changes {
  std::size_t added = 0;
  std::size_t removed = 0;
};

Changes count(const core::Patch& patch) {
  Changes changes;
  for (const core::PatchHunk& hunk : patch) {
    for (const std::string& line : hunk.lines) {
      if (line.starts_with('+')) ++changes.added;
      if (line.starts_with('-')) ++changes.removed;
    }
  }
  return changes;
}

std::string change_note(const core::Patch& patch, const TerminalLook& look) {
  const Changes changes = count(patch);
  if (changes.added + changes.removed == 0) return "no change";
  std::string note;
  if (changes.added > 0) note += "+" + std::to_string(changes.added);
  if (changes.removed > 0) {
    note += (note.empty() ? "" : " ") + std::string(look.utf8 ? "\u2212" : "-") +
            std::to_string(changes.removed);
  }
  return note;
}

unsigned style_of_change(std::string_view line) {
  if (line.starts_with('+')) return markdown::added;
  return line.starts_with('-') ? unsigned{markdown::removed} : unsigned{markdown::dim};
}

std::vector<ToolLine> change_lines(const core::Patch& patch) {
  std::vector<ToolLine> out;
  std::size_t left_out = 0;
  for (const core::PatchHunk& hunk : patch) {
    if (!out.empty() && left_out == 0) out.push_back({"...", markdown::dim});
    for (const std::string& line : hunk.lines) {
      if (out.size() >= k_most_changes) {
        ++left_out;
      } else {
        out.push_back({one_line(line, k_longest_line), style_of_change(line)});
      }
    }
  }
  if (left_out > 0) out.push_back({"... " + counted(left_out, "more line"), markdown::dim});
  return out;
}

std::size_t done_of(const std::vector<core::Todo>& todos) {
  return static_cast<std::size_t>(std::count_if(
      todos.begin(), todos.end(),
      [](const core::Todo& todo) { return todo.status == core::TodoStatus::completed; }));
}

// What the details of a result say; the words are begun.
class Telling {
 public:
  Telling(ToolWords& words, const core::ToolOutcome& outcome, const TerminalLook& look)
      : words_(words), outcome_(outcome), look_(look) {}

  void on(const core::NoDetails& /*none*/) { words_.note = first_words(); }
  void on(const core::FileEdited& edited) { change(edited.patch); }
  void on(const core::FileEditedInSteps& edited) { change(edited.patch); }
  void on(const core::FileWritten& written) {
    if (written.before) return change(written.patch);
    words_.note = "new, " + counted(lines_of(written.content).size(), "line");
  }
  void on(const core::NotebookEdited& edited) { words_.note = "cell " + safe(edited.cell_id); }
  void on(const core::FileRead& read) {
    words_.note = counted(lines_of(read.content).size(), "line");
    if (read.line_count < read.total_lines) {
      words_.note += " of " + grouped(read.total_lines);
    }
  }
  void on(const core::ImageRead& read) { words_.note = "picture, " + size_text(read.file_bytes); }
  void on(const core::PdfRead& read) { words_.note = "PDF, " + size_text(read.file_bytes); }
  void on(const core::NotebookRead& read) { words_.note = counted(read.cells.size(), "cell"); }
  void on(const core::CommandRan& ran) {
    words_.below = some_lines(ran.output, k_most_output, Part::last, markdown::dim);
  }
  void on(const core::CommandStarted& started) {
    words_.note = "in the background as " + safe(started.task_id);
  }
  void on(const core::FilesFound& found) { words_.note = counted(found.total, "file"); }
  void on(const core::FilesMatched& matched) { words_.note = counted(matched.total, "file"); }
  void on(const core::MatchesCounted& counts) {
    words_.note = grouped(static_cast<std::int64_t>(counts.matches)) +
                  (counts.matches == 1 ? " match in " : " matches in ") +
                  counted(counts.files, "file");
  }
  void on(const core::LinesMatched& matched) { words_.note = counted(matched.total_lines, "line"); }
  void on(const core::DirectoryListed& listed) { words_.note = counted(listed.total, "name"); }
  void on(const core::PageFetched& page) {
    words_.note =
        std::to_string(page.status) + " " + safe(page.status_text) + ", " + size_text(page.bytes);
  }
  void on(const core::WebSearched& searched) {
    words_.note = counted(searched.sources.size(), "source");
  }
  void on(const core::TodosChanged& changed) {
    words_.note = std::to_string(done_of(changed.after)) + " of " +
                  std::to_string(changed.after.size()) + " done";
  }
  void on(const core::PlanApproved& /*approved*/) { words_.note = "approved"; }
  void on(const core::QuestionsAnswered& /*answered*/) { words_.note = "answered"; }
  void on(const core::BlocksReturned& /*returned*/) { words_.note = first_words(); }
  void on(const core::AgentFinished& agent) {
    words_.note =
        counted(static_cast<std::size_t>(std::max<std::int64_t>(agent.calls, 0)), "call") + ", " +
        grouped(agent.tokens) + " tokens, " + duration_text(agent.took);
  }
  void on(const core::AgentLaunched& agent) {
    words_.note = "in the background as " + safe(agent.agent_id);
  }
  void on(const core::CallFailed& /*failed*/) { words_.note = first_words(); }
  void on(const core::CallRejected& /*rejected*/) { words_.note = "not allowed"; }

 private:
  static std::string safe(std::string_view text) { return one_line(text, k_longest_subject); }
  static std::string size_text(std::uint64_t bytes) {
    constexpr std::uint64_t k_kilobyte = 1024;
    if (bytes < k_kilobyte) return grouped(static_cast<std::int64_t>(bytes)) + " B";
    return grouped(static_cast<std::int64_t>(bytes / k_kilobyte)) + " kB";
  }

  void change(const core::Patch& patch) {
    words_.note = change_note(patch, look_);
    words_.below = change_lines(patch);
  }
  [[nodiscard]] std::string first_words() const {
    const std::vector<std::string_view> lines = lines_of(outcome_.content);
    if (lines.size() > 1) return counted(lines.size(), "line");
    return lines.empty() ? "" : one_line(lines.front(), k_longest_subject);
  }

  ToolWords& words_;
  const core::ToolOutcome& outcome_;
  const TerminalLook& look_;
};

}  // namespace

ToolWords words_of(const core::ToolCall& call, const std::string& cwd) {
  ToolWords words;
  words.name = one_line(call.name == "Task" ? "Agent" : call.name, k_longest_subject);
  words.subject = one_line(subject_of(call, cwd), k_longest_subject);
  return words;
}

ToolWords words_of(const core::ToolCall& call, const core::ToolOutcome& outcome,
                   const std::string& cwd, const TerminalLook& look) {
  ToolWords words = words_of(call, cwd);
  Telling telling(words, outcome, look);
  std::visit([&telling](const auto& details) { telling.on(details); }, outcome.details);
  if (!outcome.is_error) return words;
  words.failed = true;
  words.below = some_lines(outcome.content, k_most_failure, Part::first, markdown::removed);
  words.note.clear();
  return words;
}

// What counts up in place has written only the last of its states.
std::vector<std::string> last_lines(std::string_view output, std::size_t most) {
  std::vector<std::string> lines;
  for (std::string_view line : lines_of(output)) {
    const std::size_t over = line.rfind('\r');
    if (over != std::string_view::npos) line.remove_prefix(over + 1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (lines.size() == most) lines.erase(lines.begin());
    lines.push_back(one_line(without_escape_codes(line), k_longest_line));
  }
  return lines;
}

std::vector<std::string_view> broken_line(std::string_view line, std::size_t columns) {
  constexpr std::size_t k_fewest_columns = 8;
  constexpr std::size_t k_most_parts = 6;
  columns = std::max(columns, k_fewest_columns);
  std::vector<std::string_view> parts;
  while (display_width(line) > columns && parts.size() < k_most_parts) {
    parts.push_back(prefix_of_width(line, columns));
    line.remove_prefix(parts.back().size());
  }
  parts.push_back(parts.size() < k_most_parts ? line : "...");
  return parts;
}

std::vector<std::string> failure_lines(std::string_view text) {
  constexpr std::string_view k_between = " · ";
  std::vector<std::string> lines;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(k_between);
    lines.push_back(safe_for_terminal(text.substr(0, end)));
    if (end != std::string_view::npos) text.remove_prefix(end + k_between.size());
  }
  return lines;
}

std::vector<std::string> checklist(const std::vector<core::Todo>& todos, const TerminalLook& look) {
  std::vector<std::string> lines;
  for (const core::Todo& todo : todos) {
    const std::string text = one_line(todo.content, k_longest_subject);
    switch (todo.status) {
      case core::TodoStatus::pending:
        lines.push_back((look.utf8 ? "☐ " : "[ ] ") + text);
        break;
      case core::TodoStatus::in_progress:
        lines.push_back(in_style((look.utf8 ? "◐ " : "[-] ") + text, markdown::bold, look));
        break;
      case core::TodoStatus::completed:
        lines.push_back(in_style((look.utf8 ? "☑ " : "[x] ") + text, markdown::dim, look));
        break;
    }
  }
  return lines;
}

std::string duration_text(std::chrono::milliseconds time) {
  constexpr std::int64_t k_minute = 60;
  const std::int64_t tenths = (time.count() + 50) / 100;
  if (tenths < 100) return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  const std::int64_t seconds = (tenths + 5) / 10;
  if (seconds < k_minute) return std::to_string(seconds) + " s";
  return std::to_string(seconds / k_minute) + " min " + std::to_string(seconds % k_minute) + " s";
}

}  // namespace yume::protocol
