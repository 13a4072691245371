// SPDX-License-Identifier: MIT
// Turns with one tool call after another; the client's time is what lies between the end of a reply
// and the complete next request, as the server sees it.
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "scenarios.h"
#include "streams.h"

namespace yume::bench {
namespace {

using Kind = Bar::Kind;

constexpr std::string_view k_last_words = "All calls are done.";
// What a turn may take longer at the end of a long history than at its beginning.
constexpr double k_steady = 1.3;

struct Loop {
  std::string scenario;
  std::vector<std::string> answers;  // each asks for one call
};

struct LoopRun {
  std::vector<double> turn_ms;
  std::vector<double> head_ms;  // up to the request's head: without sending the history
  double cpu_ms = 0;
  double peak_rss_mb = 0;
};

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++found) ++at;
  return found;
}

// Empty `turn_ms` when anything was missing.
LoopRun run_loop(Bench& bench, Who who, const Loop& loop) {
  LoopRun result;
  Time reply_ended;
  std::size_t responses = 0;
  const std::string last = last_answer(k_last_words);
  const auto handler = [&](Exchange& exchange) {
    if (exchange.request.index > 0) {
      result.turn_ms.push_back(milliseconds_between(reply_ended, exchange.request.when));
      result.head_ms.push_back(milliseconds_between(reply_ended, exchange.request.head));
    }
    const bool more = exchange.request.index < loop.answers.size();
    if (!more) responses = count(exchange.request.body, "\"functionResponse\"");
    // Taken before the write: after it, the client may be done before this thread goes on.
    reply_ended = now();
    exchange.send(more ? loop.answers[exchange.request.index] : last);
  };
  const auto measured = bench.run(
      who, {.scenario = loop.scenario, .handler = handler, .expected_text = k_last_words});
  if (measured.empty()) return {};
  const std::size_t wanted = loop.answers.size();
  const std::size_t shown = measured.front().transcript.tool_results;
  if (responses != wanted || shown != wanted) {
    bench.fail(who, loop.scenario,
               "of " + std::to_string(wanted) + " calls " + std::to_string(shown) +
                   " results were shown and " + std::to_string(responses) + " sent back");
    return {};
  }
  result.cpu_ms = measured.front().run.cpu_ms;
  result.peak_rss_mb = measured.front().run.peak_rss_mb;
  return result;
}

// A different file in every turn, as a second Read of the same one need not read it.
Loop make_read_loop(const Bench& bench, const std::string& name, std::size_t turns,
                    std::size_t bytes) {
  Loop loop{.scenario = name, .answers = {}};
  for (std::size_t i = 0; i < turns; ++i) {
    const auto path = bench.work() / (name + "_" + std::to_string(i) + ".txt");
    std::ofstream(path) << make_file_text(bytes, i);
    loop.answers.push_back(call_answer("Read", R"({"file_path":")" + path.string() + "\"}"));
  }
  return loop;
}

struct LoopRows {
  Row turn;
  Row first;
  Row last;
  Row growth;
  Row cpu;
  Row rss;

  LoopRows(const std::string& group, const std::string& name) {
    turn = {.group = group, .metric = name + ", client ms per turn"};
    first = {.group = group, .metric = name + ", first tenth, ms"};
    last = {.group = group, .metric = name + ", last tenth, ms"};
    growth = {.group = group, .metric = name + ", last tenth : first, to the head"};
    cpu = {.group = group, .metric = name + ", CPU ms"};
    rss = {.group = group, .metric = name + ", peak RSS MB"};
  }

  void add(Who who, const LoopRun& run) {
    if (run.turn_ms.empty()) return;
    const auto samples = [who](Row& row) -> Samples& {
      return who == Who::yume ? row.yume : row.mini;
    };
    const std::size_t tenth = run.turn_ms.size() / 10;
    for (std::size_t i = 0; i < run.turn_ms.size(); ++i) {
      samples(turn).add(run.turn_ms[i]);
      if (i < tenth) samples(first).add(run.turn_ms[i]);
      if (i + tenth >= run.turn_ms.size()) samples(last).add(run.turn_ms[i]);
    }
    Samples early;
    Samples late;
    for (std::size_t i = 0; i < tenth; ++i) {
      early.add(run.head_ms[i]);
      late.add(run.head_ms[run.head_ms.size() - 1 - i]);
    }
    if (tenth > 0) samples(growth).add(late.median() / early.median());
    samples(cpu).add(run.cpu_ms);
    samples(rss).add(run.peak_rss_mb);
  }
};

void run_interleaved(Bench& bench, const Loop& loop, std::size_t repetitions, LoopRows& rows) {
  for (std::size_t i = 0; i < repetitions; ++i) {
    for (const Who who : order_of(i)) rows.add(who, run_loop(bench, who, loop));
  }
}

}  // namespace

std::vector<Row> read_loop(Bench& bench) {
  LoopRows small("e", "200 Reads of 1 KB");
  small.turn.bar = Bar{Kind::median_at_most, 1};
  small.growth.bar = Bar{Kind::median_at_most, k_steady};
  run_interleaved(bench, make_read_loop(bench, "small", 200, 1024), bench.repetitions(5, 2), small);
  LoopRows big("e", "200 Reads of 22 KB");
  big.cpu.bar = Bar{Kind::median_at_most, 1000};
  big.growth.bar = Bar{Kind::median_at_most, k_steady};
  run_interleaved(bench, make_read_loop(bench, "big", 200, 22 * 1024), bench.repetitions(3, 1),
                  big);
  return {small.turn, small.first, small.last, small.growth, small.cpu, small.rss,
          big.turn,   big.first,   big.last,   big.growth,   big.cpu,   big.rss};
}

std::vector<Row> bash_loop(Bench& bench) {
  Loop loop{.scenario = "bash", .answers = {}};
  for (int i = 0; i < 20; ++i) {
    loop.answers.push_back(call_answer("Bash", R"({"command":"true"})"));
  }
  LoopRows rows("f", "20 Bash calls");
  rows.turn.bar = Bar{Kind::median_at_most, 3};
  run_interleaved(bench, loop, bench.repetitions(7, 3), rows);
  return {rows.turn, rows.cpu};
}

}  // namespace yume::bench
