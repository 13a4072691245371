// SPDX-License-Identifier: MIT
#include "tools/web/html_text.h"

#include "tools/web/html_nodes.h"
#include "tools/web/text_flow.h"
#include "util/utf8.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace yume::tools::web {
namespace {

constexpr std::size_t k_longest_text = 4U << 20U;
// The beginning of an honest page that is too large as a whole.
constexpr std::size_t k_sure_to_fit = 2U << 20U;
constexpr std::size_t k_longest_link = 1'000;
constexpr std::size_t k_longest_title = 500;

std::string text_within(const GumboNode* node) {
  TextFlow flow;
  walk(
      node,
      [&](const GumboNode* one) {
        if (one->type == GUMBO_NODE_TEXT) flow.words(one->v.text.text);
        if (one->type == GUMBO_NODE_WHITESPACE) flow.words(" ");
        return is_element(one);
      },
      [](const GumboNode*) {});
  return flow.take();
}

// What has to be known before the first line is written.
struct Outline {
  std::string title;
  std::string base;
  std::unordered_set<const GumboNode*> layout_tables;  // hold other tables: not made of rows
};

void note_outer_tables(const GumboNode* table, Outline& outline) {
  for (const GumboNode* up = table->parent; up != nullptr; up = up->parent) {
    if (tag_of(up) == GUMBO_TAG_TABLE) {
      outline.layout_tables.insert(up);
      return;
    }
  }
}

Outline read_outline(const GumboNode* root) {
  Outline outline;
  walk(
      root,
      [&](const GumboNode* node) {
        switch (tag_of(node)) {
          case GUMBO_TAG_TITLE:
            if (outline.title.empty()) outline.title = text_within(node);
            return false;
          case GUMBO_TAG_BASE:
            if (outline.base.empty()) outline.base = attribute(node, "href");
            return false;
          case GUMBO_TAG_TABLE:
            note_outer_tables(node, outline);
            return true;
          default:
            return is_element(node) || node->type == GUMBO_NODE_DOCUMENT;
        }
      },
      [](const GumboNode*) {});
  outline.title = utf8_prefix(to_valid_utf8(outline.title), k_longest_title);
  return outline;
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
        if (is_noise(node, menus_)) return false;
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
    }
    switch (tag) {
      case GUMBO_TAG_BR:
        flow_.hard_break();
        break;
      case GUMBO_TAG_HR:
        flow_.new_paragraph();
        flow_.words("---");
        flow_.new_paragraph();
        break;
      case GUMBO_TAG_A:
        links_.push_back(flow_.settle());
        break;
      case GUMBO_TAG_IMG:
        open_image(node);
        break;
      case GUMBO_TAG_PRE:
        flow_.new_paragraph();
        flow_.words("```");
        flow_.new_line();
        ++verbatim_;
        break;
      case GUMBO_TAG_CODE:
      case GUMBO_TAG_KBD:
        open_code();
        break;
      case GUMBO_TAG_BLOCKQUOTE:
        flow_.push("> ", "> ");
        break;
      case GUMBO_TAG_LI:
        open_item(node);
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
      case GUMBO_TAG_PRE:
        --verbatim_;
        flow_.new_line();
        flow_.words("```");
        flow_.new_paragraph();
        break;
      case GUMBO_TAG_CODE:
      case GUMBO_TAG_KBD:
        if (verbatim_ == 0) flow_.mark("`");
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
      default:
        break;
    }
    around_block(tag);
    if (heading_level(tag) > 0) flow_.new_paragraph();
    if (tag == GUMBO_TAG_LI) flow_.new_line();
  }

  void around_block(GumboTag tag) {
    const bool list = tag == GUMBO_TAG_UL || tag == GUMBO_TAG_OL;
    if (is_line(tag) || (list && items_ > 0)) {
      flow_.new_line();
    } else if (is_paragraph(tag)) {
      flow_.new_paragraph();
    }
  }

  void open_code() {
    if (verbatim_ > 0) return;
    flow_.settle();
    flow_.mark("`");
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
      first = std::to_string(++numbers_[list]) + ". ";
    }
    flow_.push("  ", first);
    ++items_;
  }

  // The table that a cell is in, when it is one of rows.
  [[nodiscard]] bool in_rows(const GumboNode* cell) const {
    const GumboNode* up = cell->parent;
    for (int steps = 0; steps < 4 && up != nullptr; ++steps, up = up->parent) {
      if (tag_of(up) == GUMBO_TAG_TABLE) return !outline_.layout_tables.contains(up);
    }
    return false;
  }

  void open_cell(const GumboNode* node) {
    if (!in_rows(node)) {
      flow_.new_line();
      return;
    }
    flow_.words(" | ");
    flow_.words(" ");
    flow_.begin_row_mode();
  }

  void close_cell(const GumboNode* node) {
    if (!in_rows(node)) {
      flow_.new_line();
      return;
    }
    flow_.end_row_mode();
    const GumboNode* row = node->parent;
    for (unsigned i = static_cast<unsigned>(node->index_within_parent) + 1;
         i < children_of(row).length; ++i) {
      const GumboTag tag = tag_of(child(row, i));
      if (tag == GUMBO_TAG_TD || tag == GUMBO_TAG_TH) return;
    }
    flow_.words(" |");
  }

  void close_link(const GumboNode* node) {
    const std::size_t place = links_.back();
    links_.pop_back();
    const std::string_view label = flow_.since(place);
    if (label.find_first_not_of(" \n>") == std::string_view::npos || verbatim_ > 0) return;
    const std::string_view link = attribute(node, "href");
    if (link.empty() || link.starts_with('#') || link.size() > k_longest_link) return;
    const std::string url = resolve_(outline_.base, link);
    if (url.empty() || url.size() > k_longest_link) return;
    if (label.find('\n') != std::string_view::npos) {
      flow_.words(" (" + url + ")");  // a whole block is one link
      return;
    }
    flow_.insert(place + label.find_first_not_of(' '), "[");
    flow_.mark("](" + url + ")");
  }

  const Outline& outline_;
  const ResolveLink& resolve_;
  Menus menus_;
  TextFlow flow_;
  std::vector<std::size_t> links_;  // where each open one began
  int verbatim_ = 0;
  int items_ = 0;                                              // of lists that are open
  std::unordered_map<const GumboNode*, std::size_t> numbers_;  // items so far of a numbered list
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
