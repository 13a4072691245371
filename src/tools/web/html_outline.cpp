// SPDX-License-Identifier: MIT
#include "tools/web/html_outline.h"

#include "tools/web/text_flow.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace yume::tools::web {
namespace {

constexpr std::size_t k_longest_title = 500;

bool is_text(const GumboNode* node) {
  return node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA ||
         node->type == GUMBO_NODE_WHITESPACE;
}

bool is_cell(GumboTag tag) {
  return tag == GUMBO_TAG_TD || tag == GUMBO_TAG_TH;
}

bool is_numbers(std::string_view text) {
  return text.find_first_not_of("0123456789 \t\r\n\f") == std::string_view::npos;
}

// What highlighters call the numbers beside a line of code: Pygments, Rouge, Hexo, highlight.js.
bool is_called_line_number(const GumboNode* node) {
  constexpr std::array<std::string_view, 10> k_names = {
      "lineno",    "linenos", "linenumber",   "line-number", "line-numbers",
      "linenodiv", "gutter",  "rouge-gutter", "ln",          "hljs-ln-numbers"};
  const auto words = classes_of(node);
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return std::find(k_names.begin(), k_names.end(), word) != k_names.end();
  });
}

// Looks at a few nodes only: a mark on one line of code has no more.
bool holds_only_numbers(const GumboNode* node) {
  int looks = 16;
  bool numbers = true;
  walk(
      node,
      [&](const GumboNode* one) {
        if (is_text(one)) numbers &= is_numbers(one->v.text.text);
        numbers &= --looks > 0;
        return numbers && is_element(one);
      },
      [](const GumboNode*) {});
  return numbers;
}

// Goes over the page once, and knows at each node which tables, rows and cells are open.
class OutlineReader {
 public:
  Outline run(const GumboNode* root) {
    walk(
        root, [this](const GumboNode* node) { return enter(node); },
        [this](const GumboNode* node) { leave(node); });
    outline_.title = utf8_prefix(to_valid_utf8(outline_.title), k_longest_title);
    return std::move(outline_);
  }

 private:
  struct Cell {
    const GumboNode* node;
    bool has_code = false;  // a <pre>
    bool numbers_only = true;
  };
  struct Table {
    const GumboNode* node;
    bool has_columns = false;
    std::vector<Cell> row = {};  // the cells of the row so far
    bool in_cell = false;
  };

  bool enter(const GumboNode* node) {
    if (is_text(node)) {
      add_text(node->v.text.text);
      return false;
    }
    const GumboTag tag = tag_of(node);
    switch (tag) {
      case GUMBO_TAG_TITLE:
        if (outline_.title.empty()) outline_.title = title_of(node);
        return false;
      case GUMBO_TAG_BASE:
        if (outline_.base.empty()) outline_.base = attribute(node, "href");
        return false;
      case GUMBO_TAG_TABLE:
        open_table(node);
        break;
      case GUMBO_TAG_PRE:
        open_code(node);
        break;
      case GUMBO_TAG_SPAN:
        if (code_ > 0 && is_called_line_number(node) && holds_only_numbers(node)) {
          outline_.line_numbers.insert(node);
        }
        break;
      default:
        if (is_cell(tag)) open_cell(node);
        break;
    }
    return is_element(node) || node->type == GUMBO_NODE_DOCUMENT;
  }

  void leave(const GumboNode* node) {
    const GumboTag tag = tag_of(node);
    if (tag == GUMBO_TAG_PRE) --code_;
    if (tables_.empty()) return;
    if (is_cell(tag)) tables_.back().in_cell = false;
    if (tag == GUMBO_TAG_TR) close_row(tables_.back());
    if (tag == GUMBO_TAG_TABLE) close_table();
  }

  static std::string title_of(const GumboNode* node) {
    TextFlow flow;
    flow.words(raw_text(node));
    return flow.take();
  }

  void open_table(const GumboNode* node) {
    if (!tables_.empty()) outline_.layout_tables.insert(tables_.back().node);
    const std::string_view role = attribute(node, "role");
    if (code_ > 0 || role == "presentation" || role == "none") outline_.layout_tables.insert(node);
    tables_.push_back({.node = node});
  }

  void open_cell(const GumboNode* node) {
    if (tables_.empty()) return;
    tables_.back().row.push_back({.node = node});
    tables_.back().in_cell = true;
  }

  // A block of several lines stands in no row.
  void open_code(const GumboNode* node) {
    ++code_;
    if (tables_.empty()) return;
    Table& table = tables_.back();
    if (table.in_cell) table.row.back().has_code = true;
    const std::string text = code_ == 1 ? raw_text(node) : std::string();
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    if (end != std::string::npos && text.find('\n') < end)
      outline_.layout_tables.insert(table.node);
  }

  void add_text(std::string_view text) {
    if (tables_.empty() || !tables_.back().in_cell) return;
    tables_.back().row.back().numbers_only &= is_numbers(text);
  }

  void close_row(Table& table) {
    table.has_columns |= table.row.size() > 1;
    const bool has_code = std::any_of(table.row.begin(), table.row.end(), [](const Cell& cell) {
      return cell.has_code && !cell.numbers_only;
    });
    for (const Cell& cell : table.row) {
      const bool beside_code = has_code && cell.numbers_only;
      if (!beside_code || !(cell.has_code || is_called_line_number(cell.node))) continue;
      outline_.line_numbers.insert(cell.node);
      outline_.layout_tables.insert(table.node);
    }
    table.row.clear();
    table.in_cell = false;
  }

  void close_table() {
    close_row(tables_.back());
    if (!tables_.back().has_columns) outline_.layout_tables.insert(tables_.back().node);
    tables_.pop_back();
  }

  Outline outline_;
  std::vector<Table> tables_;  // that are open, the innermost last
  int code_ = 0;               // <pre> that are open
};

}  // namespace

Outline read_outline(const GumboNode* root) {
  return OutlineReader().run(root);
}

std::string raw_text(const GumboNode* node) {
  std::string text;
  walk(
      node,
      [&](const GumboNode* one) {
        if (is_text(one)) text += one->v.text.text;
        if (tag_of(one) == GUMBO_TAG_BR) text += '\n';
        return is_element(one);
      },
      [](const GumboNode*) {});
  return text;
}

}  // namespace yume::tools::web
