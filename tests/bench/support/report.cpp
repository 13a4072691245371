// SPDX-License-Identifier: MIT
#include "report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

namespace yume::bench {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view k_nothing = "-";

// Three significant digits, and no more than a whole number needs.
std::string number(double value) {
  std::array<char, 32> text{};
  const double size = std::fabs(value);
  const int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

// The number that the bar is on; the median without one.
double judged(const Row& row, const Samples& samples) {
  const Bar::Kind kind = row.bar ? row.bar->kind : Bar::Kind::median_at_most;
  switch (kind) {
    case Bar::Kind::median_at_most:
    case Bar::Kind::median_at_least:
      break;
    case Bar::Kind::p90_at_most:
      return samples.quantile(0.9);
    case Bar::Kind::max_at_most:
      return samples.max();
    case Bar::Kind::ratio_of_minima_at_most:
      return samples.min();
  }
  return samples.median();
}

std::string cell(const Row& row, const Samples& samples) {
  if (samples.empty()) return std::string(k_nothing);
  const bool tail = row.bar && (row.bar->kind == Bar::Kind::p90_at_most ||
                                row.bar->kind == Bar::Kind::max_at_most);
  if (tail) return number(judged(row, samples));
  return number(samples.median()) + " (" + number(samples.min()) + ".." +
         number(samples.quantile(0.9)) + ")";
}

std::optional<double> ratio(const Row& row) {
  if (row.yume.empty() || row.mini.empty() || judged(row, row.mini) == 0) return std::nullopt;
  return judged(row, row.yume) / judged(row, row.mini);
}

std::string bar_text(const Row& row) {
  if (!row.bar) return std::string(k_nothing);
  const std::string limit = number(row.bar->limit);
  switch (row.bar->kind) {
    case Bar::Kind::median_at_most:
      return "<= " + limit;
    case Bar::Kind::median_at_least:
      return ">= " + limit;
    case Bar::Kind::p90_at_most:
      return "p90 <= " + limit;
    case Bar::Kind::max_at_most:
      return "max <= " + limit;
    case Bar::Kind::ratio_of_minima_at_most:
      return "min <= " + limit + "x";
  }
  return {};
}

std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::no_bar:
      return k_nothing;
    case Verdict::met:
      return "met";
    case Verdict::missed:
      return "MISSED";
    case Verdict::not_measured:
      return "n/a";
  }
  return {};
}

ordered_json numbers(const Samples& samples) {
  if (samples.empty()) return nullptr;
  return {{"median", samples.median()},
          {"min", samples.min()},
          {"p90", samples.quantile(0.9)},
          {"max", samples.max()},
          {"n", samples.values.size()}};
}

}  // namespace

double Samples::quantile(double q) const {
  if (values.empty()) return 0;
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const double rank = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Verdict verdict(const Row& row) {
  if (!row.bar) return Verdict::no_bar;
  if (row.yume.empty()) return Verdict::not_measured;
  const double limit = row.bar->limit;
  const double value = judged(row, row.yume);
  bool met = false;
  switch (row.bar->kind) {
    case Bar::Kind::median_at_most:
    case Bar::Kind::p90_at_most:
    case Bar::Kind::max_at_most:
      met = value <= limit;
      break;
    case Bar::Kind::median_at_least:
      met = value >= limit;
      break;
    case Bar::Kind::ratio_of_minima_at_most:
      if (row.mini.empty()) return Verdict::not_measured;
      met = value <= limit * judged(row, row.mini);
      break;
  }
  return met ? Verdict::met : Verdict::missed;
}

std::string table(const std::vector<Row>& rows) {
  std::vector<std::vector<std::string>> cells{
      {"", "metric", "yume-cli", "mini_client", "ratio", "bar", "verdict"}};
  for (const Row& row : rows) {
    const auto quotient = ratio(row);
    cells.push_back({row.group, row.metric, cell(row, row.yume), cell(row, row.mini),
                     quotient ? number(*quotient) + "x" : std::string(k_nothing), bar_text(row),
                     std::string(verdict_text(verdict(row)))});
  }
  std::vector<std::size_t> widths(cells.front().size());
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  cells.insert(cells.begin() + 1, std::vector<std::string>());
  for (const std::size_t width : widths) cells[1].emplace_back(width, '-');
  std::string text;
  for (const auto& line : cells) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      text += "| " + line[i] + std::string(widths[i] - line[i].size() + 1, ' ');
    }
    text += "|\n";
  }
  return text;
}

std::string json_report(const std::vector<Row>& rows, const std::vector<std::string>& failures,
                        const std::vector<std::string>& left_out) {
  ordered_json report;
  report["rows"] = ordered_json::array();
  for (const Row& row : rows) {
    ordered_json entry = {{"scenario", row.group}, {"metric", row.metric}};
    entry["yume_cli"] = numbers(row.yume);
    entry["mini_client"] = numbers(row.mini);
    const auto quotient = ratio(row);
    entry["ratio"] = quotient ? ordered_json(*quotient) : ordered_json(nullptr);
    entry["bar"] = row.bar ? ordered_json(bar_text(row)) : ordered_json(nullptr);
    entry["verdict"] = verdict_text(verdict(row));
    report["rows"].push_back(std::move(entry));
  }
  report["failures"] = failures;
  report["left_out"] = left_out;
  return report.dump(2) + "\n";
}

}  // namespace yume::bench
