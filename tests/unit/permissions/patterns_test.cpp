// SPDX-License-Identifier: MIT
// The two kinds of patterns in rules: for paths and for commands.
#include "permissions/command_pattern.h"
#include "permissions/path_pattern.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::permissions {
namespace {

constexpr auto k_allow = RuleEffect::allow;
constexpr auto k_deny = RuleEffect::deny;

PathPattern pattern(std::string spec, RuleEffect effect, std::filesystem::path anchor = {}) {
  return PathPattern({.tool = "Read", .spec = std::move(spec), .anchor = std::move(anchor)}, effect,
                     {.cwd = "/w/app", .home = "/home/u"});
}

bool matches(const char* spec, const char* path, RuleEffect effect = k_allow) {
  return pattern(spec, effect).matches(path);
}

TEST(PathPattern, Anchors) {
  EXPECT_TRUE(matches("//etc/x", "/etc/x"));
  EXPECT_FALSE(matches("//etc/x", "/w/app/etc/x"));
  EXPECT_TRUE(matches("~/x", "/home/u/x"));
  EXPECT_TRUE(matches("~", "/home/u/any/thing"));
  EXPECT_FALSE(matches("~", "/home/v"));
  EXPECT_TRUE(matches("/x", "/w/app/x"));
  EXPECT_TRUE(pattern("/x", k_allow, "/p/q").matches("/p/q/x")) << "below the rule's own place";
  EXPECT_FALSE(pattern("/x", k_allow, "/p/q").matches("/w/app/x"));
  EXPECT_TRUE(matches("./x", "/w/app/x"));
  EXPECT_FALSE(matches("./x", "/w/app/y/x"));
  EXPECT_TRUE(matches("a/x", "/w/app/a/x"));
  EXPECT_FALSE(matches("a/x", "/w/app/b/a/x"));
  EXPECT_TRUE(matches("x", "/any/where/x"));
  EXPECT_TRUE(matches("x/", "/any/where/x/below")) << "a final slash changes nothing";
  EXPECT_TRUE(matches("/a/./b/../c", "/w/app/a/c"));
  EXPECT_TRUE(matches("//../etc", "/etc"));
  EXPECT_TRUE(matches("//", "/etc")) << "the root and everything in it";
  EXPECT_FALSE(matches("src/**", "/w/app/lib/src/x"));
  EXPECT_TRUE(matches("src/**", "/w/app/lib/src/x", k_deny)) << "a denial holds at any depth";
}

TEST(PathPattern, Wildcards) {
  EXPECT_TRUE(matches("*.md", "/w/a.md"));
  EXPECT_FALSE(matches("./*.md", "/w/app/a/b.md"));
  EXPECT_TRUE(matches("./**/*.md", "/w/app/a/b.md"));
  EXPECT_TRUE(matches("./**/*.md", "/w/app/b.md"));
  EXPECT_TRUE(matches("./a/**", "/w/app/a/b/c"));
  EXPECT_FALSE(matches("./a/**", "/w/app/ab"));
  EXPECT_TRUE(matches("./a**c", "/w/app/a/b/c"));
  EXPECT_TRUE(matches("./a?c", "/w/app/abc"));
  EXPECT_FALSE(matches("./a?c", "/w/app/a/c"));
  EXPECT_TRUE(matches("./a\\*", "/w/app/a*"));
  EXPECT_FALSE(matches("./a\\*", "/w/app/ab"));
  EXPECT_TRUE(matches("./a\\", "/w/app/a\\")) << "nothing is behind it";
}

TEST(PathPattern, Classes) {
  EXPECT_TRUE(matches("./[ab]x", "/w/app/ax"));
  EXPECT_FALSE(matches("./[ab]x", "/w/app/cx"));
  EXPECT_TRUE(matches("./[a-c]x", "/w/app/bx"));
  EXPECT_TRUE(matches("./[!a-c]x", "/w/app/dx"));
  EXPECT_FALSE(matches("./[^a-c]x", "/w/app/bx"));
  EXPECT_FALSE(matches("./a[!b]c", "/w/app/a/c")) << "never a slash";
  EXPECT_TRUE(matches("./[]a]x", "/w/app/]x"));
  EXPECT_TRUE(matches("./[a-]x", "/w/app/-x"));
  EXPECT_TRUE(matches("./[ax", "/w/app/[ax")) << "never closed: itself";
  EXPECT_FALSE(matches("./[", "/w/app/a"));
  EXPECT_TRUE(matches("./[!", "/w/app/[!"));
}

TEST(PathPattern, TakesADirectorysOwnNameAsItIs) {
  const PathPattern odd({.tool = "Read", .spec = "./x"}, k_allow, {.cwd = "/w/[ab]*", .home = "/"});
  EXPECT_TRUE(odd.matches("/w/[ab]*/x"));
  EXPECT_FALSE(odd.matches("/w/a/x"));
}

TEST(PathPattern, FoldsNamesForDenialsOnly) {
  EXPECT_TRUE(matches(".env", "/w/app/.ENV", k_deny));
  EXPECT_FALSE(matches(".env", "/w/app/.ENV", k_allow));
  EXPECT_TRUE(matches("Secrets/**", "/w/app/sEcReTs/a", k_deny));
  EXPECT_TRUE(matches(".env", "/w/app/.e\xe2\x80\x8bnv", k_deny));
  EXPECT_TRUE(matches("//", "/", k_deny));
}

TEST(PathPattern, ReachesIntoDirectoriesAboveIt) {
  EXPECT_TRUE(pattern("//w/app/a/b", k_deny).reaches_into("/w/app"));
  EXPECT_TRUE(pattern("//w/app/a/b", k_deny).reaches_into("/w/app/a/b/c"));
  EXPECT_TRUE(pattern("//w/app/a/b", k_deny).reaches_into("/"));
  EXPECT_FALSE(pattern("//w/app/a/b", k_deny).reaches_into("/w/other"));
  EXPECT_TRUE(pattern(".env", k_deny).reaches_into("/any/where"));
}

TEST(CommandPattern, CoversFromEndToEnd) {
  EXPECT_TRUE(CommandPattern("npm test").covers("npm test"));
  EXPECT_TRUE(CommandPattern("npm  test ").covers(" npm\ttest"));
  EXPECT_FALSE(CommandPattern("npm test").covers("npm tests"));
  EXPECT_TRUE(CommandPattern("ls*").covers("lsof -i"));
  EXPECT_TRUE(CommandPattern("ls:*").covers("ls"));
  EXPECT_TRUE(CommandPattern("ls *").covers("ls -l"));
  EXPECT_FALSE(CommandPattern("ls:*").covers("lsof"));
  EXPECT_TRUE(CommandPattern("* --help").covers("gcc --help"));
  EXPECT_FALSE(CommandPattern("* --help").covers("gcc --help x"));
  EXPECT_TRUE(CommandPattern("a*b*c").covers("axxbxxc"));
  EXPECT_FALSE(CommandPattern("a*b*c").covers("acb"));
  EXPECT_TRUE(CommandPattern("npm test").is_exact());
  EXPECT_FALSE(CommandPattern("npm:*").is_exact());
  EXPECT_FALSE(CommandPattern("n*m").is_exact());
}

TEST(CommandPattern, FindsACommandWhereOneMayBegin) {
  for (const char* text :
       {"curl x", "ls;curl x", "(curl)", "'curl'", "/bin/curl x", "a=curl", "x\ncurl"}) {
    EXPECT_TRUE(CommandPattern("curl:*").found_in(text)) << text;
  }
  for (const char* text : {"curlew", "libcurl x", "my-curl x", "curl.py", "x_curl"}) {
    EXPECT_FALSE(CommandPattern("curl:*").found_in(text)) << text;
  }
  EXPECT_TRUE(CommandPattern("git push").found_in("git push; ls"));
  EXPECT_TRUE(CommandPattern("git push").found_in("git push  "));
  EXPECT_FALSE(CommandPattern("git push").found_in("git push origin"));
  EXPECT_TRUE(CommandPattern("*--force*").found_in("git push x --force-with-lease"));
  EXPECT_EQ(single_spaced("  a \t b\r\n"), "a b");
}

// Was 40 seconds for one star. A matcher that goes back to its stars would try 8,192 over 30 ways
// and never end; this one looks at each character once for each character of the pattern.
TEST(CommandPattern, NeverGoesBack) {
  std::string stars;
  for (int i = 0; i < 30; ++i) stars += "*a";
  const std::string text(8192, 'a');
  EXPECT_FALSE(CommandPattern(stars + "*b").found_in(text + "c"));
  EXPECT_FALSE(CommandPattern(stars + "b").covers(text + "bc"));
  EXPECT_TRUE(CommandPattern(stars + "*b").found_in(text + "b"));
  std::string force;
  while (force.size() < 8192) force += "--forc -";
  EXPECT_FALSE(CommandPattern("*--force*").found_in(force));
  EXPECT_TRUE(CommandPattern("*--force*").found_in(force + " --force"));
}

TEST(PathPattern, NeverGoesBack) {
  std::string stars = ".";
  std::string path = "/w/app";
  for (int i = 0; i < 30; ++i) stars += "/**/a";
  for (int i = 0; i < 1000; ++i) path += "/a";
  EXPECT_FALSE(pattern(stars + "/b", k_deny).matches(path + "/c"));
  EXPECT_TRUE(pattern(stars + "/b", k_deny).matches(path + "/b"));
}

}  // namespace
}  // namespace yume::permissions
