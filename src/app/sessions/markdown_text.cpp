// SPDX-License-Identifier: MIT
#include "app/sessions/call_summary.h"
#include "app/sessions/diff_view.h"
#include "app/sessions/session_texts.h"

#include <algorithm>

namespace yume::app {
namespace {

using Kind = transcript::ShownItem::Kind;

// A fence that nothing inside can close.
std::string fenced(std::string_view text, std::string_view language) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  std::string out = fence + std::string(language) + "\n" + std::string(text);
  if (!text.ends_with('\n') && !text.empty()) out += "\n";
  return out + fence + "\n";
}

std::string inline_code(const std::string& text) {
  const bool ticks = text.find('`') != std::string::npos;
  return ticks ? "`` " + text + " ``" : "`" + text + "`";
}

// Markdown passes HTML through; a title is a text.
std::string as_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<' || c == '\\' || c == '*' || c == '_' || c == '`' || c == '[') out += '\\';
    out += c;
  }
  return out;
}

std::string diff_text(const std::vector<DiffLine>& lines) {
  std::string text;
  for (const DiffLine& line : lines) {
    if (line.kind != DiffLine::Kind::header) text += sign_of(line.kind);
    text += line.text + "\n";
  }
  return text;
}

class Writer {
 public:
  std::string write(const transcript::ShownSession& session) {
    out_ = "# " + as_text(session.title.empty() ? "Session " + session.id : session.title) + "\n\n";
    fact("Session", session.id);
    fact("Model", session.model);
    fact("Folder", session.cwd);
    fact("Begun", session.created);
    fact("Last message", session.updated);
    for (const transcript::ShownItem& item : session.items) add(item);
    return std::move(out_);
  }

 private:
  void fact(std::string_view name, const std::string& value) {
    if (!value.empty())
      out_.append("- ").append(name).append(": ").append(inline_code(value)) += "\n";
  }

  void heading(const std::string& who, const std::string& time) {
    if (speaker_ == who) {
      out_ += "\n";
      return;
    }
    speaker_ = who;
    out_ += "\n## " + who + (time.empty() ? "" : " (" + short_time(time) + ")") + "\n\n";
  }

  void folded(std::string_view summary, std::string_view content) {
    out_.append("<details><summary>").append(summary).append("</summary>\n\n");
    out_.append(content).append("\n</details>\n");
  }

  void add(const transcript::ShownItem& item) {
    switch (item.kind) {
      case Kind::prompt:
        speaker_.clear();
        heading("You", item.time);
        out_ += item.text + "\n";
        for (const core::Media& media : item.media) out_ += "\n*(" + media.mime_type + ")*\n";
        break;
      case Kind::text:
        heading("Assistant", item.time);
        out_ += item.text + "\n";
        break;
      case Kind::thought:
        heading("Assistant", item.time);
        folded("Thinking", fenced(item.text, "text"));
        break;
      case Kind::call:
        heading("Assistant", item.time);
        add_call(item);
        break;
      case Kind::failure:
        heading("Error", item.time);
        out_ += fenced(item.text, "text");
        break;
      case Kind::interruption:
        out_ += "\n*" + as_text(item.text) + "*\n";
        break;
      case Kind::compaction:
        speaker_.clear();
        out_ += "\n---\n\n*The conversation was summed up here.*\n\n";
        if (!item.text.empty()) folded("Summary", fenced(item.text, "text"));
        break;
    }
  }

  void add_call(const transcript::ShownItem& item) {
    out_ += "**" + as_text(item.call.name) + "**";
    const std::string subject = first_line(call_subject(item.call), 200);
    if (!subject.empty()) out_ += " " + inline_code(subject);
    const bool bad = !item.result || item.result->is_error;
    out_ += bad ? " (failed)\n\n" : "\n\n";
    const auto diff = diff_of(item);
    if (!diff.empty()) {
      out_ += fenced(diff_text(diff), "diff");
    } else {
      folded("Input", fenced(item.call.input.text, "json"));
    }
    if (!item.result) return;
    if (bad) {
      out_ += fenced(item.result->text, "text");
    } else if (diff.empty()) {
      folded("Result, " + std::to_string(count_lines(item.result->text)) + " lines",
             fenced(item.result->text, "text"));
    }
  }

  std::string out_;
  std::string speaker_;
};

}  // namespace

std::string markdown_text(const transcript::ShownSession& session) {
  return Writer().write(session);
}

}  // namespace yume::app
