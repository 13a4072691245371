// SPDX-License-Identifier: MIT
#include "app/sessions/call_summary.h"
#include "app/sessions/html_call.h"
#include "app/sessions/html_script.h"
#include "app/sessions/html_style.h"
#include "app/sessions/session_cost.h"
#include "app/sessions/session_texts.h"
#include "markdown/html.h"

#include <map>

namespace yume::app {
namespace {

using markdown::escaped;

using Kind = transcript::ShownItem::Kind;

constexpr std::size_t k_contents_width = 90;

class Page {
 public:
  std::string render(const transcript::ShownSession& session) {
    Spending all;
    for (const transcript::ShownRequest& request : session.requests) {
      const Spending one = spending_of(request, gemini::ModelCatalog::built_in());
      by_message_[request.message_id] = one;
      all += one;
    }
    head(session, all);
    contents(session);
    for (const transcript::ShownItem& item : session.items) add(item);
    end_turn();
    out_ += "<footer>Exported by yume-cli";
    if (session.skipped > 0) {
      out_ += "; " + std::to_string(session.skipped) + " lines of the file could not be read";
    }
    return out_ + "</footer>\n" + searched_page_end();
  }

 private:
  enum class Speaker { nobody, you, assistant, failure };

  void head(const transcript::ShownSession& session, const Spending& all) {
    const std::string title = session.title.empty() ? "Session " + session.id : session.title;
    out_ = page_head(title);
    out_ += "<header>\n<h1>" + escaped(title) + "</h1>\n<dl>\n";
    fact("Session", session.id);
    fact("Model", session.model);
    fact("Folder", session.cwd);
    fact("Begun", short_time(session.created));
    fact("Last message", short_time(session.updated));
    fact("Messages", std::to_string(session.message_count()));
    if (all.requests > 0) fact("Used", spending_text(all));
    out_ += "</dl>\n" + search_box("Search in this session") + "</header>\n";
  }

  void fact(std::string_view name, const std::string& value) {
    if (value.empty()) return;
    out_ += "<dt>" + std::string(name) + "</dt><dd>" + escaped(value) + "</dd>\n";
  }

  // One prompt needs no table of contents.
  void contents(const transcript::ShownSession& session) {
    std::size_t turns = 0;
    std::string list;
    for (const transcript::ShownItem& item : session.items) {
      if (item.kind != Kind::prompt) continue;
      ++turns;
      const std::string name = first_line(item.text, k_contents_width);
      list += "<li><a href=\"#turn-" + std::to_string(turns) + "\">" +
              escaped(name.empty() ? "(pictures)" : name) + "</a></li>\n";
    }
    if (turns < 2) return;
    out_ += "<nav><details open><summary>Contents</summary>\n<ol>\n" + list +
            "</ol>\n</details></nav>\n";
  }

  void close() {
    if (speaker_ != Speaker::nobody) out_ += "</div></article>\n";
    speaker_ = Speaker::nobody;
  }

  // What the replies to one prompt used stands below the last of them.
  void end_turn() {
    if (turn_.requests > 0) {
      const std::string text = escaped(spending_text(turn_));
      const std::string used = "<p class=\"used\">" + text + "</p>\n";
      if (speaker_ == Speaker::nobody) {
        note(text);
      } else {
        out_ += used;
      }
    }
    turn_ = {};
    close();
  }

  void count(const std::string& message_id) {
    const auto found = by_message_.find(message_id);
    if (found == by_message_.end()) return;
    turn_ += found->second;
    by_message_.erase(found);  // a reply has several items
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
            "\"";
    if (you) out_ += " id=\"turn-" + std::to_string(++turns_) + "\"";
    out_ += std::string("><div class=\"who\">") + (you ? "You" : failed ? "Error" : "Assistant");
    if (!time.empty()) {
      out_ += "<time datetime=\"" + escaped(time) + "\">" + escaped(short_time(time)) + "</time>";
    }
    out_ += "</div>\n<div class=\"body\">\n";
  }

  void add(const transcript::ShownItem& item) {
    count(item.message_id);
    switch (item.kind) {
      case Kind::prompt:
        end_turn();
        speak(Speaker::you, item.time);
        out_ += markdown::page_html(item.text);
        for (const core::Media& media : item.media) out_ += media_html(media);
        break;
      case Kind::text:
        speak(Speaker::assistant, item.time);
        out_ += markdown::page_html(item.text);
        break;
      case Kind::thought:
        speak(Speaker::assistant, item.time);
        out_ += folded_html("thought", "Thinking", markdown::page_html(item.text));
        break;
      case Kind::call:
        speak(Speaker::assistant, item.time);
        out_ += call_html(item);
        break;
      case Kind::failure:
        speak(Speaker::failure, item.time);
        out_ += markdown::page_html(item.text);
        break;
      case Kind::interruption:
        note(escaped(item.text));
        break;
      case Kind::compaction:
        note("The conversation was summed up here" +
             (item.text.empty()
                  ? ""
                  : folded_html("summary", "Summary", markdown::page_html(item.text))));
        break;
    }
  }

  void note(const std::string& html) {
    close();
    out_ += "<div class=\"note\">" + html + "</div>\n";
  }

  std::string out_;
  Speaker speaker_ = Speaker::nobody;
  std::size_t turns_ = 0;
  Spending turn_;
  std::map<std::string, Spending> by_message_;
};

}  // namespace

std::string page_head(std::string_view title) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      // Whatever a session says, a browser loads nothing for it, and runs only the search box.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; img-src data:; script-src '";
  out.append(k_html_script_hash).append("'\">\n<title>").append(escaped(title));
  out.append("</title>\n<style>").append(k_html_style);
  return out + "</style>\n</head>\n<body>\n<main>\n";
}

std::string search_box(std::string_view name) {
  const std::string text = escaped(name);
  return "<p class=\"search\" hidden><input id=\"search\" type=\"search\" placeholder=\"" + text +
         "\" aria-label=\"" + text + "\"> <span id=\"found\" role=\"status\"></span></p>\n";
}

std::string searched_page_end() {
  return "</main>\n<script>" + std::string(k_html_script) + "</script>\n</body>\n</html>\n";
}

std::string html_text(const transcript::ShownSession& session) {
  return Page().render(session);
}

}  // namespace yume::app
