// SPDX-License-Identifier: MIT
#include "tools/search/matcher.h"

#include "tools/search/literal_scan.h"
#include "tools/search/required_literals.h"

#include <gtest/gtest.h>

#include <random>

namespace yume::tools::search {
namespace {

using Strings = std::vector<std::string>;

std::string found(std::string_view pattern, std::string_view text, MatcherOptions options = {}) {
  const auto matcher = Matcher::compile(pattern, options);
  if (!matcher.ok()) return "error: " + matcher.error().message;
  const auto match = matcher->find(text, 0);
  return match ? std::string(text.substr(match->begin, match->end - match->begin)) : "nothing";
}

TEST(Matcher, FindsWithAndWithoutALiteral) {
  EXPECT_EQ(found("needle", "hay\nneedle\n"), "needle");
  EXPECT_EQ(found("[a-z]+dle\\b", "hay\nneedle!\n"), "needle");
  EXPECT_EQ(found("[a-z]+\\d", "hay\nab1\n"), "ab1");
  EXPECT_EQ(found("(foo|bar)\\w*\\(", "x\nbarber()\n"), "barber(");
  EXPECT_EQ(found("nowhere", "hay\n"), "nothing");
}

TEST(Matcher, TiesAnchorsToLines) {
  EXPECT_EQ(found("^two$", "one\ntwo\nthree\n"), "two");
  EXPECT_EQ(found("^wo$", "one\ntwo\n"), "nothing");
  EXPECT_EQ(found("\\btwo\\b", "atwo\ntwob\n two \n"), "two");
}

TEST(Matcher, NeverCrossesALine) {
  EXPECT_EQ(found("one[^x]*two", "one\ntwo\n"), "nothing");
  EXPECT_EQ(found("one\\s+two", "one\ntwo\n"), "nothing");
  EXPECT_NE(found("one\\ntwo", "one\ntwo\n").find("multiline"), std::string::npos);
  EXPECT_EQ(found("a\\\\n", "a\\n\n"), "a\\n");
}

TEST(Matcher, CrossesLinesWhenAsked) {
  EXPECT_EQ(found("one.two", "one\ntwo\n", {.multiline = true}), "one\ntwo");
  EXPECT_EQ(found("one\\ntwo$", "one\ntwo\n", {.multiline = true}), "one\ntwo");
}

TEST(Matcher, IgnoresCaseBeyondAscii) {
  EXPECT_EQ(found("needle", "NeeDLE\n", {.ignore_case = true}), "NeeDLE");
  EXPECT_EQ(found("stress", "\xC5\xBFtre\xC5\xBFs\n", {.ignore_case = true}),
            "\xC5\xBFtre\xC5\xBFs");
  EXPECT_EQ(found("\xC3\xA9t\xC3\xA9", "\xC3\x89T\xC3\x89\n", {.ignore_case = true}),
            "\xC3\x89T\xC3\x89");
}

TEST(Matcher, FindsNothingBehindTheLastNewline) {
  const auto matcher = Matcher::compile("^$", {});
  ASSERT_TRUE(matcher.ok());
  EXPECT_FALSE(matcher->find("a\n", 0).has_value());
  EXPECT_FALSE(matcher->find("", 0).has_value());
  EXPECT_EQ(matcher->find("a\n\nb\n", 0)->begin, 2U);
}

TEST(Matcher, NamesWhatIsWrongWithAPattern) {
  EXPECT_NE(found("(", "").find("regex parse error"), std::string::npos);
  EXPECT_NE(found("a(?=b)", "").find("regex parse error"), std::string::npos);
  EXPECT_NE(found(std::string(20'000, 'a'), "").find("longer than"), std::string::npos);
  EXPECT_NE(found("((a{1,100}){1,100}){1,100}", "").find("error"), std::string::npos);
}

TEST(Matcher, AnswersCostlyPatternsOnALongLine) {
  const std::string line = std::string(10'000'000, 'a') + "!\n";
  for (const std::string_view pattern : {"(a+)+$", "(a|a)*b", "a*a*a*b", "(a*)*c"}) {
    EXPECT_EQ(found(pattern, line), "nothing") << pattern;
  }
}

TEST(RequiredLiterals, ReadsWhatAMatchMustContain) {
  const auto read = [](std::string_view pattern) {
    return required_literals(pattern, LetterCase::exact).any_of;
  };
  EXPECT_EQ(read("needle"), Strings{"needle"});
  EXPECT_EQ(read("\\w+Exception\\b"), Strings{"Exception"});
  EXPECT_EQ(read("(foo|bar)\\w*\\("), (Strings{"foo", "bar"}));
  EXPECT_EQ(read("ab?cd"), Strings{"cd"});
  EXPECT_EQ(read("ab+cd"), Strings{"ab"});
  EXPECT_EQ(read("a{2}bcd"), Strings{"bcd"});
  EXPECT_EQ(read("interface{}"), Strings{"interface{}"});
  EXPECT_EQ(read("a\\.b\\(c"), Strings{"a.b(c"});
  EXPECT_EQ(read("(abc)*xy"), Strings{"xy"});
  EXPECT_EQ(read("[]a]foo[^]b]"), Strings{"foo"});
  EXPECT_EQ(read("(?:abc|d\\w)e"), (Strings{"abc", "d"}));
}

TEST(RequiredLiterals, KnowsNothingWhenInDoubt) {
  for (const std::string_view pattern : {"", "a|", "(?i)abc", "\\x61bc", "\\Qa.b\\E", "\\pLabc",
                                         "abc|\\w+", "abc)", "(abc", "[abc"}) {
    EXPECT_TRUE(required_literals(pattern, LetterCase::exact).any_of.empty()) << pattern;
  }
}

TEST(RequiredLiterals, AvoidsLettersWithRelativesWhenCaseIsIgnored) {
  EXPECT_EQ(required_literals("Makefile", LetterCase::ascii_folded).any_of, Strings{"efile"});
  EXPECT_TRUE(required_literals("sks", LetterCase::ascii_folded).any_of.empty());
}

TEST(LiteralScan, AgreesWithAPlainSearch) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::size_t i = random() % 120; i > 0; --i) text += "abAB"[random() % 4];
    Strings needles;
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      std::string needle;
      for (std::size_t i = 1 + random() % 4; i > 0; --i) needle += "ab"[random() % 2];
      needles.push_back(needle);
    }
    const bool folded = random() % 2 == 0;
    std::string compared = text;
    if (folded) {
      for (char& c : compared) c = c == 'A' ? 'a' : c == 'B' ? 'b' : c;
    }
    const std::size_t from = text.empty() ? 0 : random() % text.size();
    std::size_t expected = std::string::npos;
    for (const std::string& needle : needles) {
      expected = std::min(expected, compared.find(needle, from));
    }
    const LiteralScan scan(needles, folded ? LetterCase::ascii_folded : LetterCase::exact);
    ASSERT_EQ(scan.find(text, from), expected) << text << " from " << from;
  }
}

}  // namespace
}  // namespace yume::tools::search
