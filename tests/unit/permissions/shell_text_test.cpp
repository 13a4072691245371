// SPDX-License-Identifier: MIT
// Commands taken apart: which words, which redirections, and what is too uncertain to be judged.
#include "permissions/shell_text.h"

#include "permissions/ansi_quotes.h"
#include "permissions/name_folding.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::permissions {
namespace {

std::string plain(std::string_view text) {
  const ShellText shell = read_shell_text(text);
  return plain_text(shell) + (shell.opaque ? " (opaque)" : "");
}

struct Row {
  const char* text;
  const char* plain;
};

TEST(ShellText, ReadsWordsAsBashDoes) {
  const std::vector<Row> rows = {
      {"ls -la", "ls -la"},
      {"  ls\t-la  ", "ls -la"},
      {"ls;pwd&&id||x|y&z\nw", "ls; pwd; id; x; y; z; w"},
      {"ls |& wc", "ls; wc"},
      {"a 'b c' \"d e\" f\\ g", "a b c d e f g"},
      {"c'ur'l \"x\"y", "curl xy"},
      {"cu\\\nrl \"a\\\nb\"", "curl ab"},
      {"\"a\\\"b\\$c\\d\"", "a\"b$c\\d"},
      {"X=1 Y='a b' make", "X=1 Y=a b make"},
      {"echo X=1", "echo X=1"},
      {"1X=2", "1X=2"},
      {"=x a", "=x a"},
      {"ls # rm x", "ls"},
      {"ls a#b", "ls a#b"},
      {"ls #x\npwd", "ls; pwd"},
      {"cat <a >b >>c >|d &>e &>>f >&g <>h 2>i", "cat < a > b > c > d > e > f > g > h > i"},
      {"ls 2>&1 >&2 <&3 2>&- >&1-", "ls"},
      {"ls >&2x", "ls > 2x"},
      {"ls >&-x", "ls > -x"},
      {"ls a2>x", "ls a2 > x"},
      {"ls '2'>x", "ls 2 > x"},
      {"ls &>|x", "ls > x"},
      {"(ls; pwd)", "ls; pwd"},
      {"if make; then ls; elif a; else b; fi", "make; ls; a; b"},
      {"while x; do y; done", "x; y"},
      {"! { ls; }", "ls"},
      {"ls ~ ~/x", "ls ~ ~/x"},
      {"ls {a} [b {", "ls {a} [b {"},
      {"", ""},
      {";;", ""},
  };
  for (const Row& row : rows) EXPECT_EQ(plain(row.text), row.plain) << row.text;
}

TEST(ShellText, SaysWhenItCannotBeSure) {
  const std::vector<Row> rows = {
      {"$X a", "$X a (opaque)"},
      {"a $X", "a $X (opaque)"},
      {"a \"$X\"", "a $X (opaque)"},
      {"a $(b)", "b; a $ (opaque)"},
      {"a `b`", "b; a $ (opaque)"},
      {"a \"`b`\" \"$(c)\"", "b; c; a $ $ (opaque)"},
      {"a <(b) >(c)", "b; c; a (opaque)"},
      {"$'c\\x75rl' x", "curl x (opaque)"},
      {"\"$'x\"", "$'x (opaque)"},
      {"ls *", "ls * (opaque)"},
      {"ls a?", "ls a? (opaque)"},
      {"ls [ab]", "ls [ab] (opaque)"},
      {"ls {a,b} {1..3}", "ls {a,b} {1..3} (opaque)"},
      {"ls ~root", "ls ~root (opaque)"},
      {"~/x a", "~/x a (opaque)"},
      {"cat <<E\nx\nE", "cat; x; E (opaque)"},
      {"cat <<< x", "cat x (opaque)"},
      {"cat <<-E", "cat (opaque)"},
      {"f() { x; }", "f { x (opaque)"},
      {"a=(x)", "x; a= (opaque)"},
      {"a+=x", "a+=x (opaque)"},
      {"a[1]=x", "a[1]=x (opaque)"},
      {"ls 'a", "ls a (opaque)"},
      {"ls \"a", "ls a (opaque)"},
      {"ls (", "ls (opaque)"},
      {"ls )", "ls (opaque)"},
      {"ls `a", "a; ls $ (opaque)"},
      {"ls \\", "ls (opaque)"},
      {"ls >", "ls (opaque)"},
      {"eval x", "eval x (opaque)"},
      {"command eval x", "command eval x (opaque)"},
      {"builtin -x source y", "builtin -x source y (opaque)"},
      {"exec $X", "exec $X (opaque)"},
      {"((x))", "x (opaque)"},
      {"test -v 'a[x]'", "test -v a[x] (opaque)"},
      {"let x", "let x (opaque)"},
      {"ls\rx", "ls\rx (opaque)"},
  };
  for (const Row& row : rows) EXPECT_EQ(plain(row.text), row.plain) << row.text;
  EXPECT_EQ(plain("test -f x"), "test -f x");
  EXPECT_EQ(plain("printf '[%s]' x"), "printf [%s] x");
  EXPECT_EQ(plain("command -v x"), "command -v x");
}

TEST(ShellText, GivesUpOnTooMuch) {
  const auto why = [](const std::string& text) {
    return read_shell_text(text).opaque.value_or("");
  };
  std::string many;
  for (int i = 0; i < 300; ++i) many += "ls;";
  EXPECT_EQ(why(many), "it has more than 256 commands");
  EXPECT_EQ(why(std::string(10'001, 'a')), "it is longer than 10,000 characters");
  EXPECT_EQ(why(std::string(100, '(')), "it computes");
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "( ";
  EXPECT_EQ(why(deep), "it is nested too deeply");
  EXPECT_EQ(why("ls \xe2\x80\x8b"), "it has characters that cannot be seen");
}

TEST(AnsiQuotes, AreDecoded) {
  const auto decoded = [](std::string_view text) {
    std::string out;
    const std::size_t length = decode_ansi_quotes(text, out);
    return out + "|" + std::string(text.substr(length));
  };
  EXPECT_EQ(decoded("abc' rest"), "abc| rest");
  EXPECT_EQ(decoded("\\x63url\\x2' r"), "curl\x02| r");
  EXPECT_EQ(decoded("\\143\\0141\\7'"),
            "c\x0c"
            "1\a|");
  EXPECT_EQ(decoded("\\u0063\\U00000064\\u00e9'"), "cd\xc3\xa9|");
  EXPECT_EQ(decoded("\\a\\b\\e\\E\\f\\n\\r\\t\\v\\\\\\'\\\"\\?'"), "\a\b\x1b\x1b\f\n\r\t\v\\'\"?|");
  EXPECT_EQ(decoded("\\cA\\q\\x\\u'"), "\x01\\q\\x\\u|");
  EXPECT_EQ(decoded("\\xaF\\xG'"), "\xaf\\xG|");
  EXPECT_EQ(decoded("open"), "open|");
  EXPECT_EQ(decoded("open\\"), "open\\|");
  EXPECT_EQ(decoded("\\c"), "\\c|");
}

TEST(NameFolding, SeesThroughLookAlikes) {
  EXPECT_EQ(fold_name(".ENV"), ".env");
  EXPECT_EQ(fold_name(".env. ."), ".env");
  EXPECT_EQ(fold_name("..."), "...");
  EXPECT_EQ(fold_name(".\xef\xbd\x85nv"), ".env") << "full width";
  EXPECT_EQ(fold_name(".e\xe2\x80\x8bnv"), ".env") << "zero width";
  EXPECT_EQ(fold_name("\xef\xac\x81le"), "file") << "a ligature";
  EXPECT_EQ(fold_name("\xe6\x97\xa5"), "\xe6\x97\xa5");
  EXPECT_EQ(fold_name(""), "");
}

TEST(HiddenCharacters, AreFound) {
  for (const char* text : {"a\x01", "a\x7f", "a\rb", "\xc2\x85", "\xe2\x80\xae", "\xc2\xa0",
                           "\xe3\x80\x80", "\xff", "\xf3\xa0\x81\x81"}) {
    EXPECT_TRUE(has_hidden_characters(text)) << text;
  }
  for (const char* text : {"", "a b\tc\nd", "\xc3\xa9", "\xe6\x97\xa5"}) {
    EXPECT_FALSE(has_hidden_characters(text)) << text;
  }
}

}  // namespace
}  // namespace yume::permissions
