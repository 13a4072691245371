// SPDX-License-Identifier: MIT
#include "tools/web/html_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/fake_clock.h"

namespace yume::tools::web {
namespace {

std::string resolve(std::string_view base, std::string_view link) {
  if (link.starts_with("mailto:")) return "";
  return "http://p/" + std::string(base) + std::string(link);
}

HtmlText read(std::string_view html) {
  const test::FakeClock clock;
  auto text = html_to_text(html, resolve, clock);
  EXPECT_TRUE(text.ok());
  return text.ok() ? *text : HtmlText{};
}

struct Row {
  std::string html;
  std::string text;
};

TEST(HtmlText, RendersWhatPagesAreMadeOf) {
  const std::vector<Row> table = {
      {"", ""},
      {"plain", "plain"},
      {"<h1>A</h1><p>b\n  c</p><h3> D </h3>e", "# A\n\nb c\n\n### D\n\ne"},
      {"a<br>b<br><br>c", "a\nb\n\nc"},
      {"<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"},
      {"<div>a</div><div>b</div>", "a\nb"},
      {"x &amp; y &lt;b&gt; &eacute;&nbsp;z", "x & y <b> \xC3\xA9 z"},
      {"a&#99999999990;b&#xD800;c",
       "a\xEF\xBF\xBD"
       "b\xEF\xBF\xBD"
       "c"},
      {"<b>a</b><i>b</i> <u>c</u>", "ab c"},
      {"see <a href=x>the page</a>.", "see [the page](http://p/x)."},
      {"see<a href=x> it </a>now", "see [it](http://p/x) now"},
      {"<a href='#top'>up</a> <a href='mailto:a@b'>mail</a> <a>none</a>", "up mail none"},
      {"<a href=x><img src=y></a>z", "z"},
      {"<a href=x><div>a</div><div>b</div></a>", "a\nb\n(http://p/x)"},
      {"<base href=b/><a href=x>l</a>", "[l](http://p/b/x)"},
      {"<img alt='a cat'> and <img src=x>", "[image: a cat] and"},
      {"<ul><li>a<li>b<ul><li>c</ul></ul>d", "- a\n- b\n  - c\n\nd"},
      {"<ol><li>a<ol><li>x<li>y</ol><li>b</ol>", "1. a\n  1. x\n  2. y\n2. b"},
      {"<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"},
      {"<blockquote><p>a</p><p>b</p></blockquote>c", "> a\n\n> b\n\nc"},
      {"<pre>a\n  b\n\nc\n</pre>d", "```\na\n  b\n\nc\n```\n\nd"},
      {"use <code>a  b</code> or <kbd>x</kbd>", "use `a b` or `x`"},
      {"<pre><code>x</code></pre>", "```\nx\n```"},
      {"<table><tr><th>a<th>b<tr><td>1<td>2<br>3</table>", "| a | b |\n| 1 | 2 3 |"},
      {"<table><tr><td><table><tr><td>x<td>y</table><td>z</table>", "| x | y |\n\nz"},
      {"<script>a</script><style>b</style><nav>c</nav><noscript>d</noscript>e<!--f-->", "e"},
      {"<p hidden>a</p><p aria-hidden=true>b</p><p style='display: none'>c</p>d", "d"},
      {"<nav>all there is</nav>", "all there is"},
      {"<svg><text>x</text></svg><template>y</template><select><option>z</select>w", "w"},
      {"<p>unclosed <b>bold<p>next", "unclosed bold\n\nnext"},
  };
  for (const Row& row : table) EXPECT_EQ(read(row.html).text, row.text) << row.html;
}

TEST(HtmlText, FindsTheTitle) {
  const HtmlText page = read("<html><head><title> A\n &amp; B </title></head><body>x</body>");
  EXPECT_EQ(page.title, "A & B");
  EXPECT_EQ(page.text, "x");
}

std::string repeated(std::string_view piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

TEST(HtmlText, SurvivesAnyDepth) {
  EXPECT_EQ(read(repeated("<span>", 100'000) + "deep").text, "deep");
  EXPECT_EQ(read(repeated("<ul><li>", 300) + "deep").text.substr(22), "- deep");
}

TEST(HtmlText, GivesUpOnAPageThatTakesTooMuchMemory) {
  // Each <p> opens all the formatting again that was never closed.
  std::string html = "<p>";
  for (int i = 0; i < 2'000; ++i) html += "<b id=" + std::to_string(i) + ">";
  html += repeated("<p>x", 20'000);
  const test::FakeClock clock;
  const auto text = html_to_text(html, resolve, clock, {.memory = 64U << 20U});
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().code, ErrorCode::too_large);
}

// Every look at it takes a second.
class SlowClock final : public platform::Clock {
 public:
  platform::SteadyTime steady_now() const override {
    return platform::SteadyTime(std::chrono::seconds(++looks_));
  }
  platform::WallTime wall_now() const override { return {}; }
  bool sleep_for(std::chrono::nanoseconds /*time*/, const CancelToken& /*cancel*/) const override {
    return true;
  }

 private:
  mutable int looks_ = 0;
};

TEST(HtmlText, GivesUpOnAPageThatTakesTooMuchTime) {
  const auto text = html_to_text(repeated("<div>", 10'000), resolve, SlowClock());
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().message, "its HTML takes too much time or memory to be read");
}

TEST(HtmlText, StopsWhenThereIsMoreThanAnybodyReads) {
  const HtmlText page = read(repeated("<p>" + std::string(1'000, 'x'), 6'000));
  EXPECT_TRUE(page.cut);
  EXPECT_EQ(page.text.size(), 4U << 20U);
}

TEST(HtmlText, ReadsTheBeginningOfAPageThatIsTooLarge) {
  const test::FakeClock clock;
  const auto page = html_to_text("first" + repeated("<p>x", 1'000'000), resolve, clock);
  ASSERT_TRUE(page.ok()) << page.error().message;
  EXPECT_TRUE(page->cut);
  EXPECT_TRUE(page->text.starts_with("first\n\nx\n\nx"));
}

}  // namespace
}  // namespace yume::tools::web
