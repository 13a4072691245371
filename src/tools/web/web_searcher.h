// SPDX-License-Identifier: MIT
// What WebSearch needs: a question to a search engine, and its answer with sources. The
// implementation lives above this folder. Thread-safe; search() blocks.
#pragma once

#include <string>
#include <vector>

#include "core/tool_details.h"
#include "core/usage.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::tools::web {

struct SearchRequest {
  std::string query;
  std::vector<std::string> allowed_domains = {};
  std::vector<std::string> blocked_domains = {};
};

using SearchSource = core::WebSource;

struct SearchAnswer {
  std::string text;  // with marks like [1] where a source stands behind it
  std::vector<SearchSource> sources = {};
};

class WebSearcher {
 public:
  virtual ~WebSearcher() = default;
  virtual Result<SearchAnswer> search(const SearchRequest& request, const CancelToken& cancel) = 0;
  // The bill since it was last asked for.
  virtual std::vector<core::Usage> take_billed() = 0;
};

}  // namespace yume::tools::web
