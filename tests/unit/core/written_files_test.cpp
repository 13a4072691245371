// SPDX-License-Identifier: MIT
#include "core/written_files.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace yume::core {
namespace {

using Strings = std::vector<std::string>;

FileWritten written(std::string path) {
  FileWritten details;
  details.path = std::move(path);
  return details;
}

Strings written_in(const char* cwd, const Strings& paths) {
  WrittenFiles files(cwd);
  for (const std::string& path : paths) {
    ToolFinished finished;
    finished.outcome.details = written(path);
    files.add(finished);
  }
  return files.list();
}

TEST(WrittenFiles, AreNamedInFullAndOnce) {
  EXPECT_EQ(written_in("/p", {"a.txt", "./a.txt", "/p/a.txt", "/q/b.txt", "sub/c"}),
            (Strings{"/p/a.txt", "/q/b.txt", "/p/sub/c"}));
  EXPECT_EQ(written_in("", {"a.txt", "sub/./b"}), (Strings{"a.txt", "sub/./b"}));
}

// One of each pair is another machine's, on whatever system this runs.
TEST(WrittenFiles, KeepTheFormOfTheMachineThatWroteThem) {
  EXPECT_EQ(written_in(R"(C:\p)", {"a.txt", R"(C:\p\a.txt)", R"(D:\q\b.txt)", R"(sub\c)"}),
            (Strings{R"(C:\p\a.txt)", R"(D:\q\b.txt)", R"(C:\p\sub\c)"}));
  EXPECT_EQ(written_in("/p", {R"(\\server\share\x)"}), (Strings{R"(\\server\share\x)"}));
  EXPECT_EQ(written_in(R"(C:\p)", {"/q/b.txt"}), (Strings{"/q/b.txt"}));
}

TEST(WrittenFiles, AreNotThoseOfACallThatFailed) {
  ToolFinished failed;
  failed.outcome.details = written("a.txt");
  failed.outcome.is_error = true;
  WrittenFiles files("/p");
  files.add(failed);
  files.add(ToolFinished{});
  EXPECT_EQ(files.list(), Strings{});
}

}  // namespace
}  // namespace yume::core
