// SPDX-License-Identifier: MIT
// Samples, their statistics, the bars they must hold, and the two ways to show them: a table for
// people and JSON for comparing runs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace yume::bench {

struct Samples {
  std::vector<double> values;

  void add(double value) { values.push_back(value); }
  bool empty() const { return values.empty(); }
  double quantile(double q) const;  // 0 when empty
  double median() const { return quantile(0.5); }
  double min() const { return quantile(0); }
  double max() const { return quantile(1); }
};

// The "must" of a metric. The statistic it applies to is the one that a host or a person feels.
struct Bar {
  enum class Kind {
    median_at_most,
    median_at_least,
    p90_at_most,
    max_at_most,
    ratio_of_minima_at_most,
  };
  Kind kind = Kind::median_at_most;
  double limit = 0;
};

struct Row {
  std::string group;   // the scenario's letter
  std::string metric;  // with its unit
  std::optional<Bar> bar = {};
  Samples yume = {};
  Samples mini = {};  // empty when the yardstick cannot do it
};

enum class Verdict { no_bar, met, missed, not_measured };
Verdict verdict(const Row& row);

// Cells show median (min..p90), or the one number that a bar on the slowest is on. The ratio is
// that of the numbers the bar is on.
std::string table(const std::vector<Row>& rows);
std::string json_report(const std::vector<Row>& rows, const std::vector<std::string>& failures,
                        const std::vector<std::string>& left_out);

}  // namespace yume::bench
