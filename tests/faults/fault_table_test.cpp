// SPDX-License-Identifier: MIT
// Runs the whole table against the built program, several rows at once, and says of each row what
// was different. YUME_FAULT_TABLE=1 prints it as Markdown.
#include "faults/fault_row.h"
#include "util/thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <iostream>

namespace yume::faults {
namespace {

constexpr std::size_t k_at_once = 4;

std::string in_a_cell(std::string text) {
  for (char& c : text) {
    if (c == '|' || c == '\n') c = ' ';
  }
  return text.substr(0, 110);
}

void expect_rows(const std::vector<Row>& rows) {
  std::vector<Seen> seen(rows.size());
  std::atomic<std::size_t> next{0};
  {
    std::vector<Thread> workers;
    for (std::size_t i = 0; i < k_at_once; ++i) {
      workers.emplace_back([&] {
        for (std::size_t row = next++; row < rows.size(); row = next++) seen[row] = run(rows[row]);
      });
    }
  }
  const bool print = std::getenv("YUME_FAULT_TABLE") != nullptr;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& problem : seen[i].problems) {
      ADD_FAILURE() << rows[i].id << " (" << rows[i].what << "): " << problem;
    }
    if (!print) continue;
    std::cout << "| " << rows[i].id << " | " << in_a_cell(rows[i].what) << " | "
              << in_a_cell(seen[i].outcome) << " | " << seen[i].requests << " | " << seen[i].exit
              << " |\n";
  }
}

TEST(FaultTable, FinishReasons) {
  expect_rows(finish_rows());
}
TEST(FaultTable, ErrorAnswers) {
  expect_rows(error_rows());
}
TEST(FaultTable, Network) {
  expect_rows(network_rows());
}
TEST(FaultTable, Credentials) {
  expect_rows(auth_rows());
}

// The table itself can fail: a row that says the wrong thing is found out in every respect.
TEST(FaultTable, FindsOutAWrongRow) {
  const Row wrong{.id = "wrong",
                  .what = "",
                  .backend = {good()},
                  .error = "never said",
                  .requests = 2,
                  .exit = "3",
                  .lines_with = {"nowhere"},
                  .none_with = {"fine"}};
  EXPECT_EQ(run(wrong).problems.size(), 5U);
}

}  // namespace
}  // namespace yume::faults
