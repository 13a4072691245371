// SPDX-License-Identifier: MIT
#include "tools/match_help.h"

#include "support/work.h"
#include "tools/edit_steps.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace yume::tools {
namespace {

struct Case {
  std::string name;
  std::string content;
  std::string old_text;
  std::string help;  // what the help must hold
};

const std::string k_code = "int main() {\n\tif (x) {\n\t\treturn \"a\\n\";\n\t}\n}\n";

TEST(ExplainMismatch, NamesTheMistake) {
  const Case cases[] = {
      {"line numbers", "alpha\nbeta\n", "1\talpha\n2\tbeta", "without the line numbers"},
      {"line numbers with arrows", "alpha\nbeta\n", "     1\u2192alpha",
       "without the line numbers"},
      {"carriage returns", "a\nb\n", "a\r\nb", "carriage returns"},
      {"escaped line break", "a\nb\n", "a\\nb", "escaped once too often"},
      {"escaped quotes", "say \"hi\"\n", "say \\\"hi\\\"", "escaped once too often"},
      {"missing escape", k_code, "return \"a\n\";", "if it were escaped"},
      {"quotes escaped in the file", "x = \"{\\\"a\\\": 1}\"", "{\"a\": 1}", "if it were escaped"},
      {"entities", "if (a < b && c)\n", "if (a &lt; b &amp;&amp; c)", "HTML entities"},
      {"surplus line break", "a = b;\n", "= b\n\n", "at its beginning or end"},
      {"blank lines", "a\nb\n", "b\n\n", "blank lines, or spaces in them"},
      {"spaces for tabs", k_code, "    if (x) {\n        return",
       "The most similar place begins at line 2"},
      {"indentation", k_code, "    if (x) {\n        return \"a\\n\";\n    }",
       "at line 2 the file is indented with 1 tab, old_string with 4 spaces."},
      {"fewer spaces", "  a:\n    b: 1\n", "a:\n  b: 1",
       "the file is indented with 2 spaces, old_string with nothing."},
      {"space inside", "a  =  1\n", "a = 1", "spaces or tabs inside the line differ"},
      {"space at the end", "a  \nb\n", "a\nb",
       "white space at the end of the line differs (the file has 2 spaces)"},
      {"typographic quotes", "say \u201Chi\u201D\n", "say \"hi\"", "characters that look alike"},
      {"other case", "Hello World\n", "hello world", "other upper and lower case"},
      {"one line differs", "one\ntwo\nthree\n", "one\n2\nthree",
       "The most similar place begins at line 1. Copy the text from there, or read the file "
       "again.\nThe file has there:\n1\tone\n2\ttwo\n3\tthree"},
      {"a few letters differ", "x\nfunction compute(a, b) {\n", "function compote(a, b) {",
       "The most similar place begins at line 2"},
      {"nothing similar", "alpha\n", "zzzzzz", "Nothing in the file is similar"},
      {"only white space", "a\n", "   \n \n", "nothing but white space"},
  };
  for (const Case& one : cases) {
    const std::string help = explain_mismatch(one.content, one.old_text);
    EXPECT_NE(help.find(one.help), std::string::npos) << one.name << ": " << help;
    EXPECT_LT(help.size(), 8000U);
  }
}

TEST(ExplainMismatch, IsBoundedForWhateverComes) {
  const std::string equal(4U << 20U, 'a');
  const std::string lines = [] {
    std::string text;
    for (int i = 0; i < 500'000; ++i) text += "a\n";
    return text;
  }();
  const auto work = [](const std::string& text, const std::string& searched) {
    const double bytes =
        test::work_in_bytes([&] { EXPECT_NE(explain_mismatch(text, searched), ""); });
    return bytes / static_cast<double>(text.size() + searched.size());
  };
  EXPECT_LT(work(equal, std::string(60'000, 'a') + "b"), 300);
  EXPECT_LT(work(lines, lines.substr(0, 60'000) + "b"), 300);
  EXPECT_LT(work(std::string(30U << 20U, '\n'), std::string(5U << 20U, 'x')), 300);
}

TEST(ApplyEdits, LooksAtEqualLettersAFewTimesEach) {
  // F-10: with std::string::find this takes hours.
  const std::string text(20U << 20U, 'a');
  const std::string searched = std::string(5U << 20U, 'a') + "b";
  std::variant<EditedText, EditRefusal> edited;
  const double work = test::work_in_bytes([&] {
    edited = apply_edits(text, {{searched, "x", false}});
  });
  EXPECT_LT(work, 20.0 * static_cast<double>(text.size() + searched.size()));
  const auto* refusal = std::get_if<EditRefusal>(&edited);
  ASSERT_NE(refusal, nullptr);
  EXPECT_LT(refusal->text.size(), 20'000U);
}

TEST(ApplyEdits, AppliesStepsInOrder) {
  const auto edited = apply_edits("a b", {{"a", "b", false}, {"b", "c", true}});
  EXPECT_EQ(std::get<EditedText>(edited).content, "c c");
  EXPECT_EQ(std::get<EditedText>(edited).matches, (std::vector<std::size_t>{1, 2}));
  const auto refused = apply_edits("a b", {{"a", "b", false}, {"b", "c", false}});
  EXPECT_NE(
      std::get<EditRefusal>(refused).text.find("This was edit 2 of 2; none of them was made."),
      std::string::npos);
}

}  // namespace
}  // namespace yume::tools
