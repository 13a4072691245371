// SPDX-License-Identifier: MIT
// What a run printed, line by line, and whether the whole stream is in it. mini_client names the
// fields used here as the `yume` dialect does: type, content, result.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench_time.h"
#include "program_run.h"

namespace yume::bench {

// One line with text; several deltas may have been joined in it.
struct TextLine {
  std::size_t text_end = 0;  // bytes of text up to here
  Time when;
};

struct Transcript {
  std::optional<Time> init;
  std::vector<TextLine> text_lines;
  std::string text;
  std::optional<Time> result;
  bool result_is_error = false;
  std::size_t tool_results = 0;
  std::string problem;  // empty when every line was readable

  // When the last byte of the first `bytes` of text was there.
  Time time_of_text(std::size_t bytes) const;
};

Transcript read_transcript(const ProgramRun& run);

// What is missing from a run that should have gone well: the exit code, a line, a part of the text.
// Empty when it is complete.
std::string missing_from(const ProgramRun& run, const Transcript& transcript,
                         std::string_view expected_text);

}  // namespace yume::bench
