// SPDX-License-Identifier: MIT
#include "app/sessions/call_summary.h"
#include "app/sessions/diff_view.h"
#include "app/sessions/session_texts.h"
#include "util/escape_codes.h"

namespace yume::app {
namespace {

using Kind = transcript::ShownItem::Kind;

constexpr std::string_view k_bold = "\x1b[1m";
constexpr std::string_view k_dim = "\x1b[2m";
constexpr std::string_view k_red = "\x1b[31m";
constexpr std::string_view k_green = "\x1b[32m";
constexpr std::string_view k_blue = "\x1b[1;34m";
constexpr std::string_view k_cyan = "\x1b[36m";
constexpr std::string_view k_plain = "\x1b[0m";
constexpr std::size_t k_most_diff_lines = 40;
constexpr std::size_t k_subject_width = 100;
constexpr std::size_t k_thought_width = 100;

class Printer {
 public:
  explicit Printer(Colours colours) : colours_(colours) {}

  std::string print(const transcript::ShownSession& session) {
    styled(k_bold, session.title.empty() ? "(no prompt)" : session.title);
    std::string facts = "session " + session.id;
    if (!session.model.empty()) facts += " · " + session.model;
    if (!session.cwd.empty()) facts += " · " + session.cwd;
    if (!session.updated.empty()) facts += " · " + local_time_text(session.updated);
    styled(k_dim, facts);
    for (const transcript::ShownItem& item : session.items) add(item);
    if (session.skipped > 0) {
      gap();
      styled(k_dim, std::to_string(session.skipped) + " lines of the file could not be read.");
    }
    return std::move(out_);
  }

 private:
  void styled(std::string_view style, std::string_view text, std::string_view indent = "") {
    out_ += indent;
    if (colours_ == Colours::on) out_ += style;
    out_ += safe_for_terminal(text);
    if (colours_ == Colours::on) out_ += k_plain;
    out_ += "\n";
  }

  void gap() { out_ += "\n"; }

  void speaker(std::string_view style, std::string_view who, const std::string& time) {
    if (speaker_ == who) return;
    speaker_ = who;
    gap();
    std::string line(who);
    if (!time.empty()) line += "  " + local_time_text(time);
    styled(style, line);
  }

  void body(const std::string& text) {
    out_ += safe_for_terminal(text);
    if (!text.ends_with('\n')) out_ += "\n";
  }

  void add(const transcript::ShownItem& item) {
    switch (item.kind) {
      case Kind::prompt:
        speaker_.clear();
        speaker(k_blue, "You", item.time);
        if (!item.text.empty()) body(item.text);
        for (const core::Media& media : item.media) styled(k_dim, "[" + media.mime_type + "]");
        break;
      case Kind::text:
        speaker(k_green, "Assistant", item.time);
        body(item.text);
        break;
      case Kind::thought:
        speaker(k_green, "Assistant", item.time);
        add_thought(item.text);
        break;
      case Kind::call:
        speaker(k_green, "Assistant", item.time);
        add_call(item);
        break;
      case Kind::failure:
        speaker(k_red, "Error", item.time);
        body(item.text);
        break;
      case Kind::interruption:
        styled(k_dim, item.text);
        break;
      case Kind::compaction:
        speaker_.clear();
        gap();
        styled(k_dim, "--- the conversation was summed up here ---");
        break;
    }
  }

  // Folded to its first line: who wants it all exports the session.
  void add_thought(const std::string& text) {
    const std::size_t lines = count_lines(text);
    std::string shown = "thinking: " + first_line(text, k_thought_width);
    if (lines > 1) shown += " (+" + std::to_string(lines - 1) + " lines)";
    styled(k_dim, shown, "  ");
  }

  void add_call(const transcript::ShownItem& item) {
    const std::string subject = first_line(call_subject(item.call), k_subject_width);
    std::string line = item.call.name;
    if (!subject.empty()) line += " " + subject;
    const bool bad = !item.result || item.result->is_error;
    line += bad ? "  failed: " : "  -> ";
    line += result_summary(item);
    styled(bad ? k_red : k_cyan, line, "  ");
    add_diff(diff_of(item));
  }

  void add_diff(const std::vector<DiffLine>& lines) {
    std::size_t shown = 0;
    for (const DiffLine& line : lines) {
      if (shown++ == k_most_diff_lines) break;
      const std::string text = sign_of(line.kind) + line.text;
      switch (line.kind) {
        case DiffLine::Kind::added:
          styled(k_green, text, "    ");
          break;
        case DiffLine::Kind::removed:
          styled(k_red, text, "    ");
          break;
        case DiffLine::Kind::header:
          styled(k_cyan, line.text, "    ");
          break;
        case DiffLine::Kind::same:
          styled(k_dim, text, "    ");
          break;
      }
    }
    if (lines.size() > k_most_diff_lines) {
      styled(k_dim, "... " + std::to_string(lines.size() - k_most_diff_lines) + " more lines",
             "    ");
    }
  }

  Colours colours_;
  std::string out_;
  std::string speaker_;  // who spoke last
};

}  // namespace

std::string terminal_text(const transcript::ShownSession& session, Colours colours) {
  return Printer(colours).print(session);
}

}  // namespace yume::app
