// SPDX-License-Identifier: MIT
#include "tools/search/matcher.h"

#include "tools/search/required_runs.h"
#include "tools/search/run_scan.h"

#include <gtest/gtest.h>

#include <algorithm>
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

ByteRun run_of(std::string_view text) {
  ByteRun run;
  for (const char c : text) run.emplace_back().set(static_cast<unsigned char>(c));
  return run;
}

// A set of one byte as that byte, another as <how many>.
std::string shown(const ByteRun& run) {
  std::string text;
  for (const ByteSet& bytes : run) {
    if (bytes.count() != 1) {
      text += "<" + std::to_string(bytes.count()) + ">";
      continue;
    }
    for (std::size_t byte = 0; byte < bytes.size(); ++byte) {
      if (bytes[byte]) text.push_back(static_cast<char>(byte));
    }
  }
  return text;
}

Strings required(std::string_view pattern, LetterCase letter_case = LetterCase::exact) {
  Strings all;
  for (const ByteRun& run : required_runs(pattern, letter_case).any_of) all.push_back(shown(run));
  return all;
}

TEST(RequiredRuns, ReadsWhatAMatchMustContain) {
  EXPECT_EQ(required("needle"), Strings{"needle"});
  EXPECT_EQ(required("\\w+Exception\\b"), Strings{"<63>Exception"});
  EXPECT_EQ(required("(foo|bar)\\w*\\("), (Strings{"foo", "bar"}));
  EXPECT_EQ(required("(foo|bar)\\w*"), (Strings{"foo", "bar"}));
  EXPECT_EQ(required("ab?cd"), Strings{"cd"});
  EXPECT_EQ(required("ab+cd"), Strings{"bcd"});
  EXPECT_EQ(required("a{2}bcd"), Strings{"aabcd"});
  EXPECT_EQ(required("a{2,}bc"), Strings{"aabc"});
  EXPECT_EQ(required("a{0,2}bc"), Strings{"bc"});
  EXPECT_EQ(required("interface{}"), Strings{"interface{}"});
  EXPECT_EQ(required("a\\.b\\(c"), Strings{"a.b(c"});
  EXPECT_EQ(required("(abc)*xy"), Strings{"xy"});
  EXPECT_EQ(required("[]a]foo[b-d]"), Strings{"<2>foo<3>"});
  EXPECT_EQ(required("(?:abc|d\\w)"), (Strings{"abc", "d<63>"}));
  EXPECT_EQ(required("[a-z]+_[0-9]{2}\\W"), Strings{"<26>_<10><10><192>"});
  EXPECT_EQ(required("^foo$"), Strings{"foo"});
}

TEST(RequiredRuns, TakesACharacterBeyondAsciiAsAWhole) {
  EXPECT_EQ(required("a\xC3\xA9?"), Strings{"a"});
  EXPECT_EQ(required("\xC3\xA9{2}b"), Strings{"\xC3\xA9\xC3\xA9"
                                              "b"});
  EXPECT_EQ(required("x[^a]y"), Strings{"x<254>"});
  EXPECT_EQ(found("a\xC3\xA9?", "xay\n"), "a");
}

TEST(RequiredRuns, KnowsNothingWhenInDoubt) {
  for (const std::string_view pattern :
       {"", "a|", "(?i)abc", "\\x61bc", "\\Qa.b\\E", "\\pLabc", "abc|.+", "abc)", "(abc", "[abc"}) {
    EXPECT_TRUE(required(pattern).empty()) << pattern;
  }
}

TEST(RequiredRuns, KnowsTheRelativesOfLettersWhenCaseIsIgnored) {
  // The Kelvin sign is a k, the long s an s.
  EXPECT_EQ(required("Make", LetterCase::ignored), Strings{"<2><2><130>"});
  EXPECT_EQ(found("[^a]kx", "b\xE2\x84\xAAX\n", {.ignore_case = true}), "b\xE2\x84\xAAX");
  EXPECT_EQ(found("[\xC5\xBF]qx", "sqx\n", {.ignore_case = true}), "sqx");
}

TEST(Matcher, LeavesCandidatesAloneWhenThereAreTooMany) {
  // Every line has a candidate for `_\d` and none matches, until the last.
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "a_1\n";
  text += "a_1 z\n";
  EXPECT_EQ(found("_\\d z$", text), "_1 z");
  EXPECT_EQ(found("_\\d y$", text), "nothing");
}

TEST(RunScan, AgreesWithAPlainSearch) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (std::size_t i = random() % 160; i > 0; --i) text += "abcd\x80\xFF"[random() % 6];
    std::vector<ByteRun> runs;
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      ByteRun& run = runs.emplace_back();
      for (std::size_t i = 1 + random() % 4; i > 0; --i) {
        ByteSet& bytes = run.emplace_back();
        for (std::size_t k = 1 + random() % 2; k > 0; --k) {
          bytes.set(static_cast<unsigned char>("abcd\x80\xFF"[random() % 6]));
        }
      }
    }
    const RunScan scan(runs);
    const std::size_t from = random() % 8;
    ASSERT_EQ(scan.find(text, from), scan.find_plainly(text, from)) << text;
  }
}

TEST(RunScan, FindsAStringWhereverItStands) {
  const RunScan scan({run_of("needle")});
  for (std::size_t before = 0; before < 100; ++before) {
    for (const std::size_t behind : {0, 1, 40, 100}) {
      const std::string text = std::string(before, 'n') + "needle" + std::string(behind, 'e');
      ASSERT_EQ(scan.find(text, 0), before);
      ASSERT_EQ(scan.find(text, before + 1), std::string::npos);
    }
  }
}

TEST(RunScan, CountsNewlines) {
  std::string text;
  for (std::size_t i = 0; i < 200; ++i) {
    ASSERT_EQ(count_newlines(text),
              static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')));
    text.push_back(i % 3 == 0 ? '\n' : 'x');
  }
}

}  // namespace
}  // namespace yume::tools::search
