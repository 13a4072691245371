// SPDX-License-Identifier: MIT
// One reply of text: short, paced, big, and in tiny pieces.
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "scenarios.h"
#include "streams.h"
#include "tls_front.h"

namespace yume::bench {
namespace {

using Kind = Bar::Kind;

Samples& samples_of(Row& row, Who who) {
  return who == Who::yume ? row.yume : row.mini;
}

// The bars on the CPU of a short run are ratios to other programs; 19 ms is the stricter of them
// (765 ms / 40) on the machine they were measured on.
constexpr double k_short_cpu_ms = 19;

struct RateRun {
  double seconds = 0;  // first write of the server to the result line
  double cpu_ms = 0;
  double peak_rss_mb = 0;
};

// Sends everything at once, in one prepared block.
std::vector<RateRun> run_flood(Bench& bench, Who who, std::string_view scenario,
                               const std::string& block, std::string_view text) {
  Time begin;
  const auto measured = bench.run(who, {.scenario = scenario,
                                        .handler =
                                            [&](Exchange& exchange) {
                                              begin = now();
                                              exchange.send(block);
                                            },
                                        .expected_text = text});
  std::vector<RateRun> rates;
  for (const auto& [run, transcript] : measured) {
    rates.push_back(
        {milliseconds_between(begin, *transcript.result) / 1000, run.cpu_ms, run.peak_rss_mb});
  }
  return rates;
}

}  // namespace

std::vector<Row> short_run(Bench& bench) {
  const TextStream stream = make_text_stream(20, 80);
  Row init{.group = "a", .metric = "spawn to init line, ms", .bar = Bar{Kind::median_at_most, 10}};
  Row first{.group = "a", .metric = "spawn to first text line, ms"};
  Row wall{.group = "a",
           .metric = "short run (claude dialect), wall ms",
           .bar = Bar{Kind::ratio_of_minima_at_most, 3}};
  Row spaced{.group = "a", .metric = "short run (yume dialect: 5 ms apart), wall ms"};
  Row cpu{.group = "a",
          .metric = "short run, CPU ms",
          .bar = Bar{Kind::median_at_most, k_short_cpu_ms}};
  Row rss{.group = "a", .metric = "short run, peak RSS MB", .bar = Bar{Kind::median_at_most, 12}};
  const auto handler = [&](Exchange& exchange) {
    exchange.send(stream_head());
    for (const std::string& chunk : stream.chunks) exchange.send(chunk);
  };
  Bench::Job job{.scenario = "short run", .handler = handler, .expected_text = stream.text};
  for (std::size_t i = 0; i < bench.repetitions(41, 11); ++i) {
    for (const Who who : order_of(i)) {
      job.dialect = Dialect::yume;
      for (const auto& [run, transcript] : bench.run(who, job)) {
        const double took = milliseconds_between(run.spawned, run.exited);
        samples_of(init, who).add(milliseconds_between(run.spawned, *transcript.init));
        samples_of(first, who).add(milliseconds_between(run.spawned, transcript.time_of_text(1)));
        samples_of(spaced, who).add(took);
        samples_of(cpu, who).add(run.cpu_ms);
        samples_of(rss, who).add(run.peak_rss_mb);
        if (who == Who::mini) wall.mini.add(took);
      }
      if (who == Who::mini) continue;
      job.dialect = Dialect::claude;
      for (const auto& [run, transcript] : bench.run(who, job)) {
        wall.yume.add(milliseconds_between(run.spawned, run.exited));
      }
    }
  }
  return {init, first, wall, spaced, cpu, rss};
}

std::vector<Row> https_run(Bench& bench) {
  constexpr std::string_view k_name = "HTTPS";
  if (const auto missing = TlsFront::missing()) {
    bench.leave_out(k_name, *missing);
    return {};
  }
  const TextStream stream = make_text_stream(20, 80);
  const auto server = BenchServer::start([&](Exchange& exchange) {
    exchange.send(stream_head());
    for (const std::string& chunk : stream.chunks) exchange.send(chunk);
  });
  if (!server.ok()) {
    bench.fail(Who::yume, k_name, server.error().message);
    return {};
  }
  const auto front = TlsFront::start(bench.scratch("tls"), server.value()->base_url());
  if (!front.ok()) {
    bench.fail(Who::yume, k_name, front.error().message);
    return {};
  }
  const Bench::Job job{.scenario = k_name,
                       .expected_text = stream.text,
                       .dialect = Dialect::claude,
                       .url = front.value()->base_url(),
                       .environment = {"SSL_CERT_DIR=" + front.value()->ca_directory().string()}};
  Row cpu{.group = "i", .metric = "short HTTPS run, CPU ms", .bar = Bar{Kind::median_at_most, 15}};
  Row wall{.group = "i", .metric = "short HTTPS run, wall ms"};
  for (std::size_t i = 0; i < bench.repetitions(41, 11); ++i) {
    for (const Who who : order_of(i)) {
      for (const auto& [run, transcript] : bench.run(who, job)) {
        samples_of(cpu, who).add(run.cpu_ms);
        samples_of(wall, who).add(milliseconds_between(run.spawned, run.exited));
      }
    }
  }
  return {cpu, wall};
}

std::vector<Row> chunk_latency(Bench& bench) {
  const TextStream stream = make_text_stream(100, 80);
  Row latency{
      .group = "b", .metric = "added latency per chunk, ms", .bar = Bar{Kind::median_at_most, 0.5}};
  std::vector<Time> written;
  const auto handler = [&](Exchange& exchange) {
    exchange.send(stream_head());
    Time due = now() + std::chrono::milliseconds(50);
    for (const std::string& chunk : stream.chunks) {
      std::this_thread::sleep_until(due);
      written.push_back(now());
      exchange.send(chunk);
      due += std::chrono::milliseconds(10);
    }
  };
  const Bench::Job job{
      .scenario = "chunk latency", .handler = handler, .expected_text = stream.text};
  for (std::size_t i = 0; i < bench.repetitions(5, 2); ++i) {
    for (const Who who : order_of(i)) {
      written.clear();
      for (const Measured& measured : bench.run(who, job)) {
        for (std::size_t c = 0; c < written.size(); ++c) {
          const Time shown = measured.transcript.time_of_text(stream.chunk_ends[c]);
          samples_of(latency, who).add(milliseconds_between(written[c], shown));
        }
      }
    }
  }
  Row worse = latency;
  worse.metric = "the same, slowest tenth";
  worse.bar = Bar{Kind::p90_at_most, 1};
  return {latency, worse};
}

std::vector<Row> huge_stream(Bench& bench) {
  const TextStream stream = make_text_stream(5000, 2048);
  const std::string block = std::string(stream_head()) + join(stream.chunks);
  Row rate{.group = "c",
           .metric = "10 MB in 5000 chunks, MB/s of text",
           .bar = Bar{Kind::median_at_least, 30}};
  Row cpu{.group = "c", .metric = "10 MB, CPU ms"};
  Row rss{.group = "c", .metric = "10 MB, peak RSS MB"};
  const double megabytes = static_cast<double>(stream.text.size()) / 1e6;
  for (std::size_t i = 0; i < bench.repetitions(7, 3); ++i) {
    for (const Who who : order_of(i)) {
      for (const RateRun& run : run_flood(bench, who, "huge stream", block, stream.text)) {
        samples_of(rate, who).add(megabytes / run.seconds);
        samples_of(cpu, who).add(run.cpu_ms);
        samples_of(rss, who).add(run.peak_rss_mb);
      }
    }
  }
  return {rate, cpu, rss};
}

std::vector<Row> tiny_chunks(Bench& bench) {
  constexpr std::size_t k_chunks = 100'000;
  const TextStream stream = make_text_stream(k_chunks, 10);
  const std::string block = std::string(stream_head()) + join(stream.chunks);
  Row rate{.group = "d",
           .metric = "100,000 chunks of 10 bytes, thousand/s",
           .bar = Bar{Kind::median_at_least, 60}};
  Row cpu{.group = "d", .metric = "100,000 chunks, CPU us per chunk"};
  Row rss{.group = "d", .metric = "100,000 chunks, peak RSS MB"};
  for (std::size_t i = 0; i < bench.repetitions(7, 3); ++i) {
    for (const Who who : order_of(i)) {
      for (const RateRun& run : run_flood(bench, who, "tiny chunks", block, stream.text)) {
        samples_of(rate, who).add(static_cast<double>(k_chunks) / 1000 / run.seconds);
        samples_of(cpu, who).add(run.cpu_ms * 1000 / static_cast<double>(k_chunks));
        samples_of(rss, who).add(run.peak_rss_mb);
      }
    }
  }
  return {rate, cpu, rss};
}

}  // namespace yume::bench
