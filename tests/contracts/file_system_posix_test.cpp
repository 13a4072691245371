// SPDX-License-Identifier: MIT
// What only real files have: modes, owners, limits, readers in other threads.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <string>
#include <thread>

#include "platform/file_system.h"
#include "platform/resolved_path_posix.h"
#include "support/forked.h"
#include "support/temporary_directory.h"

namespace yume {
namespace {

namespace fs = std::filesystem;
using platform::FileSystem;

constexpr std::uint64_t k_plenty = 16 << 20;
constexpr uid_t k_nobody = 65534;

class PosixFiles : public ::testing::Test {
 protected:
  fs::path at(std::string_view name) const { return directory_.path() / name; }
  mode_t mode_of(const fs::path& path) const {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
  }
  std::size_t count_entries() const { return files_->list(directory_.path())->size(); }

  test::TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> files_ = platform::make_system_file_system();
};

TEST_F(PosixFiles, ReplaceKeepsTheMode) {
  ASSERT_TRUE(files_->replace(at("script"), "old").ok());
  for (const mode_t mode : std::initializer_list<mode_t>{0755, 0600, 0444, 04755}) {
    ASSERT_EQ(::chmod(at("script").c_str(), mode), 0);
    ASSERT_TRUE(files_->replace(at("script"), "new").ok());
    EXPECT_EQ(mode_of(at("script")), mode);
  }
}

TEST_F(PosixFiles, NewFilesFollowTheUmask) {
  const mode_t before = ::umask(027);
  EXPECT_TRUE(files_->replace(at("file"), "x").ok());
  ::umask(before);
  EXPECT_EQ(mode_of(at("file")), 0640U);
}

TEST_F(PosixFiles, ReplaceKeepsTheOwnerWhenItMay) {
  if (::getuid() != 0) GTEST_SKIP() << "needs root";
  ASSERT_TRUE(files_->replace(at("file"), "old").ok());
  ASSERT_EQ(::chown(at("file").c_str(), k_nobody, k_nobody), 0);
  ASSERT_TRUE(files_->replace(at("file"), "new").ok());
  struct stat status {};
  ASSERT_EQ(::stat(at("file").c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, k_nobody);
  EXPECT_EQ(status.st_gid, k_nobody);
}

TEST_F(PosixFiles, AFileTakenFromAnotherUserIsNotSetUserId) {
  if (::getuid() != 0) GTEST_SKIP() << "needs root";
  ASSERT_TRUE(files_->replace(at("file"), "old").ok());
  ASSERT_EQ(::chmod(at("file").c_str(), 04755), 0);
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0777), 0);
  EXPECT_EQ(test::exit_code_of([&] {
              return ::setuid(k_nobody) == 0 && files_->replace(at("file"), "new").ok() ? 0 : 1;
            }),
            0);
  EXPECT_EQ(mode_of(at("file")), 0755U);
}

TEST_F(PosixFiles, AFailedWriteKeepsTheOldBytesAndLeavesNothing) {
  ASSERT_TRUE(files_->replace(at("file"), "old").ok());
  EXPECT_EQ(test::exit_code_of([&] {
              const rlimit limit{10, 10};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              ::signal(SIGXFSZ, SIG_IGN);
              const auto written = files_->replace(at("file"), std::string(100, 'x'));
              return !written && written.error().code == ErrorCode::too_large ? 0 : 1;
            }),
            0);
  EXPECT_EQ(*files_->read(at("file"), k_plenty), "old");
  EXPECT_EQ(count_entries(), 1U);
}

TEST_F(PosixFiles, SaysWhenPermissionIsMissing) {
  ASSERT_TRUE(files_->replace(at("secret"), "x").ok());
  ASSERT_EQ(::chmod(at("secret").c_str(), 0), 0);
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0755), 0);
  ASSERT_TRUE(files_->create_directories(at("closed/inner")).ok());
  ASSERT_EQ(::chmod(at("closed").c_str(), 0), 0);
  EXPECT_EQ(test::exit_code_of([&] {
              if (::getuid() == 0 && ::setuid(k_nobody) != 0) return 1;
              const auto denied = [](const auto& result) {
                return !result && result.error().code == ErrorCode::permission_denied;
              };
              if (!denied(files_->read(at("secret"), k_plenty))) return 2;
              if (!denied(files_->replace(at("closed/inner/new"), "x"))) return 3;
              if (!denied(files_->list(at("closed")))) return 4;
              if (!denied(files_->info(at("closed/inner")))) return 5;
              if (!denied(files_->real_path(at("closed/inner")))) return 6;
              if (!denied(files_->create_directories(at("closed/other")))) return 7;
              return 0;
            }),
            0);
  ASSERT_EQ(::chmod(at("closed").c_str(), 0755), 0);
}

TEST_F(PosixFiles, ReadersSeeTheOldOrTheNewBytes) {
  const std::string first(100'000, 'a');
  const std::string second(100'000, 'b');
  ASSERT_TRUE(files_->replace(at("file"), first).ok());
  std::atomic<bool> done = false;
  std::atomic<int> mixtures = 0;
  std::thread reader([&] {
    while (!done) {
      const auto bytes = files_->read(at("file"), k_plenty);
      if (!bytes || (*bytes != first && *bytes != second)) ++mixtures;
    }
  });
  for (int i = 0; i < 50; ++i) {
    EXPECT_TRUE(files_->replace(at("file"), i % 2 == 0 ? second : first).ok());
  }
  done = true;
  reader.join();
  EXPECT_EQ(mixtures, 0);
  EXPECT_EQ(count_entries(), 1U);
}

TEST_F(PosixFiles, WritesFilesWithTheLongestName) {
  const std::string name(255, 'n');
  EXPECT_TRUE(files_->replace(at(name), "x").ok());
  EXPECT_EQ(files_->replace(at(name + "n"), "x").error().code, ErrorCode::invalid_argument);
}

TEST_F(PosixFiles, ReplacingBreaksHardLinksAndInfoCountsThem) {
  ASSERT_TRUE(files_->replace(at("file"), "old").ok());
  fs::create_hard_link(at("file"), at("twin"));
  EXPECT_EQ(files_->info(at("file"))->hard_links, 2U);
  ASSERT_TRUE(files_->replace(at("file"), "new").ok());
  EXPECT_EQ(*files_->read(at("twin"), k_plenty), "old");
}

TEST_F(PosixFiles, ReadsFilesThatDoNotKnowTheirSize) {
  if (!fs::exists("/proc/self/status")) GTEST_SKIP() << "needs /proc";
  const auto status = files_->read("/proc/self/status", k_plenty);
  ASSERT_TRUE(status.ok());
  EXPECT_NE(status->find("Name:"), std::string::npos);
  EXPECT_EQ(files_->read("/proc/self/status", 10).error().code, ErrorCode::too_large);
}

TEST_F(PosixFiles, DoesNotReserveMemoryForASparseFile) {
  ASSERT_TRUE(files_->replace(at("sparse"), "").ok());
  ASSERT_EQ(::truncate(at("sparse").c_str(), 100LL << 30), 0);
  EXPECT_EQ(files_->read(at("sparse"), k_plenty).error().code, ErrorCode::too_large);
}

TEST_F(PosixFiles, NeverOpensDevices) {
  for (const char* device : {"/dev/zero", "/dev/null", "/dev/tty"}) {
    EXPECT_EQ(files_->read(device, k_plenty).error().code, ErrorCode::invalid_argument) << device;
  }
}

// What Read and Edit do: a path is judged, then opened, while somebody exchanges a directory on the
// way for a link that leads out.
TEST_F(PosixFiles, ASwappedDirectoryLeadsNowhere) {
  // F-12
  ASSERT_TRUE(files_->create_directories(at("in/dir")).ok());
  ASSERT_TRUE(files_->create_directories(at("out")).ok());
  ASSERT_TRUE(files_->replace(at("in/dir/file"), "inside").ok());
  ASSERT_TRUE(files_->replace(at("out/file"), "secret").ok());
  fs::create_symlink(at("out"), at("in/link"));
  std::atomic<bool> done = false;
  std::thread swapper([&] {
    const auto exchange = [&](const char* from, const char* to) {
      return ::rename(at(from).c_str(), at(to).c_str());
    };
    while (!done) {
      exchange("in/dir", "in/aside");
      exchange("in/link", "in/dir");
      exchange("in/dir", "in/link");
      exchange("in/aside", "in/dir");
    }
  });
  int opened = 0;
  for (int i = 0; i < 10'000; ++i) {
    for (const auto way : {platform::OpenWay::best, platform::OpenWay::step_by_step}) {
      const auto file = platform::open_resolved(at("in/dir/file"), O_RDONLY, way);
      std::array<char, 16> buffer{};
      const ssize_t got = file.is_open() ? ::read(file.get(), buffer.data(), buffer.size()) : -1;
      if (got < 0) continue;
      ++opened;
      ASSERT_EQ(std::string(buffer.data(), static_cast<std::size_t>(got)), "inside");
    }
    if (i % 10 != 0) continue;
    [[maybe_unused]] const auto file = files_->open_real(at("in/dir/file"));
    [[maybe_unused]] const auto written =
        files_->replace_real(at("in/dir/file"), "inside", {.new_directories = 5});
  }
  done = true;
  swapper.join();
  EXPECT_GT(opened, 0);
  EXPECT_EQ(*files_->read(at("out/file"), k_plenty), "secret");
  EXPECT_EQ(files_->list(at("out"))->size(), 1U) << "nothing was written outside";
}

TEST_F(PosixFiles, RefusesALinkThatAppearedAfterTheDecision) {
  ASSERT_TRUE(files_->create_directories(at("real")).ok());
  ASSERT_TRUE(files_->replace(at("real/file"), "x").ok());
  fs::create_directory_symlink(at("real"), at("link"));
  fs::create_symlink(at("real/file"), at("file"));
  for (const auto way : {platform::OpenWay::best, platform::OpenWay::step_by_step}) {
    for (const char* name : {"link/file", "file"}) {
      EXPECT_FALSE(platform::open_resolved(at(name), O_RDONLY, way).is_open()) << name;
      EXPECT_EQ(errno, ELOOP) << name;
    }
    EXPECT_TRUE(platform::open_resolved(at("real/file"), O_RDONLY, way).is_open());
  }
  for (const char* name : {"link/file", "file", "link/new/deep"}) {
    EXPECT_EQ(files_->replace_real(at(name), "y", {.new_directories = 5}).error().code,
              ErrorCode::permission_denied)
        << name;
  }
  EXPECT_EQ(*files_->read(at("real/file"), k_plenty), "x");
}

TEST_F(PosixFiles, RemovesTheTemporaryFilesOfKilledProcesses) {
  // F-17
  const fs::path stray = at(".yume-0123456789abcdef.tmp");
  const fs::path in_use = at(".yume-fedcba9876543210.tmp");
  const fs::path not_ours = at(".yume-notes.tmp");
  for (const fs::path& path : {stray, in_use, not_ours}) std::ofstream(path) << "x";
  const int held = ::open(in_use.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  ASSERT_TRUE(files_->replace(at("file"), "x").ok());
  ::close(held);
  EXPECT_FALSE(fs::exists(stray));
  EXPECT_TRUE(fs::exists(in_use)) << "somebody is writing it";
  EXPECT_TRUE(fs::exists(not_ours));
}

TEST_F(PosixFiles, WritesInPlaceWhereNothingCanBeRenamed) {
  // F-20: a directory that may not be changed, with a file in it that may.
  if (::getuid() != 0) GTEST_SKIP() << "needs root";
  ASSERT_TRUE(files_->create_directories(at("closed")).ok());
  ASSERT_TRUE(files_->create_directories(at("backups")).ok());
  ASSERT_TRUE(files_->replace(at("closed/file"), "old and longer").ok());
  ASSERT_EQ(::chmod(at("closed/file").c_str(), 0666), 0);
  ASSERT_EQ(::chmod(at("backups").c_str(), 0777), 0);
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0755), 0);
  const auto inode = files_->info(at("closed/file"))->inode;
  EXPECT_EQ(test::exit_code_of([&] {
              if (::setuid(k_nobody) != 0) return 1;
              if (files_->replace_real(at("closed/file"), "new", {}).ok()) return 2;
              const auto replaced =
                  files_->replace_real(at("closed/file"), "new", {.backups = at("backups")});
              if (!replaced.ok() || replaced->backup.empty()) return 3;
              return *files_->read(replaced->backup, k_plenty) == "old and longer" ? 0 : 4;
            }),
            0);
  EXPECT_EQ(*files_->read(at("closed/file"), k_plenty), "new");
  EXPECT_EQ(files_->info(at("closed/file"))->inode, inode);
}

TEST_F(PosixFiles, TellsOfHardLinksThatKeepTheOldBytes) {
  // F-20
  ASSERT_TRUE(files_->replace(at("file"), "old").ok());
  fs::create_hard_link(at("file"), at("twin"));
  EXPECT_EQ(files_->replace_real(at("file"), "new", {})->other_names, 1U);
  EXPECT_EQ(files_->replace_real(at("file"), "new", {})->other_names, 0U);
}

TEST_F(PosixFiles, MakesOnlySoManyDirectories) {
  // T-07
  fs::path deep = directory_.path();
  for (int i = 0; i < 1000; ++i) deep /= "d";
  EXPECT_EQ(
      files_->replace_real(deep / "file", "x", {.new_directories = 100}).error().message,
      "cannot write " + (deep / "file").string() + ": too many directories would have to be made");
  EXPECT_EQ(count_entries(), 0U);
  EXPECT_TRUE(files_->replace_real(at("a/b/c/file"), "x", {.new_directories = 100}).ok());
  EXPECT_EQ(files_->replace_real(at(std::string(256, 'n') + "/f"), "x", {.new_directories = 1})
                .error()
                .code,
            ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace yume
