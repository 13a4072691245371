// SPDX-License-Identifier: MIT
// What stands behind an answer that the server found by searching: its sources, and which of them
// support which stretch of the text. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yume::gemini {

struct GroundingSource {
  std::string uri;
  std::string title;
  std::string domain;  // often empty; the title is the domain then

  friend bool operator==(const GroundingSource&, const GroundingSource&) = default;
};

struct GroundingSupport {
  std::string text;                  // the stretch
  std::size_t end = 0;               // where it ends, in bytes of the answer
  std::vector<std::size_t> sources;  // by number, from 0

  friend bool operator==(const GroundingSupport&, const GroundingSupport&) = default;
};

struct Grounding {
  std::vector<std::string> queries;
  std::vector<GroundingSource> sources;
  std::vector<GroundingSupport> supports;

  friend bool operator==(const Grounding&, const Grounding&) = default;
};

// `text` with marks like [1][3] behind every stretch that has sources. `numbers` says what number
// each source is shown under; 0: it is not shown.
std::string with_marks(std::string_view text, const std::vector<GroundingSupport>& supports,
                       const std::vector<std::size_t>& numbers);

}  // namespace yume::gemini
