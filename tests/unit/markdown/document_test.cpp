// SPDX-License-Identifier: MIT
#include "markdown/document.h"
#include "markdown/html.h"

#include <gtest/gtest.h>

namespace yume::markdown {
namespace {

std::string html(std::string_view text) {
  return page_html(text);
}

TEST(Markdown, HeadingsBeginBelowThoseOfThePage) {
  EXPECT_EQ(html("# One\n\nTwo\n---\n\n###### Six"), "<h4>One</h4>\n<h5>Two</h5>\n<h6>Six</h6>\n");
}

TEST(Markdown, ListsHoldListsAndNumbersGoOn) {
  EXPECT_EQ(html("3. three\n4. four\n   - inner\n"),
            "<ol start=\"3\">\n<li>three\n</li>\n<li>four\n<ul>\n<li>inner\n</li>\n</ul>\n</li>\n"
            "</ol>\n");
}

TEST(Markdown, TaskListsHaveBoxes) {
  EXPECT_EQ(html("- [x] done\n- [ ] open\n"),
            "<ul>\n<li class=\"task\"><input type=\"checkbox\" checked disabled> done\n</li>\n"
            "<li class=\"task\"><input type=\"checkbox\" disabled> open\n</li>\n</ul>\n");
}

TEST(Markdown, TablesKeepTheirAlignment) {
  EXPECT_EQ(html("| a | b |\n|:-:|--:|\n| **c** | `d|` |\n| e\\|f | 2 |\n"),
            "<div class=\"table\"><table>\n"
            "<tr><th class=\"centre\">a</th><th class=\"right\">b</th></tr>\n"
            "<tr><td class=\"centre\"><strong>c</strong></td><td class=\"right\">`d</td></tr>\n"
            "<tr><td class=\"centre\">e|f</td><td class=\"right\">2</td></tr>\n"
            "</table></div>\n");
}

TEST(Markdown, CodeKeepsEveryCharacter) {
  EXPECT_EQ(html("```cpp\nif (a < b && c) {\n\n\t\"x\";\n```\nafter"),
            "<pre class=\"code\"><code>if (a &lt; b &amp;&amp; c) {\n\n\t&quot;x&quot;;\n"
            "</code></pre>\n<p>after</p>\n");
}

TEST(Markdown, AnOpenFenceGoesToTheEnd) {
  EXPECT_EQ(html("~~~\n# no heading\n"), "<pre class=\"code\"><code># no heading\n</code></pre>\n");
}

TEST(Markdown, MarkupOfATextIsText) {
  EXPECT_EQ(html("a <script>alert(1)</script> & <b>b</b>"),
            "<p>a &lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;b&lt;/b&gt;</p>\n");
  EXPECT_EQ(html("<div onclick=x>\nhi\n</div>\n"),
            "<pre class=\"code\"><code>&lt;div onclick=x&gt;\nhi\n&lt;/div&gt;\n</code></pre>\n");
}

TEST(Markdown, LinksLeadOnlyWhereNothingRuns) {
  EXPECT_EQ(
      html("[a](https://x.test/?a=1&b=2 \"t\") [b](javascript:alert(1)) [c](DATA:text/html,x)"),
      "<p><a rel=\"noopener noreferrer\" href=\"https://x.test/?a=1&amp;b=2\">a</a> "
      "b (javascript:alert(1)) c (DATA:text/html,x)</p>\n");
}

TEST(Markdown, BareAddressesAreLinks) {
  EXPECT_EQ(html("see https://x.test/a."),
            "<p>see <a rel=\"noopener noreferrer\" "
            "href=\"https://x.test/a\">https://x.test/a</a>.</p>\n");
}

TEST(Markdown, PicturesFromElsewhereAreNotLoaded) {
  EXPECT_EQ(html("![alt](https://x.test/p.png)"),
            "<p><a rel=\"noopener noreferrer\" href=\"https://x.test/p.png\">[picture: "
            "alt]</a></p>\n");
}

TEST(Markdown, MarksNestAndBreakLines) {
  EXPECT_EQ(html("*a **b ~~c~~*** `d` e  \nf\ng"),
            "<p><em>a <strong>b <del>c</del></strong></em> <code>d</code> e<br>f\ng</p>\n");
}

TEST(Markdown, QuotesHoldBlocks) {
  EXPECT_EQ(html("> one\n>\n> - two\n"),
            "<blockquote>\n<p>one</p>\n<ul>\n<li>two\n</li>\n</ul>\n</blockquote>\n");
}

TEST(Markdown, EntitiesAreWhatTheyStandFor) {
  EXPECT_EQ(html("&lt;b&gt; &#x41; &nosuch;"), "<p>&lt;b&gt; A &amp;nosuch;</p>\n");
}

TEST(Markdown, ControlsDoNotReachThePage) {
  EXPECT_EQ(html(std::string_view("a\x1b[31m\0b", 8)), "<p>a\uFFFD[31m\uFFFDb</p>\n");
}

TEST(Markdown, WhatIsNestedTooDeepIsFlattened) {
  std::string deep;
  for (int level = 0; level < 2000; ++level) deep += "> ";
  EXPECT_NE(html(deep + "bottom").find("bottom"), std::string::npos);
  std::string marks;
  for (int level = 0; level < 2000; ++level) marks += "**a *b ";
  marks += "bottom";
  for (int level = 0; level < 2000; ++level) marks += "* c**";
  EXPECT_NE(html(marks).find("bottom"), std::string::npos);
}

std::string repeated(std::string_view part, int times) {
  std::string out;
  for (int time = 0; time < times; ++time) out += part;
  return out;
}

TEST(Markdown, WhatWouldTakeTooLongIsShownAsItIs) {
  const std::string rows = repeated("|", 5000) + "\n" + repeated("|-", 5000) + "\n";
  for (const std::string& text : {repeated("![[]()", 200'000), rows, repeated("a", 5'000'000)}) {
    const auto blocks = parse(text);
    ASSERT_EQ(blocks.size(), 1U);
    EXPECT_EQ(blocks[0].kind, Block::Kind::code);
    EXPECT_EQ(blocks[0].text, text);
  }
}

TEST(Markdown, AnEmptyTextHasNoBlocks) {
  EXPECT_TRUE(parse("").empty());
  EXPECT_TRUE(parse("\n \n").empty());
}

TEST(Markdown, PlainTextHasNoMarks) {
  const auto blocks = parse("*a* `b`\n[c](https://x.test)");
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(plain_text(blocks[0].spans), "a b c");
}

}  // namespace
}  // namespace yume::markdown
