// SPDX-License-Identifier: MIT
// Many programs at once, and signals.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "scenarios.h"
#include "streams.h"

namespace yume::bench {
namespace {

using Kind = Bar::Kind;

constexpr std::size_t k_at_once = 64;
constexpr std::string_view k_text_line = "\"type\":\"text\"";

class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

bool all_show_text(const std::vector<ProgramRun>& runs) {
  return std::all_of(runs.begin(), runs.end(), [](const ProgramRun& run) {
    return run.output.find(k_text_line) != std::string::npos;
  });
}

// A second of paced chunks for each of them. Wall seconds from the first start to the last end.
Samples wall_of_many(Bench& bench, Who who, const TextStream& stream) {
  const auto handler = [&](Exchange& exchange) {
    exchange.send(stream_head());
    Time due = now() + std::chrono::milliseconds(300);
    for (const std::string& chunk : stream.chunks) {
      std::this_thread::sleep_until(due);
      exchange.send(chunk);
      due += std::chrono::milliseconds(10);
    }
  };
  const auto all = bench.run(who, {.scenario = "64 at once",
                                   .handler = handler,
                                   .expected_text = stream.text,
                                   .copies = k_at_once});
  Samples wall;
  if (all.empty()) return wall;
  Time begin = Time::max();
  Time end = Time::min();
  for (const Measured& measured : all) {
    begin = std::min(begin, measured.run.spawned);
    end = std::max(end, measured.run.exited);
  }
  wall.add(milliseconds_between(begin, end) / 1000);
  return wall;
}

// All wait at a gate in the middle of their stream while they are looked at. MB each; empty when
// /proc does not tell.
Samples pss_of_many(Bench& bench, Who who, const TextStream& stream) {
  Gate gate;
  Samples pss;
  bool sampled = false;
  const auto handler = [&](Exchange& exchange) {
    exchange.send(stream_head());
    for (std::size_t i = 0; i < stream.chunks.size(); ++i) {
      if (i == stream.chunks.size() / 2) gate.pass();
      exchange.send(stream.chunks[i]);
    }
  };
  const auto on_output = [&](std::vector<ProgramRun>& runs) {
    if (sampled || !all_show_text(runs)) return;
    sampled = true;
    double sum = 0;
    for (const ProgramRun& run : runs) sum += pss_mb(run.pid).value_or(0);
    if (sum > 0) pss.add(sum / static_cast<double>(runs.size()));
    gate.open();
  };
  const auto all = bench.run(who, {.scenario = "64 at a gate",
                                   .handler = handler,
                                   .expected_text = stream.text,
                                   .copies = k_at_once,
                                   .on_output = on_output});
  return all.empty() ? Samples{} : pss;
}

void append(Row& row, Who who, const Samples& samples) {
  for (const double value : samples.values) (who == Who::yume ? row.yume : row.mini).add(value);
}

struct Signalled {
  Time sent;
  Measured measured;
};

// Sends the signal when text has come and the stream stands still.
std::optional<Signalled> run_signalled(Bench& bench, const TextStream& stream, int number) {
  Time sent;
  const auto handler = [&](Exchange& exchange) {
    exchange.send(stream_head());
    exchange.send(stream.chunks.front());
    exchange.hold();
  };
  const auto on_output = [&](std::vector<ProgramRun>& runs) {
    if (sent != Time() || !all_show_text(runs)) return;
    sent = now();
    ::kill(runs.front().pid, number);
  };
  auto measured = bench.run_unchecked(
      Who::yume, {.scenario = "signal", .handler = handler, .on_output = on_output});
  if (!measured) return std::nullopt;
  return Signalled{sent, *std::move(measured)};
}

}  // namespace

std::vector<Row> many_at_once(Bench& bench) {
  const TextStream stream = make_text_stream(100, 80);
  Row wall{.group = "g",
           .metric = "64 at once, 1.29 s stream, wall s",
           .bar = Bar{Kind::median_at_most, 2}};
  Row pss{.group = "g", .metric = "64 at once, PSS MB each", .bar = Bar{Kind::median_at_most, 2}};
  for (std::size_t i = 0; i < bench.repetitions(3, 1); ++i) {
    for (const Who who : order_of(i)) {
      append(wall, who, wall_of_many(bench, who, stream));
      append(pss, who, pss_of_many(bench, who, stream));
    }
  }
  return {wall, pss};
}

std::vector<Row> signals(Bench& bench) {
  const TextStream stream = make_text_stream(10, 80);
  Row interrupt{
      .group = "h", .metric = "SIGINT to result line, ms", .bar = Bar{Kind::median_at_most, 250}};
  Row end{.group = "h", .metric = "SIGTERM to exit, ms"};
  for (std::size_t i = 0; i < bench.repetitions(30, 10); ++i) {
    if (const auto run = run_signalled(bench, stream, SIGINT)) {
      const auto& [program, transcript] = run->measured;
      if (program.exit_text() != "0" || !transcript.result) {
        bench.fail(Who::yume, "SIGINT", "exit " + program.exit_text() + " or no result line");
      } else {
        interrupt.yume.add(milliseconds_between(run->sent, *transcript.result));
      }
    }
    if (const auto run = run_signalled(bench, stream, SIGTERM)) {
      const ProgramRun& program = run->measured.run;
      if (program.exit_text() != "143") {
        bench.fail(Who::yume, "SIGTERM", "exit " + program.exit_text());
      } else {
        end.yume.add(milliseconds_between(run->sent, program.exited));
      }
    }
  }
  Row slowest = interrupt;
  slowest.metric = "the same, slowest of all";
  slowest.bar = Bar{Kind::max_at_most, 250};
  return {interrupt, slowest, end};
}

}  // namespace yume::bench
