// SPDX-License-Identifier: MIT
#include "net/curl_url.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::net {
namespace {

using namespace std::string_literals;

TEST(WebAddress, ReadsTheHostThatWillBeAsked) {
  struct Row {
    std::string text;
    std::string url;
    std::string host;
  };
  const std::vector<Row> table = {
      {"https://example.com/a?b=c#d", "https://example.com/a?b=c", "example.com"},
      {"http://example.com/", "https://example.com/", "example.com"},
      {"http://example.com:80/x", "https://example.com/x", "example.com"},
      {"http://example.com:8080/x", "http://example.com:8080/x", "example.com"},
      {"http://localhost/x", "http://localhost/x", "localhost"},
      {"http://192.168.1.1/", "http://192.168.1.1/", "192.168.1.1"},
      {"example.com/x", "https://example.com/x", "example.com"},
      {"HTTPS://EXAMPLE.Com./", "https://example.com/", "example.com"},
      {"https://evil.com#a.com", "https://evil.com/", "evil.com"},
      {"https://evil.com?a.com", "https://evil.com/?a.com", "evil.com"},
      {"https://a.com.evil.com/", "https://a.com.evil.com/", "a.com.evil.com"},
      {"http://2130706433:1/", "http://127.0.0.1:1/", "127.0.0.1"},
      {"http://0x7f.1:1/", "http://127.0.0.1:1/", "127.0.0.1"},
      {"http://017700000001:1/", "http://127.0.0.1:1/", "127.0.0.1"},
      {"http://[::1]:1/", "http://[::1]:1/", "::1"},
      {"https:///example.com", "https://example.com/", "example.com"},  // as browsers read it
      {"https://example.com/a b", "https://example.com/a%20b", "example.com"},
  };
  for (const Row& row : table) {
    const auto read = read_web_address(row.text);
    ASSERT_TRUE(read.ok()) << row.text << ": " << read.error().message;
    EXPECT_EQ(read->url, row.url) << row.text;
    EXPECT_EQ(read->host, row.host) << row.text;
  }
}

TEST(WebAddress, RefusesWhatCouldMeanTwoThings) {
  for (const std::string& text :
       {"https://a.com@evil.com/"s, "https://u:p@a.com/"s, "https://a.com\0.evil.com/"s,
        "https://a.com\n.evil.com/"s, "https://a.com\\@evil.com/"s, "https://a.com\t/"s,
        "https://\xC3\xA0.com/"s, "https://a..com/"s, "https://.a.com/"s, "https://a.com../"s,
        "https://"s, ""s, "file:///etc/passwd"s, "ftp://a.com/"s, "gopher://a.com/"s,
        "javascript:alert(1)"s, "data:text/html,x"s, "https://a b.com/"s}) {
    EXPECT_FALSE(read_web_address(text).ok()) << text;
  }
}

TEST(WebAddress, ResolvesLinksOfAPage) {
  const std::string base = "https://a.com/dir/page?x=1";
  EXPECT_EQ(resolve_link(base, "next"), "https://a.com/dir/next");
  EXPECT_EQ(resolve_link(base, "../up"), "https://a.com/up");
  EXPECT_EQ(resolve_link(base, "/root?q=a b"), "https://a.com/root?q=a+b");
  EXPECT_EQ(resolve_link(base, "//b.com/x"), "https://b.com/x");
  EXPECT_EQ(resolve_link(base, "http://c.com/"), "http://c.com/");
  EXPECT_EQ(resolve_link(base, "mailto:a@b.com"), "");
  EXPECT_EQ(resolve_link(base, "javascript:x()"), "");
}

}  // namespace
}  // namespace yume::net
