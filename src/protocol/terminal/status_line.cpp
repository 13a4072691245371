// SPDX-License-Identifier: MIT
#include "protocol/terminal/status_line.h"

#include "markdown/styled_lines.h"
#include "util/display_width.h"
#include "util/grouped_count.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

namespace yume::protocol {
namespace {

constexpr std::chrono::milliseconds k_frame{120};
constexpr std::array<std::string_view, 10> k_frames = {"⠋", "⠙", "⠹", "⠸", "⠼",
                                                       "⠴", "⠦", "⠧", "⠇", "⠏"};
constexpr std::array<std::string_view, 4> k_ascii_frames = {"|", "/", "-", "\\"};

// What matters most comes first.
std::vector<std::string> parts_of(const StatusFacts& facts) {
  std::vector<std::string> parts = {"Ctrl-C interrupts"};
  if (facts.context_share) parts.push_back(std::to_string(*facts.context_share) + "% of context");
  if (facts.cost_usd > 0) parts.push_back(cost_in_dollars(facts.cost_usd));
  if (facts.in_background > 0) {
    parts.push_back(std::to_string(facts.in_background) + " in the background");
  }
  if (!facts.used.empty()) {
    parts.push_back(grouped(facts.used.prompt_tokens) + " tokens in, " +
                    grouped(facts.used.billed_output()) + " out");
  }
  return parts;
}

}  // namespace

std::string status_line(const StatusFacts& facts, const markdown::TerminalLook& look) {
  const auto frame = static_cast<std::size_t>(facts.elapsed / k_frame);
  const std::string_view dot = look.utf8 ? " · " : ", ";
  std::string line(look.utf8 ? k_frames[frame % k_frames.size()]
                             : k_ascii_frames[frame % k_ascii_frames.size()]);
  line.append(" ").append(facts.doing).append(dot).append(whole_seconds(facts.elapsed));
  for (const std::string& part : parts_of(facts)) {
    const std::size_t width = display_width(line) + display_width(dot) + display_width(part);
    if (width < look.columns) line.append(dot).append(part);
  }
  return markdown::in_style(line, markdown::dim, look);
}

std::string whole_seconds(std::chrono::milliseconds time) {
  constexpr std::int64_t k_minute = 60;
  const std::int64_t seconds = time.count() / 1000;
  if (seconds < k_minute) return std::to_string(seconds) + " s";
  return std::to_string(seconds / k_minute) + " min " + std::to_string(seconds % k_minute) + " s";
}

std::string cost_in_dollars(double usd) {
  if (usd < 0.0001) return "less than $0.0001";
  return usd < 0.01 ? fmt::format("${:.4f}", usd) : fmt::format("${:.2f}", usd);
}

}  // namespace yume::protocol
