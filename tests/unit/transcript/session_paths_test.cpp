// SPDX-License-Identifier: MIT
#include "transcript/session_paths.h"

#include <gtest/gtest.h>

namespace yume::transcript {
namespace {

TEST(SessionPaths, NameProjectsAsClaudeCodeDoes) {
  EXPECT_EQ(project_key("/home/u/my.project_1"), "-home-u-my-project-1");
  EXPECT_EQ(project_key("/h\xC3\xA4user"), "-h-user");
  EXPECT_EQ(project_key("/\xF0\x9F\x98\x80"), "---") << "one dash for each UTF-16 unit";
}

// The expected hashes come from the readers' own formula in JavaScript.
TEST(SessionPaths, CutLongKeysAndAddAHash) {
  const std::string path = "/" + std::string(250, 'a');
  EXPECT_EQ(project_key(path), "-" + std::string(199, 'a') + "-feo44x");
}

TEST(SessionPaths, KnowWhichIdsCanBeFileNames) {
  EXPECT_TRUE(is_session_id("123e4567-e89b-42d3-a456-426614174000"));
  EXPECT_TRUE(is_session_id("syn_0123456789abcdef012345"));
  for (const char* bad : {"", ".", "..", "../x", "a/b", "a b", "a.b", "\xC3\xA4"}) {
    EXPECT_FALSE(is_session_id(bad)) << bad;
  }
  EXPECT_FALSE(is_session_id(std::string(129, 'a')));
}

}  // namespace
}  // namespace yume::transcript
