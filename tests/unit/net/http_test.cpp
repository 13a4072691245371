// SPDX-License-Identifier: MIT
#include "net/http.h"

#include <gtest/gtest.h>

namespace yume::net {
namespace {

TEST(HttpHead, FindsAHeaderWhateverItsCase) {
  const HttpHead head{.status = 200, .headers = {{"CONTENT-Type", "text/html"}, {"X-A", "1"}}};
  EXPECT_EQ(head.header("content-type"), "text/html");
  EXPECT_EQ(head.header("Content-Type"), "text/html");
  EXPECT_EQ(head.header("x-a"), "1");
}

TEST(HttpHead, TakesTheLastValue) {
  const HttpHead head{.status = 200, .headers = {{"a", "1"}, {"A", "2"}, {"b", "3"}}};
  EXPECT_EQ(head.header("a"), "2");
}

TEST(HttpHead, AnswersNothingForAnAbsentHeader) {
  const HttpHead head{.status = 200, .headers = {{"content-type-x", "no"}, {"content", "no"}}};
  EXPECT_EQ(head.header("content-type"), "");
  EXPECT_EQ(HttpHead{}.header("a"), "");
}

TEST(HttpHead, FoldsOnlyLetters) {
  const HttpHead head{.status = 200, .headers = {{"a[b", "1"}}};
  EXPECT_EQ(head.header("a{b"), "");
}

}  // namespace
}  // namespace yume::net
