// SPDX-License-Identifier: MIT
// Where a search starts and how the paths found below it are shown: relative to the working
// directory when they lie in it, else absolute.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "core/tool_call.h"
#include "tools/path_guard.h"
#include "tools/search/walker.h"
#include "tools/tool.h"

namespace yume::tools::search {

inline constexpr std::chrono::seconds k_longest_search{20};

struct SearchRoot {
  NamedFile directory;
  std::string file = {};  // the only file to look at; empty: all below the directory
  std::string prefix;     // stands before every path shown: "", "src/", "/elsewhere/"
};

// Looks what `named` is. The outcome tells the model that it is not there or cannot be searched.
std::variant<SearchRoot, core::ToolOutcome> find_root(const NamedFile& named,
                                                      const ToolContext& context);

// ignore files above the root and the user's own.
void add_ignore_files(WalkSettings& settings, const SearchRoot& root, const ToolContext& context);

// By components, so that a directory's files stay together.
bool path_less(std::string_view left, std::string_view right);

std::string counted(std::size_t count, std::string_view noun);  // "1 file", "2 files"

inline constexpr std::string_view k_stopped_early =
    "(The search was stopped before its end; results are incomplete. Use a narrower path or "
    "pattern.)";

}  // namespace yume::tools::search
