// SPDX-License-Identifier: MIT
// The contract of platform::PrivateStore with real files: who may see them, whose are refused, and
// that a lock holds between processes.
#include "platform/private_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "support/forked.h"
#include "support/temporary_directory.h"
#include "util/thread.h"

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0U;
}

struct Scene {
  test::TemporaryDirectory scratch;
  fs::path place = scratch.path() / "yume-cli";
  std::unique_ptr<PrivateStore> store = make_private_store({place});
};

void save(PrivateStore& store, const std::string& name, std::string_view bytes) {
  const auto lock = store.lock(name, CancelToken());
  ASSERT_TRUE(lock.ok()) << lock.error().message;
  const auto written = store.write(name, bytes);
  ASSERT_TRUE(written.ok()) << written.error().message;
}

TEST(PrivateStore, KeepsFilesForThisUserAlone) {
  Scene scene;
  const mode_t before = ::umask(0);
  save(*scene.store, "a.json", "one");
  ::umask(before);
  EXPECT_EQ(mode_of(scene.place), 0700U);
  EXPECT_EQ(mode_of(scene.place / "a.json"), 0600U);
  EXPECT_EQ(mode_of(scene.place / "a.json.lock"), 0600U);
  save(*scene.store, "a.json", "two");
  EXPECT_EQ(**scene.store->read("a.json"), "two");
  EXPECT_FALSE(fs::exists(scene.place / "a.json.new"));
}

TEST(PrivateStore, AnswersNothingForWhatIsNotThere) {
  Scene scene;
  EXPECT_EQ(*scene.store->read("a.json"), std::nullopt);
  EXPECT_TRUE(scene.store->remove("a.json").ok());
  save(*scene.store, "a.json", "one");
  EXPECT_TRUE(scene.store->remove("a.json").ok());
  EXPECT_EQ(*scene.store->read("a.json"), std::nullopt);
}

TEST(PrivateStore, TouchesNothingUntilUsed) {
  const Scene scene;
  EXPECT_FALSE(fs::exists(scene.place));
}

TEST(PrivateStore, RefusesADirectoryThatOthersCanEnter) {
  Scene scene;
  fs::create_directory(scene.place);
  fs::permissions(scene.place, fs::perms(0750));
  const auto lock = scene.store->lock("a.json", CancelToken());
  ASSERT_FALSE(lock.ok());
  EXPECT_EQ(lock.error().code, ErrorCode::permission_denied);
  EXPECT_NE(lock.error().message.find(scene.place.string()), std::string::npos);
  EXPECT_FALSE(scene.store->write("a.json", "secret").ok());
  EXPECT_TRUE(fs::is_empty(scene.place));
}

TEST(PrivateStore, RefusesALinkInPlaceOfTheDirectory) {
  Scene scene;
  const fs::path target = scene.scratch.path() / "target";
  fs::create_directory(target);
  fs::permissions(target, fs::perms(0700));
  fs::create_directory_symlink(target, scene.place);
  EXPECT_FALSE(scene.store->write("a.json", "secret").ok());
  EXPECT_TRUE(fs::is_empty(target));
}

TEST(PrivateStore, RefusesADirectoryOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make one";
  Scene scene;
  fs::create_directory(scene.place);
  fs::permissions(scene.place, fs::perms(0700));
  ASSERT_EQ(::chown(scene.place.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(scene.store->write("a.json", "secret").ok());
  EXPECT_TRUE(fs::is_empty(scene.place));
}

TEST(PrivateStore, RefusesFilesThatMayBeSomebodyElsesDoing) {
  Scene scene;
  save(*scene.store, "a.json", "one");
  fs::permissions(scene.place / "a.json", fs::perms(0644));
  EXPECT_FALSE(scene.store->read("a.json").ok()) << "others may have read it";
  fs::create_symlink("/etc/hostname", scene.place / "link");
  EXPECT_FALSE(scene.store->read("link").ok());
  ASSERT_EQ(::mkfifo((scene.place / "fifo").c_str(), 0600), 0);
  EXPECT_FALSE(scene.store->read("fifo").ok()) << "and without waiting for a writer";
  save(*scene.store, "large", std::string(70'000, 'x'));
  EXPECT_FALSE(scene.store->read("large").ok());
}

TEST(PrivateStore, WritesThroughNoPlantedFile) {
  Scene scene;
  save(*scene.store, "a.json", "one");
  const fs::path victim = scene.scratch.path() / "victim";
  std::ofstream(victim) << "old";
  fs::create_symlink(victim, scene.place / "a.json.new");
  save(*scene.store, "a.json", "two");
  EXPECT_EQ(fs::file_size(victim), 3U);
  EXPECT_EQ(**scene.store->read("a.json"), "two");
}

TEST(PrivateStore, TakesTheNextDirectoryWhenOneCannotBeUsed) {
  const Scene scene;
  const auto store = make_private_store({"/nowhere/at/all", scene.place});
  save(*store, "a.json", "one");
  EXPECT_EQ(**scene.store->read("a.json"), "one");
}

TEST(PrivateStore, HoldsALockBetweenProcesses) {
  Scene scene;
  int go[2];
  int started[2];
  ASSERT_EQ(::pipe(go), 0);
  ASSERT_EQ(::pipe(started), 0);
  // Forked before the lock is taken: a fork would hold it, too.
  test::Forked other([&] {
    char byte = 0;
    [[maybe_unused]] const auto got = ::read(go[0], &byte, 1);
    [[maybe_unused]] const auto told = ::write(started[1], "s", 1);
    const auto mine = scene.store->lock("a.json", CancelToken());
    // Only the first process writes this, and only while it holds the lock.
    const auto seen = scene.store->read("a.json");
    return mine.ok() && seen.ok() && *seen == "done" ? 0 : 1;
  });
  auto lock = scene.store->lock("a.json", CancelToken());
  ASSERT_TRUE(lock.ok());
  char byte = 0;
  ASSERT_EQ(::write(go[1], "g", 1), 1);
  ASSERT_EQ(::read(started[0], &byte, 1), 1);
  ASSERT_TRUE(scene.store->write("a.json", "done").ok());
  lock = Error{};
  EXPECT_EQ(other.wait(), 0);
  for (const int fd : {go[0], go[1], started[0], started[1]}) ::close(fd);
}

TEST(PrivateStore, FreesTheLockOfAProcessThatWasKilled) {
  Scene scene;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  test::Forked other([&] {
    const auto mine = scene.store->lock("a.json", CancelToken());
    [[maybe_unused]] const auto told = ::write(ends[1], "l", 1);
    for (;;) ::pause();
    return mine.ok() ? 0 : 1;
  });
  char locked = 0;
  ASSERT_EQ(::read(ends[0], &locked, 1), 1);
  other.kill(SIGKILL);
  EXPECT_TRUE(scene.store->lock("a.json", CancelToken()).ok());
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(PrivateStore, GivesUpWaitingWhenCancelled) {
  Scene scene;
  const auto held = scene.store->lock("a.json", CancelToken());
  CancelSource cancel;
  Thread canceller([&cancel] { cancel.request_stop(); });
  const auto second = scene.store->lock("a.json", cancel.get_token());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::cancelled);
}

TEST(PrivateStore, LivesInTheUsersRuntimeDirectory) {
  Environment environment;
  environment.variables["XDG_RUNTIME_DIR"] = "/run/user/7";
  const std::string fallback = "/tmp/yume-cli-" + std::to_string(::geteuid());
  EXPECT_EQ(private_directories(environment),
            (std::vector<fs::path>{"/run/user/7/yume-cli", fallback}));
  environment.variables["XDG_RUNTIME_DIR"] = "relative";
  EXPECT_EQ(private_directories(environment), std::vector<fs::path>{fallback});
}

}  // namespace
}  // namespace yume::platform
