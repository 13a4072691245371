// SPDX-License-Identifier: MIT
#include "protocol/terminal/status_line.h"

#include "util/display_width.h"

#include <gtest/gtest.h>

namespace yume::protocol {
namespace {

using namespace std::chrono_literals;

std::string line(std::size_t columns, bool utf8 = true) {
  StatusFacts facts{.doing = "Working",
                    .elapsed = 65s,
                    .context_share = 12,
                    .cost_usd = 0.034,
                    .in_background = 1};
  facts.used.prompt_tokens = 12'345;
  facts.used.output_tokens = 678;
  return status_line(facts, {.columns = columns, .colours = false, .utf8 = utf8});
}

TEST(StatusLine, SaysWhatThereIsRoomFor) {
  EXPECT_EQ(line(200),
            "⠙ Working · 1 min 5 s · Ctrl-C interrupts · 12% of context · $0.03 · "
            "1 in the background · 12,345 tokens in, 678 out");
  EXPECT_EQ(line(60), "⠙ Working · 1 min 5 s · Ctrl-C interrupts · 12% of context");
  EXPECT_EQ(line(30), "⠙ Working · 1 min 5 s · $0.03");
  EXPECT_EQ(line(10), "⠙ Working · 1 min 5 s");
  EXPECT_EQ(line(45, false), "/ Working, 1 min 5 s, Ctrl-C interrupts");
}

TEST(StatusLine, LeavesOutWhatIsNotKnown) {
  const markdown::TerminalLook look{.columns = 80, .colours = false, .utf8 = true};
  EXPECT_EQ(status_line({.doing = "Thinking"}, look), "⠋ Thinking · 0 s · Ctrl-C interrupts");
}

}  // namespace
}  // namespace yume::protocol
