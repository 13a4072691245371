// SPDX-License-Identifier: MIT
#include "tools/web/html_text.h"

#include "tools/web/html_code.h"
#include "tools/web/html_nodes.h"
#include "tools/web/html_outline.h"
#include "tools/web/text_flow.h"
#include "util/utf8.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

namespace yume::tools::web {
namespace {

constexpr std::size_t k_longest_text = 4U << 20U;
// The beginning of an honest page that is too large as a whole.
constexpr std::size_t k_sure_to_fit = 2U << 20U;
constexpr std::size_t k_longest_link = 1'000;
constexpr int k_widest_cell = 50;  // columns

std::optional<int> number_in(const GumboNode* node, const char* name) {
  const std::string_view text = attribute(node, name);
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() ? std::optional(number) : std::nullopt;
}

int count_items(const GumboNode* list) {
  int items = 0;
  for (unsigned i = 0; i < children_of(list).length; ++i) {
    if (tag_of(child(list, i)) == GUMBO_TAG_LI) ++items;
  }
  return items;
}

bool contains(const GumboNode* node, GumboTag tag) {
  bool found = false;
  walk(
      node,
      [&](const GumboNode* one) {
        found |= tag_of(one) == tag;
        return !found && is_element(one);
      },
      [](const GumboNode*) {});
  return found;
}

class Renderer {
 public:
  Renderer(const Outline& outline, const ResolveLink& resolve, Menus menus)
      : outline_(outline), resolve_(resolve), menus_(menus) {}

  HtmlText run(const GumboNode* root) {
    walk(
        root, [this](const GumboNode* node) { return enter(node); },
        [this](const GumboNode* node) { leave(node); });
    const bool cut = full();
    // gumbo takes a number that is no character for one: "&#99999999990;".
    std::string text = to_valid_utf8(flow_.take());
    text.resize(utf8_prefix(text, k_longest_text).size());
    return {.title = outline_.title, .text = std::move(text), .cut = cut};
  }

 private:
  // A table of rows that is open.
  struct Rows {
    int columns = 0;  // of the row so far
    bool has_header = false;
  };

  [[nodiscard]] bool full() const { return flow_.size() >= k_longest_text; }

  bool enter(const GumboNode* node) {
    if (full()) return false;
    switch (node->type) {
      case GUMBO_NODE_TEXT:
      case GUMBO_NODE_CDATA:
      case GUMBO_NODE_WHITESPACE:
        add_text(node->v.text.text);
        return false;
      case GUMBO_NODE_ELEMENT:
        if (is_noise(node, menus_) || outline_.line_numbers.contains(node)) return false;
        open(node);
        return true;
      default:
        return node->type == GUMBO_NODE_DOCUMENT;
    }
  }

  void add_text(std::string_view text) {
    if (verbatim_ > 0) {
      flow_.lines(text);
    } else {
      flow_.words(text);
    }
  }

  void open(const GumboNode* node) {
    const GumboTag tag = tag_of(node);
    around_block(tag);
    if (const int level = heading_level(tag); level > 0) {
      flow_.new_paragraph();
      flow_.settle();
      flow_.mark(std::string(static_cast<std::size_t>(level), '#') + " ");
      ++headings_;
    }
    switch (tag) {
      case GUMBO_TAG_BR:
        break_line();
        break;
      case GUMBO_TAG_HR:
        flow_.new_paragraph();
        flow_.words("---");
        flow_.new_paragraph();
        break;
      case GUMBO_TAG_A:
        flow_.open_span();
        break;
      case GUMBO_TAG_B:
      case GUMBO_TAG_STRONG:
        if (bold_++ == 0) flow_.open_span();
        break;
      case GUMBO_TAG_IMG:
        open_image(node);
        break;
      case GUMBO_TAG_PRE:
        open_block_of_code(node);
        break;
      case GUMBO_TAG_CODE:
      case GUMBO_TAG_KBD:
        open_code(node);
        break;
      case GUMBO_TAG_BLOCKQUOTE:
        flow_.push("> ", "> ");
        break;
      case GUMBO_TAG_LI:
        open_item(node);
        break;
      case GUMBO_TAG_TABLE:
        if (!outline_.layout_tables.contains(node)) rows_.emplace(node, Rows{});
        break;
      case GUMBO_TAG_TD:
      case GUMBO_TAG_TH:
        open_cell(node);
        break;
      default:
        break;
    }
  }

  void leave(const GumboNode* node) {
    const GumboTag tag = tag_of(node);
    switch (tag) {
      case GUMBO_TAG_A:
        close_link(node);
        break;
      case GUMBO_TAG_B:
      case GUMBO_TAG_STRONG:
        if (--bold_ == 0) close_bold();
        break;
      case GUMBO_TAG_PRE:
        close_block_of_code();
        break;
      case GUMBO_TAG_CODE:
      case GUMBO_TAG_KBD:
        close_code();
        break;
      case GUMBO_TAG_LI:
        --items_;
        flow_.pop();
        break;
      case GUMBO_TAG_BLOCKQUOTE:
        flow_.pop();
        break;
      case GUMBO_TAG_TD:
      case GUMBO_TAG_TH:
        close_cell(node);
        break;
      case GUMBO_TAG_TR:
        close_row(node);
        break;
      default:
        break;
    }
    around_block(tag);
    if (heading_level(tag) > 0) {
      --headings_;
      flow_.new_paragraph();
    }
    if (tag == GUMBO_TAG_CAPTION) flow_.new_paragraph();
    if (tag == GUMBO_TAG_LI) flow_.new_line();
  }

  void around_block(GumboTag tag) {
    const bool list = tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL;
    const bool close = (list && items_ > 0) || (verbatim_ > 0 && is_paragraph(tag));
    if (is_line(tag) || close) {
      flow_.new_line();
    } else if (is_paragraph(tag)) {
      flow_.new_paragraph();
    }
  }

  void break_line() {
    if (verbatim_ > 0) {
      flow_.lines("\n");
    } else {
      flow_.hard_break();
    }
  }

  // Highlighters put tables, and blocks again, into a block: one fence is enough.
  void open_block_of_code(const GumboNode* node) {
    if (++blocks_of_code_ > 1) return;
    if (flow_.in_row()) {  // one line of code, as the outline has seen
      open_code(node);
      return;
    }
    fence_ = block_fence(raw_text(node));
    flow_.new_paragraph();
    flow_.words(fence_ + code_language(node));
    flow_.new_line();
    ++verbatim_;
  }

  void close_block_of_code() {
    if (--blocks_of_code_ > 0) return;
    if (verbatim_ == 0) {
      close_code();
      return;
    }
    --verbatim_;
    flow_.new_line();
    flow_.words(fence_);
    flow_.new_paragraph();
  }

  void open_code(const GumboNode* node) {
    if (code_++ > 0 || verbatim_ > 0) return;
    const bool holds_block = tag_of(node) != GUMBO_TAG_PRE && contains(node, GUMBO_TAG_PRE);
    quotes_ = holds_block ? std::string() : inline_fence(raw_text(node));
    if (!quotes_.empty()) flow_.mark_next(quotes_ + (quotes_.size() > 1 ? " " : ""));
  }

  void close_code() {
    if (--code_ > 0 || verbatim_ > 0) return;
    flow_.mark((quotes_.size() > 1 ? " " : "") + quotes_);
    quotes_.clear();
  }

  // Where it says something: a heading is set off as it is, and code has no markup.
  void close_bold() {
    const auto begin = flow_.close_span();
    if (!begin || headings_ > 0 || verbatim_ > 0 || code_ > 0) return;
    if (flow_.since(*begin).find('\n') != std::string_view::npos) return;
    flow_.insert(*begin, "**");
    flow_.mark("**");
  }

  void open_image(const GumboNode* node) {
    const std::string_view alt = attribute(node, "alt");
    if (alt.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
    flow_.words("[image:");
    flow_.words(" ");
    flow_.words(alt);
    flow_.mark("]");
  }

  void open_item(const GumboNode* node) {
    flow_.new_line();
    const GumboNode* list = node->parent;
    std::string first = "- ";
    if (list != nullptr && tag_of(list) == GUMBO_TAG_OL) {
      first = std::to_string(number_of(node, list)) + ". ";
    }
    flow_.push("  ", first);
    ++items_;
  }

  int number_of(const GumboNode* item, const GumboNode* list) {
    const bool down = gumbo_get_attribute(&list->v.element.attributes, "reversed") != nullptr;
    const auto known = numbers_.find(list);
    std::int64_t number = 0;
    if (const auto own = number_in(item, "value")) {
      number = *own;
    } else if (known != numbers_.end()) {
      number = std::int64_t{known->second} + (down ? -1 : 1);
    } else {
      number = number_in(list, "start").value_or(down ? count_items(list) : 1);
    }
    numbers_[list] = static_cast<int>(std::clamp<std::int64_t>(number, INT32_MIN, INT32_MAX));
    return numbers_[list];
  }

  // The table of rows that a cell or row is in; null when it is none.
  Rows* rows_around(const GumboNode* node) {
    const GumboNode* up = node->parent;
    for (int steps = 0; steps < 4 && up != nullptr; ++steps, up = up->parent) {
      if (tag_of(up) != GUMBO_TAG_TABLE) continue;
      const auto found = rows_.find(up);
      return found == rows_.end() ? nullptr : &found->second;
    }
    return nullptr;
  }

  void open_cell(const GumboNode* node) {
    if (rows_around(node) == nullptr) {
      flow_.new_line();
      return;
    }
    flow_.words(" | ");
    flow_.words(" ");
    flow_.begin_row_mode();
  }

  void close_cell(const GumboNode* node) {
    Rows* rows = rows_around(node);
    if (rows == nullptr) {
      flow_.new_line();
      return;
    }
    flow_.end_row_mode();
    const int width = std::clamp(number_in(node, "colspan").value_or(1), 1, k_widest_cell);
    rows->columns += width;
    for (int i = 1; i < width; ++i) flow_.words(" | ");
  }

  // Markdown takes the first row for the header, whatever it is made of.
  void close_row(const GumboNode* node) {
    Rows* rows = rows_around(node);
    if (rows == nullptr || rows->columns == 0) return;
    flow_.words(" |");
    const int columns = std::exchange(rows->columns, 0);
    if (std::exchange(rows->has_header, true)) return;
    flow_.new_line();
    for (int i = 0; i < columns; ++i) flow_.words("| --- ");
    flow_.words("|");
  }

  void close_link(const GumboNode* node) {
    const auto begin = flow_.close_span();
    if (!begin || verbatim_ > 0) return;
    const std::string_view link = attribute(node, "href");
    if (link.empty() || link.starts_with('#') || link.size() > k_longest_link) return;
    const std::string url = resolve_(outline_.base, link);
    if (url.empty() || url.size() > k_longest_link) return;
    if (flow_.since(*begin).find('\n') != std::string_view::npos) {
      flow_.words(" (" + url + ")");  // a whole block is one link
      return;
    }
    flow_.insert(*begin, "[");
    flow_.mark("](" + url + ")");
  }

  const Outline& outline_;
  const ResolveLink& resolve_;
  Menus menus_;
  TextFlow flow_;
  int verbatim_ = 0;
  int blocks_of_code_ = 0;  // <pre> that are open, and the fence of the outermost
  std::string fence_;
  int code_ = 0;  // pieces of code that are open, and the quotes of the outermost
  std::string quotes_;
  int bold_ = 0;
  int headings_ = 0;
  int items_ = 0;                                      // of lists that are open
  std::unordered_map<const GumboNode*, int> numbers_;  // of the last item of a numbered list
  std::unordered_map<const GumboNode*, Rows> rows_;    // by the table
};

}  // namespace

Result<HtmlText> html_to_text(std::string_view html, const ResolveLink& resolve,
                              const platform::Clock& clock, const HtmlBudget& budget) {
  auto tree = HtmlTree::parse(html, clock, budget);
  const bool shortened = !tree.ok() && html.size() > k_sure_to_fit;
  if (shortened) tree = HtmlTree::parse(utf8_prefix(html, k_sure_to_fit), clock, budget);
  if (!tree.ok()) return std::move(tree).error();
  const Outline outline = read_outline(tree->root());
  HtmlText page = Renderer(outline, resolve, Menus::dropped).run(tree->root());
  if (page.text.empty()) page = Renderer(outline, resolve, Menus::kept).run(tree->root());
  page.cut |= shortened;
  return page;
}

}  // namespace yume::tools::web
