// SPDX-License-Identifier: MIT
// A web page as text for a model: headings, lists, links, code and tables in Markdown's way;
// scripts, menus and what is hidden left out. Pure but for the clock that bounds the parser.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "platform/clock.h"
#include "tools/web/html_tree.h"
#include "util/result.h"

namespace yume::tools::web {

struct HtmlText {
  std::string title;
  std::string text;
  bool cut = false;  // there is more than anybody reads
};

// A link of the page in full, given the page's <base> (often empty); empty: no link worth showing.
using ResolveLink = std::function<std::string(std::string_view base, std::string_view link)>;

// `html` is UTF-8. Of a page that takes more than the budget the beginning is read; too_large when
// even that takes too much, as only a page made for it does.
Result<HtmlText> html_to_text(std::string_view html, const ResolveLink& resolve,
                              const platform::Clock& clock, const HtmlBudget& budget = {});

}  // namespace yume::tools::web
