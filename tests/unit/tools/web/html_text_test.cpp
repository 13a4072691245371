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
      {"<i>a</i>b <u>c</u>", "ab c"},
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
      {"<table><tr><td><table><tr><td>x<td>y</table><td>z</table>",
       "| x | y |\n| --- | --- |\n\nz"},
      {"<script>a</script><style>b</style><nav>c</nav><noscript>d</noscript>e<!--f-->", "e"},
      {"<p hidden>a</p><p aria-hidden=true>b</p><p style='display: none'>c</p>d", "d"},
      {"<nav>all there is</nav>", "all there is"},
      {"<svg><text>x</text></svg><template>y</template><select><option>z</select>w", "w"},
      {"<p>unclosed <i>slanted<p>next", "unclosed slanted\n\nnext"},
  };
  for (const Row& row : table) EXPECT_EQ(read(row.html).text, row.text) << row.html;
}

void expect_rows(const std::vector<Row>& table) {
  for (const Row& row : table) EXPECT_EQ(read(row.html).text, row.text) << row.html;
}

TEST(HtmlText, TablesHaveASeparatorRowAndEscapedBars) {
  expect_rows({
      {"<table><tr><th>a<th>b<tr><td>1<td>2<br>3</table>", "| a | b |\n| --- | --- |\n| 1 | 2 3 |"},
      {"<table><tr><td>a|b<td><code>x || y</code><td><a href='z|'>l</a></table>",
       "| a\\|b | `x \\|\\| y` | [l](http://p/z\\|) |\n| --- | --- | --- |"},
      {"a|b <code>c|d</code>", "a|b `c|d`"},
      {"<table><caption>Of things</caption><thead><tr><th>a<th>b</thead><tbody><tr><td>1<td>2"
       "</table>",
       "Of things\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"},
      {"<table><tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3</table>",
       "| a | | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |"},
      {"<table><tr></tr><tr><td>a<td></table>", "| a | |\n| --- | --- |"},
      {"<table><tr><td>one<tr><td>column</table>", "one\ncolumn"},
      {"<table role=presentation><tr><td>a<td>b</table>", "a\nb"},
  });
}

TEST(HtmlText, CodeInTablesBecomesBlocks) {
  expect_rows({
      // One line of it fits into a row.
      {"<table><tr><td>a<td><pre>x  | y\n</pre></table>", "| a | `x \\| y` |\n| --- | --- |"},
      {"<table><tr><td>call<td><pre>f(\n  x)\n</pre><tr><td>end<td>e</table>",
       "call\n\n```\nf(\n  x)\n```\n\nend\ne"},
      // Sphinx
      {"<div class='highlight-python3 notranslate'><table class=highlighttable><tr>"
       "<td class=linenos><div class=linenodiv><pre><span class=normal>1</span>\n"
       "<span class=normal>2</span></pre></div></td><td class=code><div><pre><span></span>a = 1\n"
       "<span>b</span> = 2\n</pre></div></td></tr></table></div>",
       "```python3\na = 1\nb = 2\n```"},
      {"<div class=highlight-c><pre><span class=linenos> 1</span>int a;\n"
       "<span class=linenos>10</span>int b;</pre></div>",
       "```c\nint a;\nint b;\n```"},
      // Rouge puts the table into the block, Hexo breaks lines by tags.
      {"<pre class=highlight><code><table class=rouge-table><tr><td class='rouge-gutter gl'>"
       "<pre class=lineno>1\n2\n</pre></td><td class=rouge-code><pre>a\n  b\n</pre></td></table>"
       "</code></pre>",
       "```\na\n  b\n```"},
      {"<figure class='highlight js'><table><tr><td class=gutter><pre><span class=line>1</span><br>"
       "<span class=line>2</span><br></pre></td><td class=code><pre><span>a</span><br><br>"
       "<span>b</span><br></pre></td></tr></table></figure>",
       "```js\na\n\nb\n```"},
      // Numbers that are no line numbers stay.
      {"<table><tr><td>1<td>one<tr><td>2<td>two</table>",
       "| 1 | one |\n| --- | --- |\n| 2 | two |"},
  });
}

TEST(HtmlText, CodeKeepsItsLanguage) {
  const auto block = [](const std::string& language) { return "```" + language + "\nx\n```"; };
  expect_rows({
      {"<pre><code class='hljs language-c++'>x</code></pre>", block("c++")},
      {"<pre class='lang-TS prettyprint'>x</pre>", block("ts")},
      {"<div class='language-ruby highlighter-rouge'><div class=highlight><pre><code>x",
       block("ruby")},
      {"<div class='highlight highlight-source-shell'><pre>x</pre></div>", block("shell")},
      {"<pre class='brush: js notranslate'>x</pre>", block("js")},
      {"<pre class='sourceCode haskell'><code>x</code></pre>", block("haskell")},
      {"<pre><code data-lang=go>x</code></pre>", block("go")},
      {"<div class=highlight-default><pre>x</pre></div>", block("")},
      {"<div class=lang-en><pre>x</pre></div>", block("")},
      {"<pre class='language-`evil'>x</pre>", block("")},
      {"<pre>```\ny\n```</pre>", "````\n```\ny\n```\n````"},
      {"<code>a`b</code>", "`` a`b ``"},
      {"<code><pre>x</pre></code>", block("")},
  });
}

TEST(HtmlText, BoldIsKept) {
  expect_rows({
      {"<b>a</b><i>b</i> <strong> c </strong>d", "**a**b **c** d"},
      {"<b></b>a<b> </b>b", "a b"},
      {"<p>unclosed <b>bold<p>next", "unclosed **bold**\n\n**next**"},
      {"<b><strong>a</strong> b</b>", "**a b**"},
      {"<b><a href=x>l</a></b> <a href=x><b>m</b></a>", "**[l](http://p/x)** [**m**](http://p/x)"},
      {"<p>a</p><b><ul><li>x</ul></b>", "a\n\n- **x**"},
      {"<b><ul><li>x<li>y</ul></b>", "- x\n- y"},
      {"<ul><li><b>x</b>: y</ul>", "- **x**: y"},
      {"<h2><b>a</b></h2><a href=x><h3>b</h3></a>", "## a\n\n### [b](http://p/x)"},
      {"<pre><b>a</b></pre><code><b>b</b></code>", "```\na\n```\n\n`b`"},
      {"<b><code>x</code></b>", "**`x`**"},
      {"<b>a<br>b</b>", "a\nb"},
  });
}

TEST(HtmlText, NumbersOfListsAreKept) {
  expect_rows({
      {"<ol start=5><li>a<li>b<li value=9>c<li>d</ol>", "5. a\n6. b\n9. c\n10. d"},
      {"<ol reversed><li>a<li>b</ol>", "2. a\n1. b"},
      {"<ol start=-1><li>a<li>b<li>c</ol>", "-1. a\n0. b\n1. c"},
      {"<ol start=x><li>a</ol>", "1. a"},
      {"<ol start=2147483647><li>a<li>b</ol>", "2147483647. a\n2147483647. b"},
  });
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
