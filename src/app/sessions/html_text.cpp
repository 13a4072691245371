// SPDX-License-Identifier: MIT
#include "app/sessions/call_summary.h"
#include "app/sessions/diff_view.h"
#include "app/sessions/html_prose.h"
#include "app/sessions/html_style.h"
#include "app/sessions/session_texts.h"
#include "util/base64.h"
#include "util/json_tree.h"

#include <algorithm>

namespace yume::app {
namespace {

using Json = nlohmann::ordered_json;
using Kind = transcript::ShownItem::Kind;

constexpr std::size_t k_subject_width = 200;
constexpr std::size_t k_short = 40;

// Pictures that browsers show without running anything; SVG is not among them.
bool is_picture(const core::Media& media) {
  const std::string& type = media.mime_type;
  const bool known = type == "image/png" || type == "image/jpeg" || type == "image/gif" ||
                     type == "image/webp" || type == "image/avif" || type == "image/bmp";
  return known && is_base64(media.base64);
}

std::string media_html(const core::Media& media) {
  if (!is_picture(media)) return "<p>[" + escaped(media.mime_type) + "]</p>\n";
  return "<p><img alt=\"picture\" src=\"data:" + media.mime_type + ";base64," + media.base64 +
         "\"></p>\n";
}

std::string block_html(std::string_view text) {
  return "<pre><code>" + escaped(text) + "</code></pre>\n";
}

std::string folded_html(std::string_view name, std::string_view summary,
                        const std::string& content) {
  return "<details class=\"" + std::string(name) + "\"><summary>" + escaped(summary) +
         "</summary>\n" + content + "</details>\n";
}

std::string input_text(const RawJson& input) {
  const Json json = read_ordered_json(input.text);
  if (json.is_discarded()) return input.text;
  constexpr int k_indent = 2;
  return write_json(json, {.indent = k_indent});
}

std::string diff_html(const std::vector<DiffLine>& lines) {
  std::string out = "<pre class=\"diff\">";
  for (const DiffLine& line : lines) {
    switch (line.kind) {
      case DiffLine::Kind::added:
        out += "<span class=\"add\">+" + escaped(line.text);
        break;
      case DiffLine::Kind::removed:
        out += "<span class=\"del\">-" + escaped(line.text);
        break;
      case DiffLine::Kind::header:
        out += "<span class=\"hunk\">" + escaped(line.text);
        break;
      case DiffLine::Kind::same:
        out += "<span> " + escaped(line.text);
        break;
    }
    out += "</span>";
  }
  return out + "</pre>\n";
}

std::string call_html(const transcript::ShownItem& item) {
  const bool bad = !item.result || item.result->is_error;
  const std::string subject = first_line(call_subject(item.call), k_subject_width);
  std::string out = bad ? "<div class=\"tool bad\">" : "<div class=\"tool\">";
  out += "<div class=\"head\"><span class=\"name\">" + escaped(item.call.name) + "</span>";
  if (!subject.empty()) out += "<code class=\"subject\">" + escaped(subject) + "</code>";
  out += "<span class=\"state\">" + escaped(result_summary(item)) + "</span></div>\n";
  const auto diff = diff_of(item);
  if (diff.empty()) {
    out += folded_html("input", "Input", block_html(input_text(item.call.input)));
  } else {
    out += diff_html(diff);
  }
  if (item.result) {
    // One short line stands in the head already.
    const bool said = first_line(item.result->text, k_short) == item.result->text;
    const std::string text = said ? "" : block_html(item.result->text);
    if (bad) {
      out += text;
    } else if (!text.empty()) {
      out += folded_html("result", "Result", text);
    }
    for (const core::Media& media : item.result->media) out += media_html(media);
  }
  return out + "</div>\n";
}

class Page {
 public:
  std::string render(const transcript::ShownSession& session) {
    const std::string title = session.title.empty() ? "Session " + session.id : session.title;
    out_ =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        // Whatever a session says, a browser loads and runs nothing for it.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'; img-src data:\">\n<title>";
    out_ += escaped(title) + "</title>\n<style>";
    out_.append(k_html_style).append("</style>\n</head>\n<body>\n<main>\n<header>\n<h1>");
    out_ += escaped(title) + "</h1>\n<dl>\n";
    fact("Session", session.id);
    fact("Model", session.model);
    fact("Folder", session.cwd);
    fact("Begun", short_time(session.created));
    fact("Last message", short_time(session.updated));
    fact("Messages", std::to_string(session.message_count()));
    out_ += "</dl>\n</header>\n";
    for (const transcript::ShownItem& item : session.items) add(item);
    close();
    out_ += "<footer>Exported by yume-cli";
    if (session.skipped > 0) {
      out_ += "; " + std::to_string(session.skipped) + " lines of the file could not be read";
    }
    return out_ + "</footer>\n</main>\n</body>\n</html>\n";
  }

 private:
  enum class Speaker { nobody, you, assistant, failure };

  void fact(std::string_view name, const std::string& value) {
    if (value.empty()) return;
    out_ += "<dt>" + std::string(name) + "</dt><dd>" + escaped(value) + "</dd>\n";
  }

  void close() {
    if (speaker_ != Speaker::nobody) out_ += "</div></article>\n";
    speaker_ = Speaker::nobody;
  }

  void speak(Speaker speaker, const std::string& time) {
    if (speaker_ == speaker && speaker == Speaker::assistant) return;
    close();
    speaker_ = speaker;
    const bool you = speaker == Speaker::you;
    const bool failed = speaker == Speaker::failure;
    out_ += std::string("<article class=\"") +
            (you      ? "you"
             : failed ? "failed"
                      : "assistant") +
            "\"><div class=\"who\">" +
            (you      ? "You"
             : failed ? "Error"
                      : "Assistant");
    if (!time.empty()) {
      out_ += "<time datetime=\"" + escaped(time) + "\">" + escaped(short_time(time)) + "</time>";
    }
    out_ += "</div>\n<div class=\"body\">\n";
  }

  void add(const transcript::ShownItem& item) {
    switch (item.kind) {
      case Kind::prompt:
        speak(Speaker::you, item.time);
        out_ += prose_html(item.text);
        for (const core::Media& media : item.media) out_ += media_html(media);
        break;
      case Kind::text:
        speak(Speaker::assistant, item.time);
        out_ += prose_html(item.text);
        break;
      case Kind::thought:
        speak(Speaker::assistant, item.time);
        out_ += folded_html("thought", "Thinking", prose_html(item.text));
        break;
      case Kind::call:
        speak(Speaker::assistant, item.time);
        out_ += call_html(item);
        break;
      case Kind::failure:
        speak(Speaker::failure, item.time);
        out_ += prose_html(item.text);
        break;
      case Kind::interruption:
        note(escaped(item.text));
        break;
      case Kind::compaction:
        note("The conversation was summed up here" +
             (item.text.empty() ? "" : folded_html("summary", "Summary", prose_html(item.text))));
        break;
    }
  }

  void note(const std::string& html) {
    close();
    out_ += "<div class=\"note\">" + html + "</div>\n";
  }

  std::string out_;
  Speaker speaker_ = Speaker::nobody;
};

}  // namespace

std::string html_text(const transcript::ShownSession& session) {
  return Page().render(session);
}

}  // namespace yume::app
