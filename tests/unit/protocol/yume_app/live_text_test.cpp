// SPDX-License-Identifier: MIT
#include "protocol/yume_app/live_text.h"

#include <gtest/gtest.h>

namespace yume::protocol {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds k_gap{80};

platform::SteadyTime at(int ms) {
  return platform::SteadyTime(milliseconds(ms));
}

bool is_due(const LiveText& live, platform::SteadyTime now) {
  const auto due = live.due_at();
  return due && now >= *due;
}

TEST(LiveText, ShowsTheFirstPieceAtOnce) {
  LiveText live(k_gap);
  EXPECT_EQ(live.due_at(), std::nullopt);
  live.grow_to(5);
  EXPECT_TRUE(is_due(live, at(0)));
}

TEST(LiveText, KeepsItsLinesApart) {
  LiveText live(k_gap);
  live.grow_to(5);
  live.written(at(100));
  EXPECT_EQ(live.due_at(), std::nullopt) << "all of it is shown";
  live.grow_to(9);
  EXPECT_FALSE(is_due(live, at(179)));
  EXPECT_EQ(live.due_at(), at(180));
}

TEST(LiveText, ShowsAnotherTextAtOnce) {
  LiveText live(k_gap);
  live.grow_to(50);
  live.written(at(100));
  live.forget();
  live.grow_to(5);
  EXPECT_TRUE(is_due(live, at(101)));
}

// What all lines cost together, and how many there were, of a text that comes in pieces.
struct Cost {
  std::size_t bytes = 0;
  int lines = 0;
};

Cost cost_of(std::size_t length, std::size_t piece) {
  LiveText live{milliseconds(0)};
  Cost cost;
  for (std::size_t bytes = piece; bytes <= length; bytes += piece) {
    live.grow_to(bytes);
    if (!is_due(live, at(0))) continue;
    live.written(at(0));
    cost.bytes += bytes;
    ++cost.lines;
  }
  return cost;
}

TEST(LiveText, FollowsAnOrdinaryAnswerPieceByPiece) {
  EXPECT_EQ(cost_of(5'000, 100).lines, 50);
}

TEST(LiveText, CostsASmallMultipleOfTheText) {
  for (const std::size_t length : {100U, 5'000U, 60'000U, 900'000U}) {
    for (const std::size_t piece : {1U, 20U, 100U}) {
      const Cost cost = cost_of(length, piece);
      EXPECT_LE(cost.bytes, LiveText::k_free_bytes + LiveText::k_most_per_byte * length)
          << length << " in pieces of " << piece;
    }
  }
}

TEST(LiveText, ShowsMostOfALongTextAllTheTime) {
  LiveText live{milliseconds(0)};
  std::size_t shown = 0;
  for (std::size_t bytes = 100; bytes <= 900'000; bytes += 100) {
    live.grow_to(bytes);
    if (is_due(live, at(0))) {
      live.written(at(0));
      shown = bytes;
    }
    ASSERT_GE(shown, bytes * 3 / 4) << bytes;
  }
}

}  // namespace
}  // namespace yume::protocol
