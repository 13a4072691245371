// SPDX-License-Identifier: MIT
// Runs one Grep over a file or a tree and gathers what was found, in an order that does not depend
// on the threads. Blocks until done, cancelled or out of time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/search/file_search.h"
#include "tools/search/search_root.h"

namespace yume::tools::search {

struct GrepQuery {
  std::string pattern;
  MatcherOptions options;
  Wanted wanted = Wanted::whether;
  LineStyle style;
};

struct FileHits {
  std::string path;                     // below the root
  std::size_t matching_lines = 0;       // 1 when only asked whether
  std::size_t line_count = 0;           // of the content, kept or not
  std::vector<std::string> lines = {};  // the first of them
  std::int64_t modified_ns = 0;         // only when asked whether
};

struct GrepHits {
  std::vector<FileHits> files;  // by path
  bool complete = true;
};

Result<GrepHits> run_grep(const GrepQuery& query, const SearchRoot& root, WalkSettings settings,
                          const ToolContext& context);

}  // namespace yume::tools::search
