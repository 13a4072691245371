// SPDX-License-Identifier: MIT
// How long decisions take: printed for people, never compared with a clock.
#include "permissions/policy.h"
#include "unit/permissions/command_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace yume::permissions {
namespace {

TEST(DecisionTime, IsReported) {
  constexpr std::size_t k_pairs = 10'000;
  std::mt19937 random(14);  // NOLINT: the same pairs each time
  const auto commands = test::read_command_lines("attack_pack.txt");
  const std::vector<std::string> specs = {"Bash(curl:*)",  "Bash(*--force*)", "Bash(git push:*)",
                                          "Bash(a*b*c*d)", "Read(.env)",      "Edit(src/**)",
                                          "Read(~/**/x*)", "Bash(rm *)"};
  std::vector<std::unique_ptr<ModePolicy>> owned;
  for (const std::string& spec : specs) {
    PolicySettings with{.roots = {"/w/app"}, .home = "/home/u"};
    with.rules.deny = {test::rule_of(spec, RuleEffect::deny)};
    owned.push_back(std::make_unique<ModePolicy>(std::move(with)));
  }
  std::vector<std::pair<std::chrono::nanoseconds, const std::string*>> times;
  for (std::size_t i = 0; i < k_pairs; ++i) {
    const std::string& command = commands[random() % commands.size()].command;
    const ModePolicy& policy = *owned[random() % owned.size()];
    const auto before = std::chrono::steady_clock::now();
    (void)test::allows(policy, command);
    times.emplace_back(std::chrono::steady_clock::now() - before, &command);
  }
  std::sort(times.begin(), times.end());
  const auto microseconds = [&](std::size_t at) {
    return static_cast<long>(times[at].first.count() / 1000);
  };
  std::printf("decisions: %zu, median %ld us, p99 %ld us, most %ld us for: %.60s\n", times.size(),
              microseconds(times.size() / 2), microseconds(times.size() * 99 / 100),
              microseconds(times.size() - 1), times.back().second->c_str());
  EXPECT_EQ(times.size(), k_pairs);
}

}  // namespace
}  // namespace yume::permissions
