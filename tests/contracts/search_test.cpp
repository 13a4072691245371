// SPDX-License-Identifier: MIT
// Glob, Grep and LS on real trees, compared with ripgrep and git where those are installed.
#include "support/ignore_table.h"
#include "support/real_search.h"

#include <sys/stat.h>

namespace yume::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

bool is_installed(const std::string& command) {
  return run(bash("command -v " + command)).end.exit_code == 0;
}

class BesideRipgrep : public RealSearch {
 protected:
  void SetUp() override {
    if (!is_installed("rg")) GTEST_SKIP() << "ripgrep is not installed";
    const fs::path at = root();
    fs::create_directories(at / ".git" / "info");
    write_file(at / ".git/info/exclude", "excluded.txt\n");
    write_file(at / ".gitignore", "*.log\nbuild/\n/top.txt\n!keep.log\n");
    write_file(at / "sub/.gitignore", "!sub.log\nlocal.txt\n/anchored.txt\n");
    write_file(at / "sub/.ignore", "from_ignore.txt\n!.shown\n");
    write_file(at / "sub/deep/.rgignore", "rg.txt\n!local.txt\n");
    write_file(at / "nested/.git/HEAD", "");
    write_file(scratch_.path() / "home/.gitconfig", "[core]\n\texcludesFile = ~/globally\n");
    write_file(scratch_.path() / "home/globally", "*.global\n");
    for (const char* name : {"a.txt",
                             "b.ts",
                             "c.tsx",
                             "top.txt",
                             "x.log",
                             "keep.log",
                             "excluded.txt",
                             "x.global",
                             ".hidden.txt",
                             ".hiddendir/a.txt",
                             "build/out.txt",
                             "sub/a.txt",
                             "sub/top.txt",
                             "sub/sub.log",
                             "sub/local.txt",
                             "sub/anchored.txt",
                             "sub/from_ignore.txt",
                             "sub/.shown",
                             "sub/deep/a.py",
                             "sub/deep/rg.txt",
                             "sub/deep/local.txt",
                             "sub/deep/anchored.txt",
                             "sub/deep/build/x.txt",
                             "nested/x.log",
                             "nested/a.txt",
                             "with space.txt",
                             "unicode-\xC3\xA9.txt",
                             "sub/.travis.yml"}) {
      write_file(at / name, "one needle here\nTwo Needle\nfoo_bar(1)\n\nlast line without end");
    }
    write_file(at / "binary.dat", std::string_view("needle\0needle\n", 14));
    write_file(at / "latin1.txt", "caf\xE9 needle\n");
    fs::create_symlink(at / "a.txt", at / "link.txt");
    fs::create_directory_symlink(at / "sub", at / "linkdir");
    ASSERT_EQ(::mkfifo((at / "pipe").c_str(), 0600), 0);
  }

  void expect_same_files(const std::string& flags, json input) {
    input["pattern"] = "needle";
    EXPECT_EQ(found_files(input), lines_of(in_tree("rg -l " + flags + " -e needle"))) << flags;
  }

  void expect_same_lines(const std::string& flags, json input) {
    input["output_mode"] = "content";
    input["glob"] = "!latin1.txt";
    const std::string ours = grep(input).content;
    EXPECT_EQ(lines_of(ours), lines_of(in_tree("rg -n --no-heading -g '!latin1.txt' " + flags)))
        << flags;
  }
};

TEST_F(BesideRipgrep, FindsTheSameFiles) {
  expect_same_files("", json::object());
  expect_same_files("-g '*.txt'", {{"glob", "*.txt"}});
  expect_same_files("-g '*.{ts,tsx}'", {{"glob", "*.{ts,tsx}"}});
  expect_same_files("-g '!sub'", {{"glob", "!sub"}});
  expect_same_files("-g '!*.txt'", {{"glob", "!*.txt"}});
  expect_same_files("-g 'sub/**/*.txt'", {{"glob", "sub/**/*.txt"}});
  expect_same_files("-g '*.log'", {{"glob", "*.log"}});
  expect_same_files("-g '*.yml'", {{"glob", "*.yml"}});
  expect_same_files("-t ts", {{"type", "ts"}});
  expect_same_files("-t py", {{"type", "py"}});
  expect_same_files("-t txt", {{"type", "txt"}});
  expect_same_files("-t yaml", {{"type", "yaml"}});
}

TEST_F(BesideRipgrep, FindsTheSameFilesBelowADirectory) {
  for (const std::string path : {"sub", "sub/deep", "nested", "build"}) {
    EXPECT_EQ(found_files({{"pattern", "needle"}, {"path", path}}),
              lines_of(in_tree("rg -l needle " + path)))
        << path;
  }
}

TEST_F(BesideRipgrep, FindsTheSameLines) {
  expect_same_lines("needle", {{"pattern", "needle"}});
  expect_same_lines("-i needle", {{"pattern", "needle"}, {"-i", true}});
  expect_same_lines("'\\w+_bar\\('", {{"pattern", "\\w+_bar\\("}});
  expect_same_lines("'^$'", {{"pattern", "^$"}});
  expect_same_lines("'end$'", {{"pattern", "end$"}});
  expect_same_lines("'x*'", {{"pattern", "x*"}});
  expect_same_lines("-o '[a-z]+e'", {{"pattern", "[a-z]+e"}, {"-o", true}});
  expect_same_lines("-U --multiline-dotall 'here.Two'",
                    {{"pattern", "here.Two"}, {"multiline", true}});
}

TEST_F(BesideRipgrep, ShowsTheSameContextOfOneFile) {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text += i % 97 == 0 ? "hit\n" : "some other line\n";
  write_file(root() / "big.txt", text);
  for (const std::string flags : {"-A 2", "-B 3", "-C 50"}) {
    const json input = {{"pattern", "hit"},
                        {"path", "big.txt"},
                        {"output_mode", "content"},
                        {"head_limit", 300},
                        {flags.substr(0, 2), std::stoi(flags.substr(3))}};
    const std::string ours = grep(input).content;
    std::string theirs = in_tree("rg -n --no-heading " + flags + " hit big.txt | head -300");
    EXPECT_EQ(ours, theirs + "\n[Showing results with pagination = limit: 300]") << flags;
  }
}

TEST_F(RealSearch, IgnoreTableIsWhatGitSays) {
  if (!is_installed("git")) GTEST_SKIP() << "git is not installed";
  std::string script = "export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null\n";
  std::string expected;
  for (std::size_t i = 0; i < k_ignore_rows.size(); ++i) {
    const IgnoreRow& row = k_ignore_rows[i];
    const fs::path repository = root() / std::to_string(i);
    write_file(repository / ".gitignore", row.rules);
    std::string_view path = row.path;
    if (path.ends_with('/')) {
      fs::create_directories(repository / path);
      path.remove_suffix(1);  // git sees that it is a directory, and takes a slash for part of it
    } else {
      write_file(repository / path, "");
    }
    script += "cd '" + repository.string() + "' && git init -q . && git check-ignore -q -- '" +
              std::string(path) + "'; echo " + std::to_string(i) + " $?\n";
    expected += std::to_string(i) + (row.ignored ? " 0\n" : " 1\n");
  }
  EXPECT_EQ(run(bash(script)).output, expected);
}

TEST_F(RealSearch, NeverBlocksOrFollowsLinks) {
  write_file(root() / "a/b/file.txt", "needle\n");
  write_file(scratch_.path() / "outside/secret.txt", "needle\n");
  fs::create_directory_symlink(root(), root() / "a/loop");
  fs::create_directory_symlink(scratch_.path() / "outside", root() / "out");
  ASSERT_EQ(::mkfifo((root() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(found_files({{"pattern", "needle"}}), Lines{"a/b/file.txt"});
  EXPECT_EQ(grep({{"pattern", "x"}, {"path", "pipe"}}).content,
            "cannot search " + (root() / "pipe").string() + ": not a regular file");
}

TEST_F(RealSearch, FindsAMatchAcrossTheBordersOfItsWindow) {
  const std::string filler(262'140, 'x');
  write_file(root() / "long.txt", filler + "needle\nand a needle\n" + filler + filler + "needle");
  EXPECT_EQ(grep({{"pattern", "needle"}, {"output_mode", "content"}, {"-o", true}}).content,
            "long.txt:1:needle\nlong.txt:2:needle\nlong.txt:3:needle");
}

TEST(SearchTree, RefusesALinkThatReplacedADirectory) {
  const TemporaryDirectory scratch;
  write_file(scratch.path() / "root/real/file", "x");
  write_file(scratch.path() / "outside/file", "x");
  fs::create_directory_symlink(scratch.path() / "outside", scratch.path() / "root/link");
  fs::create_symlink(scratch.path() / "outside/file", scratch.path() / "root/real/linked");
  const auto files = platform::make_system_file_system();
  const auto tree = files->open_tree(scratch.path() / "root");
  ASSERT_TRUE(tree.ok());
  EXPECT_TRUE((*tree)->open_directory("real").ok());
  EXPECT_FALSE((*tree)->open_directory("link").ok());
  EXPECT_FALSE((*tree)->open_directory("real/../../outside").ok());
  EXPECT_FALSE((*tree)->open_directory("missing").ok());
  const auto real = (*tree)->open_directory("real");
  EXPECT_TRUE((*real)->open_file("file").ok());
  EXPECT_FALSE((*real)->open_file("linked").ok());
  EXPECT_EQ((*real)->info("linked")->kind, platform::FileKind::symlink);
}

}  // namespace
}  // namespace yume::test
