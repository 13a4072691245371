// SPDX-License-Identifier: MIT
#include "util/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace yume {
namespace {

Result<int> parse(const std::string& text) {
  if (text.empty()) return Error{.code = ErrorCode::invalid_argument, .message = "empty"};
  return static_cast<int>(text.size());
}

Result<std::string> twice(const std::string& text) {
  YUME_TRY(const int first, parse(text));
  YUME_TRY(const int second, parse(text + text));
  return std::to_string(first) + " " + std::to_string(second);
}

TEST(Result, HoldsAValueOrAnError) {
  const auto good = parse("abc");
  ASSERT_TRUE(good.ok());
  EXPECT_TRUE(static_cast<bool>(good));
  EXPECT_EQ(*good, 3);
  const auto bad = parse("");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(bad.error().message, "empty");
  EXPECT_EQ(bad.error().http_status, 0);
  EXPECT_FALSE(bad.error().retry_after.has_value());
}

TEST(Result, TryHandsTheErrorOn) {
  EXPECT_EQ(*twice("ab"), "2 4");
  EXPECT_EQ(twice("").error().message, "empty");
}

TEST(Result, MovesWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> made = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = std::move(made).value();
  EXPECT_EQ(*taken, 7);
}

TEST(Result, OfVoidIsGoodUnlessToldOtherwise) {
  EXPECT_TRUE(Result<void>().ok());
  const Result<void> bad = Error{.code = ErrorCode::io, .message = "disk full"};
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().message, "disk full");
}

}  // namespace
}  // namespace yume
