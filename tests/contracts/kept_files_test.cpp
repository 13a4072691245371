// SPDX-License-Identifier: MIT
#include "platform/kept_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "platform/append_file.h"
#include "support/forked.h"
#include "support/temporary_directory.h"

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

struct Scene {
  test::TemporaryDirectory directory;
  SystemClock clock;
  fs::path file = directory.path() / "f";

  void put(std::string_view bytes) const { std::ofstream(file, std::ios::binary) << bytes; }
};

TEST(KeptFiles, ReadsPartsUpToTheEnd) {
  const Scene scene;
  scene.put("0123456789");
  EXPECT_EQ(*read_part(scene.file, 0, 4), "0123");
  EXPECT_EQ(*read_part(scene.file, 8, 4), "89");
  EXPECT_EQ(*read_part(scene.file, 20, 4), "");
  EXPECT_EQ(read_part(scene.directory.path() / "x", 0, 1).error().code, ErrorCode::not_found);
  EXPECT_EQ(read_part(scene.directory.path(), 0, 1).error().code, ErrorCode::invalid_argument);
}

TEST(KeptFiles, ReplacesForItsOwnerAloneAndLeavesNothingBeside) {
  for (const auto durability : {Durability::survives_kill, Durability::survives_power_cut}) {
    const Scene scene;
    ASSERT_TRUE(replace_private(scene.file, "one", durability).ok());
    ASSERT_TRUE(replace_private(scene.file, "two", durability).ok());
    EXPECT_EQ(*read_part(scene.file, 0, 10), "two");
    EXPECT_EQ(fs::status(scene.file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
    EXPECT_EQ(std::distance(fs::directory_iterator(scene.directory.path()), {}), 1);
    const fs::path nowhere = scene.directory.path() / "no" / "f";
    EXPECT_EQ(replace_private(nowhere, "x", durability).error().code, ErrorCode::not_found);
  }
}

TEST(KeptFiles, ReplacesInPiecesAndOnlyWhenAllAreThere) {
  const Scene scene;
  scene.put("old");
  {
    const auto fresh = begin_replacing(scene.file);
    ASSERT_TRUE(fresh.ok());
    ASSERT_TRUE((*fresh)->write("one, ").ok());
    ASSERT_TRUE((*fresh)->write("two").ok());
    EXPECT_EQ(*read_part(scene.file, 0, 10), "old");
    ASSERT_TRUE((*fresh)->finish(Durability::survives_kill).ok());
  }
  EXPECT_EQ(*read_part(scene.file, 0, 10), "one, two");
  ASSERT_TRUE((*begin_replacing(scene.file))->write("given up").ok());
  EXPECT_EQ(*read_part(scene.file, 0, 10), "one, two");
  EXPECT_EQ(std::distance(fs::directory_iterator(scene.directory.path()), {}), 1);
}

TEST(KeptFiles, WaitsForALockAndGivesUpInTheEnd) {
  const Scene scene;
  auto held = lock_file(scene.file, std::chrono::milliseconds(0), scene.clock);
  ASSERT_TRUE(held.ok());
  EXPECT_EQ(test::exit_code_of([&] {
              const auto second = lock_file(scene.file, std::chrono::milliseconds(20), scene.clock);
              return second.ok() || second.error().code != ErrorCode::busy ? 1 : 0;
            }),
            0);
  // A forked process would share the lock it waits for.
  bool got_it = false;
  std::thread waiter(
      [&] { got_it = lock_file(scene.file, std::chrono::milliseconds(60'000), scene.clock).ok(); });
  held->reset();
  waiter.join();
  EXPECT_TRUE(got_it);
}

TEST(KeptFiles, TellsWhetherASessionIsOpenElsewhere) {
  const Scene scene;
  EXPECT_FALSE(is_locked(scene.file));
  scene.put("x\n");
  EXPECT_FALSE(is_locked(scene.file));
  auto open = open_append_file({.path = scene.file,
                                .purpose = OpenFor::appending,
                                .classify_tail = [](auto) { return Tail::whole; }});
  ASSERT_TRUE(open.ok());
  EXPECT_EQ(test::exit_code_of([&] { return is_locked(scene.file) ? 0 : 1; }), 0);
  open->reset();
  EXPECT_FALSE(is_locked(scene.file));
}

TEST(KeptFiles, RemovesTreesButDoesNotFollowLinks) {
  const Scene scene;
  const fs::path tree = scene.directory.path() / "tree";
  scene.put("precious");
  fs::create_directories(tree / "a" / "b");
  fs::create_symlink(scene.file, tree / "a" / "link");
  ASSERT_TRUE(remove_tree(tree).ok());
  EXPECT_FALSE(fs::exists(tree));
  EXPECT_TRUE(fs::exists(scene.file));
  EXPECT_TRUE(remove_tree(tree).ok());
}

}  // namespace
}  // namespace yume::platform
