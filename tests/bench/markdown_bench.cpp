// SPDX-License-Identifier: MIT
// How fast Markdown becomes lines of a terminal while it comes, and how much is written for it.
// Prints the best of some rounds, and fails below 20 MB/s or when one update writes too much. See
// docs/benchmarks.md.
//
//   markdown_bench [--megabytes 10] [--rounds 3]
#include "markdown/terminal_stream.h"
#include "protocol/terminal/terminal_view.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace yume::test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double k_least_rate = 20;                  // MB/s
constexpr std::size_t k_most_at_once = 256U << 10U;  // bytes of one update
constexpr std::size_t k_piece = 4096;                // as large as replies come at their fastest

std::string make_text(std::size_t size) {
  constexpr std::string_view k_part =
      "## What was found\n\nSome **bold words**, *others*, `code` and a "
      "[link](https://example.org) "
      "in a paragraph that is long enough to be broken at the end of a line.\n\n- one\n- two\n  - "
      "inside of two\n\n| name | how many |\n|------|---------:|\n| one  |        1 |\n| 漢字 |    "
      "  "
      " 22 |\n\n```python\ndef greet(name):\n    return f\"Hello, {name}\"\n```\n\n> quoted "
      "words\n\n";
  std::string text;
  text.reserve(size + k_part.size());
  while (text.size() < size) text += k_part;
  return text;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double stream_seconds(std::string_view text, std::size_t& written) {
  const Clock::time_point start = Clock::now();
  markdown::TerminalStream stream({.columns = 100});
  written = 0;
  for (std::size_t at = 0; at < text.size(); at += k_piece) {
    written += stream.add(text.substr(at, k_piece)).size();
  }
  written += stream.finish().size();
  return seconds_since(start);
}

struct Counted final : protocol::Output {
  void line(std::string_view text) override { bytes(text); }
  void bytes(std::string_view text) override {
    most = std::max(most, text.size());
    all += text.size();
  }
  std::size_t most = 0;
  std::size_t all = 0;
};

// As a person sees it: with a status line, and rows that change in place.
double view_seconds(std::string_view text, Counted& output) {
  const Clock::time_point start = Clock::now();
  protocol::TerminalView view(output, {.size = [] { return platform::ScreenSize{100, 40}; }});
  view.on_envelope({.address = {"s"}, .event = core::SessionStarted{}}, Clock::now());
  for (std::size_t at = 0; at < text.size(); at += k_piece) {
    core::TextDelta delta{std::string(text.substr(at, k_piece))};
    view.on_envelope({.address = {"s"}, .event = std::move(delta)}, Clock::now());
  }
  view.on_envelope({.address = {"s"}, .event = core::BlockDone{}}, Clock::now());
  view.on_envelope({.address = {"s"}, .event = core::TurnDone{}}, Clock::now());
  return seconds_since(start);
}

}  // namespace
}  // namespace yume::test

int main(int argc, char** argv) {
  using namespace yume::test;
  std::size_t megabytes = 10;
  int rounds = 3;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--megabytes") == 0)
      megabytes = std::strtoul(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--rounds") == 0) rounds = std::atoi(argv[i + 1]);
  }
  const std::string text = make_text(megabytes << 20U);
  const double size = static_cast<double>(text.size()) / 1e6;
  double stream = 1e9;
  double view = 1e9;
  std::size_t written = 0;
  Counted output;
  for (int round = 0; round < rounds; ++round) {
    stream = std::min(stream, stream_seconds(text, written));
    output = {};
    view = std::min(view, view_seconds(text, output));
  }
  std::printf("as lines            %8.1f MB/s  %11zu bytes\n", size / stream, written);
  std::printf("on a screen         %8.1f MB/s  %11zu bytes, at most %zu at once\n", size / view,
              output.all, output.most);
  const bool good =
      size / stream >= k_least_rate && size / view >= k_least_rate && output.most <= k_most_at_once;
  return good ? 0 : 1;
}
