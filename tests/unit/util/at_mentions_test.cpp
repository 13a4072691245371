// SPDX-License-Identifier: MIT
#include "util/at_mentions.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume {
namespace {

std::vector<std::string> first_readings(const std::string& text,
                                        CodeBlocks code = CodeBlocks::count) {
  std::vector<std::string> paths;
  for (const AtMention& mention : find_mentions(text, code)) paths.push_back(mention.front().path);
  return paths;
}

using Strings = std::vector<std::string>;

TEST(AtMentions, BeginAWord) {
  EXPECT_EQ(first_readings("look at @src/a.cpp and (@b.h"), (Strings{"src/a.cpp", "b.h"}));
  EXPECT_EQ(first_readings("@a\n@b"), (Strings{"a", "b"}));
  EXPECT_EQ(first_readings("mail me@example.org, @ home, @@x"), Strings{});
  EXPECT_EQ(first_readings("@\"with blanks.md\" @with\\ blanks.md @\"open"),
            (Strings{"with blanks.md", "with blanks.md"}));
}

TEST(AtMentions, NameLines) {
  EXPECT_EQ(find_mentions("@a.c#L3-9"), (std::vector<AtMention>{{{"a.c", LineRange{3, 9}}}}));
  EXPECT_EQ(find_mentions("@a.c#L3"), (std::vector<AtMention>{{{"a.c", LineRange{3, 3}}}}));
  EXPECT_EQ(find_mentions("@a.c#L3-L9"), (std::vector<AtMention>{{{"a.c", LineRange{3, 9}}}}));
  EXPECT_EQ(find_mentions("@\"a b.c\"#L2-4."),
            (std::vector<AtMention>{{{"a b.c", LineRange{2, 4}}}}));
  EXPECT_EQ(find_mentions("@a#L9-3"), (std::vector<AtMention>{{{"a#L9-3"}}}));
  EXPECT_EQ(find_mentions("@a#L0"), (std::vector<AtMention>{{{"a#L0"}}}));
}

TEST(AtMentions, MayEndInPunctuation) {
  EXPECT_EQ(find_mentions("see @a.c."), (std::vector<AtMention>{{{"a.c."}, {"a.c"}}}));
  EXPECT_EQ(find_mentions("(see @a.c#L3-9),"),
            (std::vector<AtMention>{{{"a.c#L3-9),"}, {"a.c", LineRange{3, 9}}}}));
}

TEST(AtMentions, AreNotLookedForInCodeOfInstructions) {
  EXPECT_EQ(first_readings("`@a` @b ``x ` @c`` @d\n```\n@e\n```\n@f", CodeBlocks::are_skipped),
            (Strings{"b", "d", "f"}));
  EXPECT_EQ(first_readings("a ` alone @b", CodeBlocks::are_skipped), Strings{"b"});
  EXPECT_EQ(first_readings("```\n@never closed", CodeBlocks::are_skipped), Strings{});
  EXPECT_EQ(first_readings("`x @a`"), Strings{"a`"});
}

}  // namespace
}  // namespace yume
