// SPDX-License-Identifier: MIT
#include "tools/web/page_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/web/charset.h"
#include "tools/web/page_cache.h"
#include "tools/web/prompt_urls.h"

namespace yume::tools::web {
namespace {

using namespace std::string_literals;

TEST(ContentTypeHeader, IsTakenApart) {
  EXPECT_EQ(read_content_type("Text/HTML; Charset=\"UTF-8\""), (ContentType{"text/html", "utf-8"}));
  EXPECT_EQ(read_content_type(" text/plain ;x=y; charset=latin1 ; z"),
            (ContentType{"text/plain", "latin1"}));
  EXPECT_EQ(read_content_type(""), (ContentType{}));
  EXPECT_EQ(read_content_type(";charset="), (ContentType{}));
}

TEST(Charset, IsFoundWhereBrowsersFindIt) {
  EXPECT_EQ(detect_charset("\xEF\xBB\xBFx", "latin1"), "utf-8");
  EXPECT_EQ(detect_charset("\xFF\xFEx", ""), "utf-16le");
  EXPECT_EQ(detect_charset("x", "Latin1"), "latin1");
  EXPECT_EQ(detect_charset("<META Charset=ISO-8859-1>", ""), "iso-8859-1");
  EXPECT_EQ(detect_charset("<meta content='text/html; charset=Shift_JIS'>", ""), "shift_jis");
  EXPECT_EQ(detect_charset("<meta name=x><meta charset='utf-16'>", ""), "utf-8");
  EXPECT_EQ(detect_charset("gr\xC3\xBC\xC3\x9F", ""), "utf-8");
  EXPECT_EQ(detect_charset("gr\xFC\xDF", ""), "windows-1252");
  EXPECT_EQ(detect_charset("", ""), "utf-8");
  EXPECT_EQ(detect_charset("<meta charset = \"gbk\" >\xC4", ""), "gbk");
  EXPECT_EQ(detect_charset("<?xml version='1.0' encoding='Big5'?><rss>", ""), "big5");
}

TEST(Charset, PassesOverNamesThatAreNotKnown) {
  EXPECT_EQ(detect_charset("<meta charset=gbk>\xC4", "klingon"), "gbk");
  EXPECT_EQ(detect_charset("plain", "klingon"), "utf-8");
  EXPECT_EQ(detect_charset("\xC4\xE3", "klingon"), "klingon");
}

TEST(Charset, BecomesUtf8) {
  struct Row {
    std::string bytes;
    std::string charset;
    std::string text;
  };
  const std::vector<Row> table = {
      {"gr\xC3\xBC\xC3\x9F", "utf8", "gr\xC3\xBC\xC3\x9F"},
      {"\xEF\xBB\xBFx", "utf-8", "x"},
      {"a\xFF", "utf-8", "a\xEF\xBF\xBD"},
      {"gr\xFC\xDF \x80\x93\x94", "iso-8859-1",
       "gr\xC3\xBC\xC3\x9F \xE2\x82\xAC\xE2\x80\x9C\xE2\x80\x9D"},
      {"\xFF\xFE"s + "a\0\xAC\x20"s, "utf-16le", "a\xE2\x82\xAC"},
      {"\xFE\xFF"s + "\0a\xD8\x3D\xDE\x00"s, "utf-16be", "a\xF0\x9F\x98\x80"},
      {"\x3D\xD8"s + "a\0x"s, "utf-16",
       "\xEF\xBF\xBD"
       "a\xEF\xBF\xBD"},
  };
  for (const Row& row : table) {
    const auto text = to_utf8(row.bytes, row.charset);
    ASSERT_TRUE(text.ok()) << row.charset;
    EXPECT_EQ(*text, row.text) << row.charset;
  }
  const auto unknown = to_utf8("x", "klingon");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message.find("klingon"), std::string::npos);
}

TEST(Charset, OfEveryScriptBecomesUtf8) {
  struct Row {
    const char* label;
    std::string bytes;
    const char* text;
  };
  const std::vector<Row> table = {
      {"gb2312", "\xC4\xE3\xBA\xC3", "\u4F60\u597D"},
      {"GBK", "\xC4\xE3\xE9\x46", "\u4F60\u9555"},
      {"gb18030", "\x94\x39\xDA\x33", "\U0001F4A9"},
      {"Shift_JIS", "\x93\xFA\x96\x7B\xB1\x87\x40", "\u65E5\u672C\uFF71\u2460"},
      {"x-sjis", "\x82\xA0", "\u3042"},
      {"EUC-JP", "\xC6\xFC\xCB\xDC", "\u65E5\u672C"},
      {"ISO-2022-JP", "\x1B$BF|K\\\x1B(Bok", "\u65E5\u672Cok"},
      {"euc-kr", "\xC7\xD1\xB1\xDB", "\uD55C\uAE00"},
      {"ks_c_5601-1987", "\x8C\x63", "\uB620"},
      {"Big5", "\xA7\x41\xA6\x6E\xA1\xC3\xA2\xCC", "\u4F60\u597D\uFFE3\u5341"},
      {"big5-hkscs", "\x87\x69\xA7\x41", "\U00028BB9\u4F60"},
      {"KOI8-R", "\xF0\xD2\xC9", "\u041F\u0440\u0438"},
      {"koi8-u", "\xA4\xA7", "\u0454\u0457"},
      {"windows-1251", "\xCF\xF0\xE8", "\u041F\u0440\u0438"},
      {"iso-8859-2", "\xB3\xF3z\xBC", "\u0142\u00F3z\u017A"},
      {"ISO_8859-5", "\xBF\xE0", "\u041F\u0440"},
      {"iso-8859-7", "\xE1\xE2", "\u03B1\u03B2"},
      {"iso-8859-8-i", "\xF9\xEC", "\u05E9\u05DC"},
      {"iso-8859-9", "\x80\xFD", "\u20AC\u0131"},  // which is windows-1254
      {"iso-8859-15", "\xA4", "\u20AC"},
      {"windows-874", "\xA1\xD2", "\u0E01\u0E32"},
      {"macintosh", "\x8E", "\u00E9"},
      {"ibm866", "\x8F", "\u041F"},
  };
  for (const Row& row : table) {
    const auto text = to_utf8(row.bytes, row.label);
    ASSERT_TRUE(text.ok()) << row.label << ": " << text.error().message;
    EXPECT_EQ(*text, row.text) << row.label;
  }
}

TEST(Charset, ReplacesWhatIsNoneOfItsCharacters) {
  const auto text = [](std::string_view bytes, std::string_view label) {
    return to_utf8(bytes, label).value();
  };
  EXPECT_EQ(text("a\xFF"
                 "b\xC4",
                 "gbk"),
            "a\uFFFDb\uFFFD");
  EXPECT_EQ(text("\x81 \x82\xA0", "shift_jis"), "\uFFFD \u3042");
  EXPECT_EQ(text("\xFE\xFE"
                 "a",
                 "euc-kr"),
            "\uFFFD"
            "a");
  EXPECT_EQ(text("\xD2", "windows-1253"), "\uFFFD");
  EXPECT_EQ(text(std::string(100'000, '\x80') + "x", "euc-kr").size(), 300'001U);
}

TEST(PageKind, FollowsTheContentType) {
  EXPECT_EQ(kind_of("text/html; charset=x"), PageKind::html);
  EXPECT_EQ(kind_of("application/xhtml+xml"), PageKind::html);
  for (const char* text : {"", "text/plain", "text/markdown", "application/json",
                           "application/ld+json", "application/rss+xml", "application/xml"}) {
    EXPECT_EQ(kind_of(text), PageKind::text) << text;
  }
  EXPECT_EQ(kind_of("image/png"), PageKind::media);
  EXPECT_EQ(kind_of("application/pdf"), PageKind::media);
  for (const char* other : {"application/octet-stream", "image/svg", "video/mp4", "nonsense"}) {
    EXPECT_EQ(kind_of(other), PageKind::unreadable) << other;
  }
}

std::string text_of(const TextWindow& window) {
  return std::string(window.text) + "|" + std::to_string(window.first) + "-" +
         std::to_string(window.end) + "/" + std::to_string(window.total);
}

TEST(TextWindow, CountsCharactersAndEndsWithALine) {
  EXPECT_EQ(text_of(window_of("", 0, 10)), "|0-0/0");
  EXPECT_EQ(text_of(window_of("abc", 0, 10)), "abc|0-3/3");
  EXPECT_EQ(text_of(window_of("abc", 3, 10)), "|3-3/3");
  EXPECT_EQ(text_of(window_of("abc", 99, 10)), "|3-3/3");
  EXPECT_EQ(text_of(window_of("\xC3\xA4\xC3\xB6\xC3\xBCx", 1, 2)), "\xC3\xB6\xC3\xBC|1-3/4");
  EXPECT_EQ(text_of(window_of("123456789012345678\n0123", 0, 20)), "123456789012345678\n|0-19/23");
  EXPECT_EQ(text_of(window_of("1\n3456789012345678901234", 0, 20)),
            "1\n345678901234567890|0-20/24");
}

TEST(TextWindow, LosesNothingBetweenWindows) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "line " + std::to_string(i) + " \xE2\x82\xAC\n";
  std::string joined;
  for (std::size_t at = 0;;) {
    const TextWindow window = window_of(text, at, 97);
    joined += window.text;
    if (window.end == window.total) break;
    ASSERT_GT(window.end, at);
    at = window.end;
  }
  EXPECT_EQ(joined, text);
}

TEST(PromptUrls, FindsAddressesInASentence) {
  using Urls = std::vector<std::string>;
  EXPECT_EQ(urls_in("no address, http: nothing"), Urls{});
  EXPECT_EQ(urls_in("Read https://a.com/x, then (http://b.com/y_(z)). https://a.com/x"),
            (Urls{"https://a.com/x", "http://b.com/y_(z)"}));
  EXPECT_EQ(urls_in("<https://a.com/?q=1&r=2>!"), (Urls{"https://a.com/?q=1&r=2"}));
}

TEST(PageCache, ForgetsInTimeAndWhenFull) {
  const auto page = std::make_shared<const ReadPage>(
      ReadPage{.url = "u", .status = 200, .bytes = 1, .content = {}});
  PageCache cache;
  const platform::SteadyTime start{};
  cache.add("first", page, start);
  EXPECT_EQ(cache.find("first", start + std::chrono::minutes(14)), page);
  EXPECT_EQ(cache.find("first", start + std::chrono::minutes(15)), nullptr);
  EXPECT_EQ(cache.find("other", start), nullptr);
  for (std::size_t i = 0; i < PageCache::k_most_pages; ++i) {
    cache.add(std::to_string(i), page, start);
  }
  EXPECT_EQ(cache.find("first", start), nullptr);
  EXPECT_EQ(cache.find("0", start), page);
}

TEST(PageCache, HoldsOnlySoMuchText) {
  const auto large = std::make_shared<const ReadPage>(
      ReadPage{.url = "u",
               .status = 200,
               .bytes = 1,
               .content = {.title = {}, .text = std::string(PageCache::k_most_text / 2, 'x')}});
  PageCache cache;
  for (const char* url : {"a", "b", "b", "c"}) cache.add(url, large, {});
  EXPECT_EQ(cache.find("a", {}), nullptr);
  EXPECT_EQ(cache.find("b", {}), large);
  EXPECT_EQ(cache.find("c", {}), large);
}

}  // namespace
}  // namespace yume::tools::web
