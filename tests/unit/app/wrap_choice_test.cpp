// SPDX-License-Identifier: MIT
#include "app/wrap_choice.h"

#include <gtest/gtest.h>

namespace yume::app {
namespace {

using Words = std::vector<std::string>;

TEST(SplitCommand, PartsWordsAtBlanks) {
  EXPECT_EQ(split_command("gemini --acp"), (Words{"gemini", "--acp"}));
  EXPECT_EQ(split_command("  a \t b\n"), (Words{"a", "b"}));
  EXPECT_EQ(split_command(""), Words{});
}

TEST(SplitCommand, KeepsWhatIsQuoted) {
  EXPECT_EQ(split_command(R"("/opt/my agent" --say 'a "b"' "c \"d\" \e")"),
            (Words{"/opt/my agent", "--say", "a \"b\"", "c \"d\" \\e"}));
  EXPECT_EQ(split_command(R"(a\ b '' x"y"z)"), (Words{"a b", "", "xyz"}));
}

TEST(SplitCommand, ExpandsNothing) {
  EXPECT_EQ(split_command("$HOME *.js ~ a;b"), (Words{"$HOME", "*.js", "~", "a;b"}));
}

TEST(SplitCommand, RefusesAQuoteWithoutItsEnd) {
  EXPECT_EQ(split_command("a 'b"), std::nullopt);
  EXPECT_EQ(split_command("a \"b\\\""), std::nullopt);
}

}  // namespace
}  // namespace yume::app
