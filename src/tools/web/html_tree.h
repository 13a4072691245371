// SPDX-License-Identifier: MIT
// A parsed HTML document, by gumbo, which is old and trusts its input: memory and time are bounded
// here, and the tree is given back without recursion. Pure but for the clock.
#pragma once

#include <gumbo.h>

#include <chrono>
#include <memory>
#include <string_view>

#include "platform/clock.h"
#include "util/result.h"

namespace yume::tools::web {

struct HtmlBudget {
  std::size_t memory = 256U << 20U;
  std::chrono::milliseconds time{3'000};
};

class HtmlTree {
 public:
  // `html` is UTF-8 and must outlive the tree. too_large when it takes more than the budget, as
  // only a page made for that does.
  static Result<HtmlTree> parse(std::string_view html, const platform::Clock& clock,
                                const HtmlBudget& budget);

  HtmlTree(HtmlTree&&) noexcept;
  HtmlTree& operator=(HtmlTree&&) noexcept;
  ~HtmlTree();

  [[nodiscard]] const GumboNode* root() const { return root_; }

 private:
  class Memory;

  HtmlTree(std::unique_ptr<Memory> memory, const GumboNode* root);

  std::unique_ptr<Memory> memory_;
  const GumboNode* root_;
};

}  // namespace yume::tools::web
