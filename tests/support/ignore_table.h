// SPDX-License-Identifier: MIT
// Ignore rules, a path, and whether git ignores it. A unit test compares our rules with the table,
// a contract test compares the table with git.
#pragma once

#include <array>
#include <string_view>

namespace yume::test {

struct IgnoreRow {
  std::string_view rules;
  std::string_view path;  // with a slash at the end: a directory
  bool ignored;
};

inline constexpr std::array k_ignore_rows = {
    // names
    IgnoreRow{"foo", "foo", true},
    IgnoreRow{"foo", "a/foo", true},
    IgnoreRow{"foo", "a/b/foo", true},
    IgnoreRow{"foo", "foobar", false},
    IgnoreRow{"foo", "a/foobar", false},
    IgnoreRow{"foo", "foo/", true},
    IgnoreRow{"foo", "foo/bar", true},
    IgnoreRow{"foo", "Foo", false},
    IgnoreRow{"*.log", "a.log", true},
    IgnoreRow{"*.log", "d/a.log", true},
    IgnoreRow{"*.log", ".log", true},
    IgnoreRow{"*.log", "a.log.txt", false},
    IgnoreRow{"*.log", "d.log/x", true},
    IgnoreRow{"f*o", "fo", true},
    IgnoreRow{"f*o", "fxyo", true},
    IgnoreRow{"f*o", "f/o", false},
    IgnoreRow{"f?o", "fxo", true},
    IgnoreRow{"f?o", "fo", false},
    IgnoreRow{"*", "anything", true},
    IgnoreRow{"*a*b*c*", "xaybzc", true},
    IgnoreRow{"*a*b*c*", "xaybz", false},
    // classes
    IgnoreRow{"[abc].x", "b.x", true},
    IgnoreRow{"[abc].x", "d.x", false},
    IgnoreRow{"[a-c].x", "c.x", true},
    IgnoreRow{"[!a-c].x", "c.x", false},
    IgnoreRow{"[!a-c].x", "d.x", true},
    IgnoreRow{"[^a-c].x", "d.x", true},
    IgnoreRow{"[]a].x", "].x", true},
    IgnoreRow{"[a-].x", "-.x", true},
    IgnoreRow{"[[:digit:]].x", "7.x", true},
    IgnoreRow{"[[:digit:]].x", "a.x", false},
    IgnoreRow{"[[:alpha:]_]z", "_z", true},
    IgnoreRow{"[a", "[a", false},
    IgnoreRow{"a[b", "ab", false},
    IgnoreRow{"x[!/]y", "x/y", false},
    // escapes
    IgnoreRow{"\\#a", "#a", true},
    IgnoreRow{"#a", "#a", false},
    IgnoreRow{"\\!a", "!a", true},
    IgnoreRow{"a\\*", "a*", true},
    IgnoreRow{"a\\*", "ab", false},
    IgnoreRow{"a\\?b", "a?b", true},
    IgnoreRow{"a\\[b", "a[b", true},
    IgnoreRow{"{a,b}", "a", false},
    IgnoreRow{"{a,b}", "{a,b}", true},
    // spaces and line ends
    IgnoreRow{"a   ", "a", true},
    IgnoreRow{"a\\ ", "a ", true},
    IgnoreRow{"a b", "a b", true},
    IgnoreRow{" a", "a", false},
    IgnoreRow{"a\r\nb\r\n", "b", true},
    IgnoreRow{"\xEF\xBB\xBF"
              "bom",
              "bom", true},
    IgnoreRow{"\n\n#x\n\nq\n", "q", true},
    // directories
    IgnoreRow{"build/", "build/", true},
    IgnoreRow{"build/", "build", false},
    IgnoreRow{"build/", "a/build/x", true},
    IgnoreRow{"build/", "a/build", false},
    IgnoreRow{"build/*", "build/x", true},
    IgnoreRow{"build/*", "build/", false},
    IgnoreRow{"build/*", "a/build/x", false},
    // anchors
    IgnoreRow{"/foo", "foo", true},
    IgnoreRow{"/foo", "a/foo", false},
    IgnoreRow{"/foo/", "foo/", true},
    IgnoreRow{"/*.c", "a.c", true},
    IgnoreRow{"/*.c", "d/a.c", false},
    IgnoreRow{"a/b", "a/b", true},
    IgnoreRow{"a/b", "x/a/b", false},
    IgnoreRow{"a/b/", "a/b/c", true},
    IgnoreRow{"a/*", "a/b/c", true},
    IgnoreRow{"a/*/c", "a/b/c", true},
    IgnoreRow{"a/*/c", "a/b/x/c", false},
    IgnoreRow{"a/?/c", "a/b/c", true},
    // two asterisks
    IgnoreRow{"**/foo", "foo", true},
    IgnoreRow{"**/foo", "a/b/foo", true},
    IgnoreRow{"**/foo/bar", "a/foo/bar", true},
    IgnoreRow{"**/foo/bar", "foo/x/bar", false},
    IgnoreRow{"foo/**", "foo/a/b", true},
    IgnoreRow{"foo/**", "foo/", false},
    IgnoreRow{"foo/**", "x/foo/a", false},
    IgnoreRow{"a/**/b", "a/b", true},
    IgnoreRow{"a/**/b", "a/x/b", true},
    IgnoreRow{"a/**/b", "a/x/y/b", true},
    IgnoreRow{"a/**/b", "a/xb", false},
    IgnoreRow{"a/**/b/*.c", "a/x/b/y/b/q.c", true},
    IgnoreRow{"**", "a/b", true},
    IgnoreRow{"a**b", "axxb", true},
    IgnoreRow{"a**b", "a/b", false},
    IgnoreRow{"**/*.o", "d/a.o", true},
    IgnoreRow{"**/x/**", "a/x/b", true},
    IgnoreRow{"**/x/**", "x", false},
    // negation
    IgnoreRow{"*.log\n!keep.log", "keep.log", false},
    IgnoreRow{"*.log\n!keep.log", "other.log", true},
    IgnoreRow{"!keep.log\n*.log", "keep.log", true},
    IgnoreRow{"*\n!*.c", "a.c", false},
    IgnoreRow{"*\n!*/\n!*.c", "d/a.c", false},
    IgnoreRow{"*\n!*.c", "d/a.c", true},
    IgnoreRow{"d/\n!d/keep", "d/keep", true},
    IgnoreRow{"d/*\n!d/keep", "d/keep", false},
    IgnoreRow{"/*\n!/src\n/src/*\n!/src/a", "src/a", false},
    IgnoreRow{"/*\n!/src\n/src/*\n!/src/a", "src/b", true},
    IgnoreRow{"a\n!a\na", "a", true},
};

}  // namespace yume::test
