// SPDX-License-Identifier: MIT
// Glob, Grep and LS where the tree itself is against them: odd names, special files, files without
// end, links, no permission, and directories that change while they are searched. docs/tools.md
// says which test covers which case.
#include "support/forked.h"
#include "support/real_search.h"
#include "util/thread.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <functional>

namespace yume::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

using HostileSearch = RealSearch;

// A change that goes on in another thread until the test has seen enough.
class Meanwhile {
 public:
  explicit Meanwhile(const std::function<void(int)>& change)
      : thread_([this, change] {
          for (int i = 0; !over_; ++i) change(i);
        }) {}
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;
  ~Meanwhile() { over_ = true; }

 private:
  std::atomic<bool> over_{false};
  Thread thread_;
};

// Both names exist at every moment: it is one step.
bool exchange(const fs::path& left, const fs::path& right) {
#if defined(__APPLE__)
  return ::renamex_np(left.c_str(), right.c_str(), RENAME_SWAP) == 0;
#else
  return ::renameat2(AT_FDCWD, left.c_str(), AT_FDCWD, right.c_str(), RENAME_EXCHANGE) == 0;
#endif
}

// Peak memory of this process, in MB.
long peak_megabytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

TEST_F(HostileSearch, ShowsOddNamesSoThatTheyCanBeReadBack) {
  const std::vector<std::string> names = {
      "line\nbreak", "quote\"d", "\"both\"",    "caf\xE9",  std::string(255, 'n'),
      "-rf",         "...",      "back\\slash", "tab\tbed", "~tilde",
      " space ",     "it's",     "star*[x]"};
  for (const std::string& name : names) {
    write_file(root() / "sub" / name, "needle in " + std::to_string(name.size()) + "\n");
  }
  // "..." begins with a dot and so is hidden.
  const std::string shown = glob({{"pattern", "*"}, {"path", "sub"}}).content + "\n" +
                            glob({{"pattern", "sub/.*"}}).content;
  const Lines listed = lines_of(shown);
  EXPECT_EQ(listed.size(), names.size()) << shown;
  std::multiset<std::string> contents;
  for (const std::string& line : listed) {
    const core::ToolOutcome content = read({{"file_path", line}});
    EXPECT_FALSE(content.is_error) << line << ": " << content.content;
    contents.insert(content.content);
    EXPECT_TRUE(grep({{"pattern", "needle"}, {"path", line}}).content.starts_with("Found 1 file\n"))
        << line;
  }
  std::multiset<std::string> expected;
  for (const std::string& name : names) {
    expected.insert("1\tneedle in " + std::to_string(name.size()) + "\n2\t");
  }
  EXPECT_EQ(contents, expected);
}

TEST_F(HostileSearch, ShowsOddNamesTheSameEverywhere) {
  write_file(root() / "d\n1/x", "needle\n");
  write_file(root() / "d\n1/\xFF", "needle\n");
  const Lines both = {"\"d\\n1/\\377\"", "\"d\\n1/x\""};
  EXPECT_EQ(lines_of(glob({{"pattern", "**/*"}}).content), both);
  EXPECT_EQ(found_files({{"pattern", "needle"}}), both);
  EXPECT_EQ(lines_of(grep({{"pattern", "needle"}, {"output_mode", "content"}}).content),
            (Lines{"\"d\\n1/\\377\":1:needle", "\"d\\n1/x\":1:needle"}));
  EXPECT_EQ(ls(json::object()).content, "\"d\\n1\"/");
  EXPECT_EQ(ls({{"path", "\"d\\n1\"/"}}).content, "\"\\377\"\nx");
  EXPECT_EQ(read({{"file_path", "\"d\\n1\"/\"\\377\""}}).content, "1\tneedle\n2\t");
}

TEST_F(HostileSearch, NeverWaitsForSpecialFiles) {
  write_file(root() / "file", "needle\n");
  ASSERT_EQ(::mkfifo((root() / "fifo").c_str(), 0600), 0);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  (root() / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(found_files({{"pattern", "needle"}}), Lines{"file"});
  EXPECT_EQ(glob({{"pattern", "*"}}).content, "file");
  EXPECT_EQ(lines_of(ls(json::object()).content), (Lines{"fifo", "file", "socket"}));
  for (const std::string& name : {(root() / "fifo").string(), (root() / "socket").string(),
                                  std::string("/dev/tty"), std::string("/dev/zero")}) {
    EXPECT_EQ(grep({{"pattern", "x"}, {"path", name}}).content,
              "cannot search " + name + ": not a regular file");
    EXPECT_TRUE(glob({{"pattern", "*"}, {"path", name}}).is_error) << name;
    EXPECT_TRUE(ls({{"path", name}}).is_error) << name;
  }
  ::close(socket);
}

TEST_F(HostileSearch, HoldsLittleOfAFileWithoutEnd) {
  // Holes of NUL bytes are binary: left at the first window.
  write_file(root() / "sparse", "start\n");
  fs::resize_file(root() / "sparse", std::uintmax_t{100} << 30U);
  EXPECT_EQ(exit_code_of([this] {
              const long before = peak_megabytes();
              const bool found = grep({{"pattern", "start"}}).content != "No files found";
              return found || peak_megabytes() - before > 16 ? 1 : 0;
            }),
            0);
}

TEST_F(HostileSearch, HoldsLittleOfALineWithoutEnd) {
  // One line of text that is larger than what is ever held of it.
  {
    std::ofstream file(root().string() + ".line");
    const std::string piece(1U << 20U, 'x');
    for (int i = 0; i < 100; ++i) file << piece;
    file << "needle\n";
  }
  fs::create_directories(root());
  fs::rename(root().string() + ".line", root() / "line");
  EXPECT_EQ(
      exit_code_of([this] {
        const long before = peak_megabytes();
        const std::string text = grep({{"pattern", "needle"}, {"output_mode", "content"}}).content;
        const bool cut = text.size() < 1000 && text.find("bytes cut]") != std::string::npos;
        return cut && peak_megabytes() - before < 64 ? 0 : 1;
      }),
      0);
}

TEST_F(HostileSearch, PassesOverWhatItMayNotRead) {
  write_file(root() / "open/file", "needle\n");
  write_file(root() / "closed/file", "needle\n");
  write_file(root() / "unreadable", "needle\n");
  write_file(root() / "listed/file", "needle\n");
  fs::permissions(scratch_.path(), fs::perms{0755});
  fs::permissions(root() / "closed", fs::perms::none);
  fs::permissions(root() / "unreadable", fs::perms::none);
  fs::permissions(root() / "listed", fs::perms{0644});  // names, but no way in
  EXPECT_EQ(exit_code_of([this] {
              constexpr uid_t k_nobody = 65534;
              if (::getuid() == 0 && (::setgid(k_nobody) != 0 || ::setuid(k_nobody) != 0)) return 9;
              const json any = {{"pattern", "needle"}};
              if (found_files(any) != Lines{"open/file"}) return 1;
              const auto closed = grep({{"pattern", "needle"}, {"path", "closed"}});
              if (!closed.is_error || closed.content.find("ermission") == std::string::npos)
                return 2;
              const auto unreadable = grep({{"pattern", "needle"}, {"path", "unreadable"}});
              if (unreadable.content.find("ermission") == std::string::npos) return 3;
              if (!ls({{"path", "closed"}}).is_error) return 4;
              if (!glob({{"pattern", "*"}, {"path", "closed"}}).is_error) return 5;
              return 0;
            }),
            0);
  fs::permissions(root() / "closed", fs::perms::owner_all);
  fs::permissions(root() / "listed", fs::perms::owner_all);
}

TEST_F(HostileSearch, DoesNotFollowLinksThatLeadNowhere) {
  write_file(root() / "real/file", "needle\n");
  fs::create_symlink("loop-b", root() / "loop-a");
  fs::create_symlink("loop-a", root() / "loop-b");
  fs::create_symlink("gone", root() / "dangling");
  fs::create_directory_symlink("..", root() / "real/up");
  fs::create_symlink("real/file", root() / "chain0");
  for (int i = 1; i <= 41; ++i) {
    fs::create_symlink("chain" + std::to_string(i - 1), root() / ("chain" + std::to_string(i)));
  }
  EXPECT_EQ(found_files({{"pattern", "needle"}}), Lines{"real/file"});
  EXPECT_EQ(glob({{"pattern", "**/file"}}).content, "real/file");
  EXPECT_EQ(ls({{"path", "real"}}).content, "file\nup@");
  for (const std::string name : {"loop-a", "dangling", "chain41"}) {
    EXPECT_TRUE(grep({{"pattern", "needle"}, {"path", name}}).is_error) << name;
    EXPECT_TRUE(ls({{"path", name}}).is_error) << name;
    EXPECT_TRUE(glob({{"pattern", "*"}, {"path", name}}).is_error) << name;
  }
}

TEST_F(HostileSearch, AnswersCostlyExpressionsAndHugeOnes) {
  write_file(root() / "line", std::string(10'000'000, 'a') + "!");
  for (const std::string pattern : {"(a+)+$", "(a|a)*b", "(.*)*=", "a*a*a*a*b", "(a?){50}a{50}b"}) {
    EXPECT_EQ(grep({{"pattern", pattern}}).content, "No files found") << pattern;
  }
  EXPECT_EQ(grep({{"pattern", std::string(10'000, 'b')}}).content, "No files found");
  EXPECT_TRUE(grep({{"pattern", "((a{1,100}){1,100}){1,100}"}}).is_error);
  EXPECT_TRUE(grep({{"pattern", std::string(100'000, 'b')}}).is_error);
}

TEST_F(HostileSearch, BoundsTheCostOfGlobs) {
  const std::string deep = std::string(60, 'a') + "/" + std::string(60, 'b');
  write_file(root() / deep / "c.ts", "x");
  std::string bomb;
  for (int i = 0; i < 30; ++i) bomb += "{a,b}";
  EXPECT_TRUE(glob({{"pattern", bomb}}).is_error);
  EXPECT_TRUE(grep({{"pattern", "x"}, {"glob", bomb}}).is_error);
  EXPECT_TRUE(glob({{"pattern", std::string(1U << 20U, '*')}}).is_error);
  EXPECT_EQ(glob({{"pattern", "**/**/**/*"}}).content, deep + "/c.ts");
  std::string stars;
  for (int i = 0; i < 30; ++i) stars += "*a";
  EXPECT_EQ(glob({{"pattern", "**/" + stars + "*x/**/*"}}).content, "No files found");
}

TEST_F(HostileSearch, FinishesAmongManyFilesLinksAndPipes) {
  for (int i = 0; i < 3000; ++i) {
    write_file(root() / std::to_string(i % 30) / std::to_string(i), i % 100 == 0 ? "needle" : "");
  }
  for (int i = 0; i < 30; ++i) {
    fs::create_directory_symlink("..", root() / std::to_string(i) / "up");
    ASSERT_EQ(::mkfifo((root() / std::to_string(i) / "pipe").c_str(), 0600), 0);
  }
  EXPECT_EQ(found_files({{"pattern", "needle"}}).size(), 30U);
  EXPECT_EQ(std::get<core::FilesFound>(glob({{"pattern", "**/*"}}).details).total, 3000U);
}

// The bytes outside the tree must never be seen, whatever is exchanged for a link, and whenever.
TEST_F(HostileSearch, StaysInsideWhileADirectoryIsExchangedForALink) {
  constexpr int k_searches = 1500;
  write_file(root() / "sub/inner/file", "inside\n");
  write_file(scratch_.path() / "outside/inner/file", "secret\n");
  write_file(scratch_.path() / "outside/secret", "secret\n");
  fs::create_directory_symlink(scratch_.path() / "outside", root() / ".link");
  std::atomic<int> swaps{0};
  ASSERT_TRUE(exchange(root() / "sub", root() / ".link"));
  const Meanwhile swapping([this, &swaps](int) {
    if (exchange(root() / "sub", root() / ".link")) ++swaps;
  });
  for (int i = 0; i < k_searches || swaps < 10'000; ++i) {
    ASSERT_EQ(grep({{"pattern", "secret"}}).content, "No files found");
    const std::string listed = glob({{"pattern", "**/*"}}).content;
    ASSERT_EQ(listed.find("secret"), std::string::npos) << listed;
    const std::string here = ls(json::object()).content;
    ASSERT_TRUE(here == "sub/\n(1 hidden or ignored, not shown; use Bash with ls -a to see all.)" ||
                here == "sub@\n(1 hidden or ignored, not shown; use Bash with ls -a to see all.)")
        << here;
  }
}

TEST_F(HostileSearch, StaysInsideWhileItsStartIsExchangedForALink) {
  write_file(root() / "sub/inner/file", "inside\n");
  write_file(scratch_.path() / "outside/inner/file", "secret\n");
  fs::create_directory_symlink(scratch_.path() / "outside", root() / ".link");
  // Between the decision about a path and the search, the worst moment.
  for (const std::string start : {"sub", "sub/inner", "sub/inner/file"}) {
    const tools::ToolContext context = this->context();
    tools::Plan plan =
        tools::make_grep_tool()->plan({{"pattern", "secret"}, {"path", start}}, context);
    ASSERT_TRUE(exchange(root() / "sub", root() / ".link"));
    const auto outcome = std::get<tools::PlannedCall>(plan).run(context);
    ASSERT_TRUE(exchange(root() / "sub", root() / ".link"));
    EXPECT_TRUE(outcome.is_error) << start << ": " << outcome.content;
  }
}

TEST_F(HostileSearch, StaysInsideWhileAFileIsExchangedForALink) {
  write_file(root() / "file", "inside\n");
  write_file(scratch_.path() / "secret", "secret\n");
  fs::create_symlink(scratch_.path() / "secret", root() / ".link");
  std::atomic<int> swaps{0};
  ASSERT_TRUE(exchange(root() / "file", root() / ".link"));
  const Meanwhile swapping([this, &swaps](int) {
    if (exchange(root() / "file", root() / ".link")) ++swaps;
  });
  for (int i = 0; i < 1500 || swaps < 10'000; ++i) {
    ASSERT_EQ(grep({{"pattern", "secret"}}).content, "No files found");
  }
}

TEST_F(HostileSearch, SurvivesATreeThatChangesUnderIt) {
  write_file(root() / "keep/file", "needle\n");
  const Meanwhile changing([this](int i) {
    const fs::path directory = root() / ("d" + std::to_string(i % 7));
    std::error_code ignored;
    if (i % 2 == 0) {
      fs::create_directories(directory / "a/b", ignored);
      std::ofstream(directory / "a/b/file") << "needle\n";
    } else {
      fs::rename(root() / ("d" + std::to_string((i - 1) % 7)), root() / "moved", ignored);
      fs::remove_all(root() / "moved", ignored);
    }
  });
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(found_files({{"pattern", "needle"}}).count("keep/file"), 1U);
    ASSERT_FALSE(glob({{"pattern", "**/*"}}).is_error);
    ASSERT_FALSE(ls(json::object()).is_error);
  }
}

}  // namespace
}  // namespace yume::test
