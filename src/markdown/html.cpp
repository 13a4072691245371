// SPDX-License-Identifier: MIT
#include "markdown/html.h"

#include "markdown/document.h"
#include "util/ascii.h"
#include "util/utf8.h"

#include <algorithm>
#include <utility>

namespace yume::markdown {
namespace {

// The page has headings of three levels.
constexpr unsigned k_levels_above = 3;
constexpr unsigned k_last_level = 6;

bool leads_somewhere_safe(std::string_view target) {
  const std::string lower = ascii_lower(target.substr(0, 8));
  return lower.starts_with("https://") || lower.starts_with("http://") ||
         lower.starts_with("mailto:");
}

class Renderer {
 public:
  void blocks(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) this->block(block);
  }

  std::string take() { return std::move(out_); }

 private:
  void block(const Block& block) {
    switch (block.kind) {
      case Block::Kind::paragraph:
        return enclosed("p", block.spans);
      case Block::Kind::heading:
        return enclosed("h" + std::to_string(std::min(block.level + k_levels_above, k_last_level)),
                        block.spans);
      case Block::Kind::quote:
        out_ += "<blockquote>\n";
        blocks(block.inner);
        out_ += "</blockquote>\n";
        return;
      case Block::Kind::list:
        return list(block);
      case Block::Kind::item:
        return item(block);
      case Block::Kind::code:
        out_ += "<pre class=\"code\"><code>" + escaped(block.text) + "</code></pre>\n";
        return;
      case Block::Kind::rule:
        out_ += "<hr>\n";
        return;
      case Block::Kind::table:
        out_ += "<div class=\"table\"><table>\n";
        blocks(block.inner);
        out_ += "</table></div>\n";
        return;
      case Block::Kind::row:
        return row(block);
      case Block::Kind::cell:
        return enclosed("p", block.spans);  // outside of a row
    }
  }

  void enclosed(const std::string& tag, const std::vector<Span>& spans) {
    out_ += "<" + tag + ">";
    inline_content(spans);
    out_ += "</" + tag + ">\n";
  }

  void list(const Block& list) {
    const bool numbered = list.first_number.has_value();
    out_ += numbered ? "<ol" : "<ul";
    if (numbered && *list.first_number != 1) {
      out_ += " start=\"" + std::to_string(*list.first_number) + "\"";
    }
    out_ += ">\n";
    blocks(list.inner);
    out_ += numbered ? "</ol>\n" : "</ul>\n";
  }

  // A first paragraph stands on the line of its mark.
  void item(const Block& item) {
    out_ += item.done ? "<li class=\"task\">" : "<li>";
    if (item.done) {
      out_ += *item.done ? "<input type=\"checkbox\" checked disabled> "
                         : "<input type=\"checkbox\" disabled> ";
    }
    bool first = true;
    for (const Block& block : item.inner) {
      if (first && block.kind == Block::Kind::paragraph) {
        inline_content(block.spans);
        out_ += "\n";
      } else {
        this->block(block);
      }
      first = false;
    }
    out_ += "</li>\n";
  }

  void row(const Block& row) {
    const std::string tag = row.is_head ? "th" : "td";
    out_ += "<tr>";
    for (const Block& cell : row.inner) {
      out_ += "<" + tag;
      if (cell.align == Align::centre) out_ += " class=\"centre\"";
      if (cell.align == Align::right) out_ += " class=\"right\"";
      out_ += ">";
      inline_content(cell.spans);
      out_ += "</" + tag + ">";
    }
    out_ += "</tr>\n";
  }

  void inline_content(const std::vector<Span>& spans) {
    for (const Span& span : spans) this->span(span);
  }

  void span(const Span& span) {
    switch (span.kind) {
      case Span::Kind::text:
        out_ += escaped(span.text);
        return;
      case Span::Kind::code:
        out_ += "<code>" + escaped(span.text) + "</code>";
        return;
      case Span::Kind::emphasis:
        return marked("em", span);
      case Span::Kind::strong:
        return marked("strong", span);
      case Span::Kind::struck:
        return marked("del", span);
      case Span::Kind::link:
      case Span::Kind::image:
        return link(span);
      case Span::Kind::soft_break:
        out_ += "\n";
        return;
      case Span::Kind::hard_break:
        out_ += "<br>";
        return;
    }
  }

  void marked(std::string_view tag, const Span& span) {
    out_.append("<").append(tag).append(">");
    inline_content(span.inner);
    out_.append("</").append(tag).append(">");
  }

  void link(const Span& span) {
    const bool safe = leads_somewhere_safe(span.target);
    const bool picture = span.kind == Span::Kind::image;
    if (safe) {
      out_ += "<a rel=\"noopener noreferrer\" href=\"" + escaped(span.target) + "\">";
    }
    if (picture) out_ += "[picture: ";
    if (span.inner.empty()) {
      out_ += escaped(span.target);
    } else {
      inline_content(span.inner);
    }
    if (picture) out_ += "]";
    if (safe) {
      out_ += "</a>";
    } else if (!span.inner.empty() && !span.target.empty()) {
      out_ += " (" + escaped(span.target) + ")";
    }
  }

  std::string out_;
};

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCharacter character = decode_utf8(text, at);
    at += character.length;
    switch (character.code_point) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\n':
      case '\t':
        out += static_cast<char>(character.code_point);
        break;
      default:
        append_utf8(out, character.code_point < 0x20 || character.code_point == 0x7F
                             ? 0xFFFD
                             : character.code_point);
    }
  }
  return out;
}

std::string page_html(std::string_view text) {
  Renderer renderer;
  renderer.blocks(parse(text));
  return renderer.take();
}

}  // namespace yume::markdown
