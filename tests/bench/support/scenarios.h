// SPDX-License-Identifier: MIT
// The scenarios of the benchmark. Each runs both programs in turn as often as it needs and returns
// its rows; what went wrong is in Bench::failures(). docs/benchmarks.md says what the rows mean.
#pragma once

#include <vector>

#include "bench.h"
#include "report.h"

namespace yume::bench {

std::vector<Row> short_run(Bench& bench);      // a
std::vector<Row> chunk_latency(Bench& bench);  // b
std::vector<Row> huge_stream(Bench& bench);    // c
std::vector<Row> tiny_chunks(Bench& bench);    // d
std::vector<Row> read_loop(Bench& bench);      // e
std::vector<Row> bash_loop(Bench& bench);      // f
std::vector<Row> many_at_once(Bench& bench);   // g
std::vector<Row> signals(Bench& bench);        // h
std::vector<Row> https_run(Bench& bench);      // i; no rows when the machine has no nginx

}  // namespace yume::bench
