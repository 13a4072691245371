// SPDX-License-Identifier: MIT
// What has to be known of a page before its first line is written: its title, where its links
// start from, and what its tables are for. Pure.
#pragma once

#include <string>
#include <unordered_set>

#include "tools/web/html_nodes.h"

namespace yume::tools::web {

struct Outline {
  std::string title;
  std::string base;  // of its links; often empty
  // Tables that are no rows of cells to a reader: they hold other tables or blocks of code, are
  // inside one, or have a single column.
  std::unordered_set<const GumboNode*> layout_tables;
  // Columns and marks of line numbers beside code.
  std::unordered_set<const GumboNode*> line_numbers;
};

Outline read_outline(const GumboNode* root);

// All text below a node as it stands in the page.
std::string raw_text(const GumboNode* node);

}  // namespace yume::tools::web
