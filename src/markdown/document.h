// SPDX-License-Identifier: MIT
// Markdown as a tree: CommonMark with GitHub's tables, task lists, struck text and bare links. HTML
// inside of it is text like any other. Pure; no renderer needs to know the parser.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yume::markdown {

struct Span {
  enum class Kind { text, code, emphasis, strong, struck, link, image, soft_break, hard_break };
  Kind kind = Kind::text;
  std::string text = {};         // of text and code
  std::string target = {};       // of a link or an image
  std::vector<Span> inner = {};  // of all but text, code and breaks
};

enum class Align { none, left, centre, right };

struct Block {
  enum class Kind {
    paragraph,
    heading,
    quote,
    list,
    item,
    code,
    rule,
    table,
    row,
    cell,
  };
  Kind kind = Kind::paragraph;
  std::vector<Block> inner = {};              // of quotes, lists, items, tables and rows
  std::vector<Span> spans = {};               // of paragraphs, headings and cells
  std::string text = {};                      // of code; ends with a newline
  std::string language = {};                  // of code; may be empty
  unsigned level = 0;                         // of a heading, from 1
  std::optional<unsigned> first_number = {};  // of a list; absent: it has bullets
  std::optional<bool> done = {};              // of an item of a task list
  bool is_fenced = false;                     // of code
  bool is_head = false;                       // of a table's row
  Align align = Align::none;                  // of a cell
  std::size_t line = 0;                       // where it begins in the text, from 1; 0: unknown
};

// Total: a text that would take too long comes back as code, so that nothing of it is lost.
// Blocks that are nested deeper than anybody writes are flattened.
std::vector<Block> parse(std::string_view text);

// What a reader sees of it, without marks.
std::string plain_text(const std::vector<Span>& spans);

}  // namespace yume::markdown
