// SPDX-License-Identifier: MIT
#include "gemini/error_page.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::gemini {
namespace {

TEST(ErrorPage, HasATitle) {
  EXPECT_EQ(title_of_page("<html>\r\n<head><title>502 Bad Gateway</title></head>"),
            "502 Bad Gateway");
  EXPECT_EQ(
      title_of_page("\xEF\xBB\xBF \n<!DOCTYPE html><TITLE lang=en>a &amp; b\n  c\x1b</TITLE>"),
      "a & b c");
  EXPECT_EQ(title_of_page("<titles>x</titles><body><h1>Not found</h1>"), "Not found");
  EXPECT_EQ(title_of_page("<?xml version=\"1.0\"?><Error><Code>1</Code><Message>No such bucket."),
            "No such bucket.");
  EXPECT_EQ(title_of_page("<title>" + std::string(5000, 'x')), std::string(200, 'x'));
}

TEST(ErrorPage, MayHaveNone) {
  for (const char* page : {"<html></html>", "<", "<title", "<title>", "<title></title>", "<h1"}) {
    EXPECT_EQ(title_of_page(page), "") << page;
  }
}

TEST(ErrorPage, IsNoOtherText) {
  for (const char* text : {"", " ", "404 page not found", "{}", "a < b", "x<title>y</title>"}) {
    EXPECT_EQ(title_of_page(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace yume::gemini
