// SPDX-License-Identifier: MIT
// The only file that knows cmark-gfm. Its tree is walked without recursion, however deep it is.
#include "markdown/document.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>
#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <utility>

namespace yume::markdown {
namespace {

// cmark ends the program when there is no memory for its tree, and this release of it takes the
// square of the time for many brackets, and a cell for every column in each row of a table. Nobody
// writes such texts but to see what becomes of them.
constexpr std::size_t k_longest = 4U << 20U;
constexpr std::size_t k_most_brackets = 2000;
constexpr std::size_t k_most_bars_in_line = 200;
constexpr std::size_t k_deepest = 24;

// Who may follow a line like "| --- |" is decided by these, by GitHub's rules.
constexpr std::array k_extensions = {"table", "strikethrough", "autolink", "tasklist"};

struct FreeParser {
  void operator()(cmark_parser* parser) const { cmark_parser_free(parser); }
};
struct FreeNode {
  void operator()(cmark_node* node) const { cmark_node_free(node); }
};
struct FreeIterator {
  void operator()(cmark_iter* iterator) const { cmark_iter_free(iterator); }
};
using Root = std::unique_ptr<cmark_node, FreeNode>;

// The types of extensions are numbers that exist only when the program runs; their names are fixed.
std::string_view name_of(cmark_node* node) {
  return cmark_node_get_type_string(node);
}

std::string literal_of(cmark_node* node) {
  const char* text = cmark_node_get_literal(node);
  return text == nullptr ? "" : text;
}

std::string target_of(cmark_node* node) {
  const char* url = cmark_node_get_url(node);
  return url == nullptr ? "" : url;
}

// The first word behind the fence.
std::string language_of(cmark_node* node) {
  const char* info = cmark_node_get_fence_info(node);
  const std::string_view words = info == nullptr ? "" : info;
  return std::string(words.substr(0, words.find_first_of(" \t,{")));
}

Align align_of(cmark_node* cell) {
  cmark_node* const row = cmark_node_parent(cell);
  cmark_node* const table = row == nullptr ? nullptr : cmark_node_parent(row);
  if (table == nullptr || name_of(table) != "table") return Align::none;
  std::size_t column = 0;
  for (cmark_node* one = cmark_node_previous(cell); one != nullptr;
       one = cmark_node_previous(one)) {
    ++column;
  }
  if (column >= cmark_gfm_extensions_get_table_columns(table)) return Align::none;
  switch (cmark_gfm_extensions_get_table_alignments(table)[column]) {
    case 'l':
      return Align::left;
    case 'c':
      return Align::centre;
    case 'r':
      return Align::right;
    default:
      return Align::none;
  }
}

Block list_block(cmark_node* node) {
  Block block{.kind = Block::Kind::list};
  if (cmark_node_get_list_type(node) == CMARK_ORDERED_LIST) {
    block.first_number = static_cast<unsigned>(cmark_node_get_list_start(node));
  }
  return block;
}

Block item_block(cmark_node* node) {
  Block block{.kind = Block::Kind::item};
  if (name_of(node) == "tasklist")
    block.done = cmark_gfm_extensions_get_tasklist_item_checked(node);
  return block;
}

Block code_block(cmark_node* node) {
  int length = 0;
  int offset = 0;
  char character = '\0';
  return {.kind = Block::Kind::code,
          .text = literal_of(node),
          .language = language_of(node),
          .is_fenced = cmark_node_get_fenced(node, &length, &offset, &character) != 0};
}

std::optional<Block> block_of_extension(cmark_node* node) {
  const std::string_view name = name_of(node);
  if (name == "table") return Block{.kind = Block::Kind::table};
  if (name == "table_header") return Block{.kind = Block::Kind::row, .is_head = true};
  if (name == "table_row") return Block{.kind = Block::Kind::row};
  if (name == "table_cell") return Block{.kind = Block::Kind::cell, .align = align_of(node)};
  return std::nullopt;
}

std::optional<Block> block_of(cmark_node* node) {
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_BLOCK_QUOTE:
      return Block{.kind = Block::Kind::quote};
    case CMARK_NODE_LIST:
      return list_block(node);
    case CMARK_NODE_ITEM:
      return item_block(node);
    case CMARK_NODE_CODE_BLOCK:
      return code_block(node);
    case CMARK_NODE_HTML_BLOCK:
      return Block{.kind = Block::Kind::code, .text = literal_of(node), .language = "html"};
    case CMARK_NODE_PARAGRAPH:
      return Block{.kind = Block::Kind::paragraph};
    case CMARK_NODE_HEADING:
      return Block{.kind = Block::Kind::heading,
                   .level = static_cast<unsigned>(cmark_node_get_heading_level(node))};
    case CMARK_NODE_THEMATIC_BREAK:
      return Block{.kind = Block::Kind::rule};
    default:
      return block_of_extension(node);
  }
}

Span span_of(cmark_node* node) {
  switch (cmark_node_get_type(node)) {
    case CMARK_NODE_TEXT:
    case CMARK_NODE_HTML_INLINE:
      return Span{.kind = Span::Kind::text, .text = literal_of(node)};
    case CMARK_NODE_CODE:
      return Span{.kind = Span::Kind::code, .text = literal_of(node)};
    case CMARK_NODE_SOFTBREAK:
      return Span{.kind = Span::Kind::soft_break};
    case CMARK_NODE_LINEBREAK:
      return Span{.kind = Span::Kind::hard_break};
    case CMARK_NODE_EMPH:
      return Span{.kind = Span::Kind::emphasis};
    case CMARK_NODE_STRONG:
      return Span{.kind = Span::Kind::strong};
    case CMARK_NODE_LINK:
      return Span{.kind = Span::Kind::link, .target = target_of(node)};
    case CMARK_NODE_IMAGE:
      return Span{.kind = Span::Kind::image, .target = target_of(node)};
    default:
      return Span{.kind =
                      name_of(node) == "strikethrough" ? Span::Kind::struck : Span::Kind::emphasis};
  }
}

bool is_leaf(const Span& span) {
  return span.kind == Span::Kind::text || span.kind == Span::Kind::code ||
         span.kind == Span::Kind::soft_break || span.kind == Span::Kind::hard_break;
}

bool is_inline(cmark_node* node) {
  return (cmark_node_get_type(node) & CMARK_NODE_TYPE_MASK) == CMARK_NODE_TYPE_INLINE;
}

bool holds_spans(const Block& block) {
  return block.kind == Block::Kind::paragraph || block.kind == Block::Kind::heading ||
         block.kind == Block::Kind::cell;
}

// Puts nodes together as they are left. What is nested too deep joins the node above it.
class TreeBuilder {
 public:
  void enter(cmark_node* node) {
    if (is_inline(node)) return enter(span_of(node));
    auto block = block_of(node);
    if (block) block->line = static_cast<std::size_t>(std::max(cmark_node_get_start_line(node), 0));
    const bool own = block && blocks_.size() < k_deepest;
    if (own) blocks_.push_back(*std::move(block));
    entered_.push_back(own);
  }

  void leave(cmark_node* node) {
    if (is_inline(node)) return leave_span();
    const bool own = entered_.back();
    entered_.pop_back();
    if (own) close_block();
  }

  // Blocks without content are reported only once.
  void pass(cmark_node* node) {
    enter(node);
    if (!is_inline(node)) leave(node);
  }

  std::vector<Block> take() { return std::move(root_); }

 private:
  void enter(Span span) {
    if (is_leaf(span)) return add(std::move(span));
    if (spans_.size() == k_deepest) {
      ++flattened_;
    } else {
      spans_.push_back(std::move(span));
    }
  }

  void leave_span() {
    if (flattened_ > 0) {
      --flattened_;
      return;
    }
    Span span = std::move(spans_.back());
    spans_.pop_back();
    add(std::move(span));
  }

  void add(Span span) {
    auto& spans = !spans_.empty() ? spans_.back().inner : blocks_.back().spans;
    const bool text = span.kind == Span::Kind::text;
    if (text && !spans.empty() && spans.back().kind == Span::Kind::text) {
      spans.back().text += span.text;
    } else {
      spans.push_back(std::move(span));
    }
  }

  void close_block() {
    Block block = std::move(blocks_.back());
    blocks_.pop_back();
    if (!holds_spans(block) && !block.spans.empty()) {
      block.inner.push_back({.spans = std::move(block.spans)});
    }
    (blocks_.empty() ? root_ : blocks_.back().inner).push_back(std::move(block));
  }

  std::vector<Block> root_;
  std::vector<Block> blocks_;
  std::vector<bool> entered_;
  std::vector<Span> spans_;
  std::size_t flattened_ = 0;
};

// Of a paragraph that turned into a table with its last line, the parser calls the table's
// beginning what is the paragraph's. Below the head and its rule the rows have their own lines.
void find_lines(std::vector<Block>& blocks) {
  constexpr std::size_t k_above_rows = 2;
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    Block& table = blocks[i];
    if (table.kind != Block::Kind::table || blocks[i - 1].line != 0) continue;
    blocks[i - 1].line = table.line;
    table.line = table.inner.size() > 1 ? table.inner[1].line - k_above_rows : 0;
  }
}

Root parse_to_nodes(std::string_view text) {
  static std::once_flag once;
  std::call_once(once, cmark_gfm_core_extensions_ensure_registered);
  const std::unique_ptr<cmark_parser, FreeParser> parser(cmark_parser_new(CMARK_OPT_VALIDATE_UTF8));
  for (const char* name : k_extensions) {
    if (cmark_syntax_extension* extension = cmark_find_syntax_extension(name)) {
      cmark_parser_attach_syntax_extension(parser.get(), extension);
    }
  }
  cmark_parser_feed(parser.get(), text.data(), text.size());
  return Root(cmark_parser_finish(parser.get()));
}

bool costs_too_much(std::string_view text) {
  if (text.size() > k_longest) return true;
  std::size_t brackets = 0;
  std::size_t bars = 0;
  for (const char c : text) {
    if (c == '\n') bars = 0;
    if (c == '|' && ++bars > k_most_bars_in_line) return true;
    if (c == '[' && ++brackets > k_most_brackets) return true;
  }
  return false;
}

std::vector<Block> as_it_is(std::string_view text) {
  return {Block{.kind = Block::Kind::code, .text = std::string(text)}};
}

void append_plain(const std::vector<Span>& spans, std::string& out) {
  for (const Span& span : spans) {
    const bool breaks = span.kind == Span::Kind::soft_break || span.kind == Span::Kind::hard_break;
    out += breaks ? " " : span.text;
    append_plain(span.inner, out);
  }
}

}  // namespace

std::vector<Block> parse(std::string_view text) {
  if (costs_too_much(text)) return as_it_is(text);
  const Root root = parse_to_nodes(text);
  if (!root) return as_it_is(text);
  TreeBuilder tree;
  const std::unique_ptr<cmark_iter, FreeIterator> iterator(cmark_iter_new(root.get()));
  for (;;) {
    const cmark_event_type event = cmark_iter_next(iterator.get());
    if (event == CMARK_EVENT_DONE) break;
    cmark_node* const node = cmark_iter_get_node(iterator.get());
    if (event == CMARK_EVENT_EXIT) {
      tree.leave(node);
    } else if (cmark_node_get_type(node) == CMARK_NODE_CODE_BLOCK ||
               cmark_node_get_type(node) == CMARK_NODE_HTML_BLOCK ||
               cmark_node_get_type(node) == CMARK_NODE_THEMATIC_BREAK) {
      tree.pass(node);
    } else {
      tree.enter(node);
    }
  }
  std::vector<Block> blocks = tree.take();
  find_lines(blocks);
  return blocks;
}

std::string plain_text(const std::vector<Span>& spans) {
  std::string out;
  append_plain(spans, out);
  return out;
}

}  // namespace yume::markdown
