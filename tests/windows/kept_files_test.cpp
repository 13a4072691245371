// SPDX-License-Identifier: MIT
// What sessions and credentials are kept in on Windows: files that are only added to, locks,
// folders for this user alone.
#include <gtest/gtest.h>
#include <windows.h>

#include <chrono>
#include <string>

#include "platform/access.h"
#include "platform/append_file.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "platform/kept_files.h"
#include "platform/private_store.h"
#include "util/path_text.h"
#include "windows/scratch.h"

namespace yume {
namespace {

using namespace std::chrono_literals;
using platform::Durability;
using platform::OpenFor;
using platform::Tail;
using test::Scratch;

auto open_session(const std::filesystem::path& path, OpenFor purpose, Tail tail = Tail::torn) {
  return platform::open_append_file({.path = path,
                                     .purpose = purpose,
                                     .classify_tail = [tail](std::string_view) { return tail; }});
}

TEST(WindowsKeptFiles, AppendsCutsBackAndLocks) {
  const Scratch scratch;
  const auto path = scratch / "new" / "session.jsonl";
  {
    auto file = open_session(path, OpenFor::creating);
    ASSERT_TRUE(file.ok()) << file.error().message;
    ASSERT_TRUE((*file)->append("one\n").ok());
    ASSERT_TRUE((*file)->append("torn").ok());
    ASSERT_TRUE((*file)->sync().ok());
    EXPECT_TRUE(platform::is_locked(path));
    const auto second = open_session(path, OpenFor::appending);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, ErrorCode::busy);
    const std::int64_t us = ::GetCurrentProcessId();
    EXPECT_EQ(second.error().message, to_utf8(path) + " is open in process " + std::to_string(us));
    EXPECT_EQ(platform::lock_holder(path), us);
    EXPECT_EQ(platform::lock_holder(path.parent_path() / "SESSION.jsonl"), us)
        << "a file has one identity";
    EXPECT_EQ(*platform::read_part(path, 4, 100), "torn") << "others can read it meanwhile";
  }
  EXPECT_FALSE(platform::is_locked(path));
  EXPECT_EQ(platform::lock_holder(path), std::nullopt);
  EXPECT_EQ(platform::lock_holder(scratch / "none"), std::nullopt);
  EXPECT_EQ(open_session(path, OpenFor::creating).error().code, ErrorCode::invalid_argument);
  {
    const auto file = open_session(path, OpenFor::appending);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ((*file)->size(), 4U);
    ASSERT_TRUE((*file)->append("two").ok());
  }
  const auto file = open_session(path, OpenFor::appending, Tail::whole);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(*platform::read_part(path, 0, 100), "one\ntwo\n");
  EXPECT_EQ(open_session(scratch / "none", OpenFor::appending).error().code, ErrorCode::not_found);
}

TEST(WindowsKeptFiles, LocksAmongThreadsAndReplaces) {
  const Scratch scratch;
  const platform::SystemClock clock;
  {
    const auto lock = platform::lock_file(scratch / "lock", 0ms, clock);
    ASSERT_TRUE(lock.ok()) << lock.error().message;
    EXPECT_EQ(platform::lock_file(scratch / "lock", 20ms, clock).error().code, ErrorCode::busy);
  }
  EXPECT_TRUE(platform::lock_file(scratch / "lock", 0ms, clock).ok());
  for (const char* bytes : {"old", "new"}) {
    ASSERT_TRUE(
        platform::replace_private(scratch / "index", bytes, Durability::survives_power_cut).ok());
    EXPECT_EQ(*platform::read_part(scratch / "index", 0, 10), bytes);
  }
  ASSERT_TRUE(platform::rename_file(scratch / "index", scratch / "moved").ok());
  EXPECT_FALSE(platform::read_part(scratch / "index", 0, 10).ok());
  ASSERT_TRUE(platform::make_private_directories(scratch / "a" / "b").ok());
  ASSERT_TRUE(
      platform::replace_private(scratch / "a" / "b" / "c", "x", Durability::survives_kill).ok());
  ASSERT_TRUE(platform::remove_tree(scratch / "a").ok());
  EXPECT_FALSE(std::filesystem::exists(scratch / "a"));
  EXPECT_TRUE(platform::remove_tree(scratch / "a").ok()) << "what is not there is fine";
}

TEST(WindowsKeptFiles, KeepsSecretsForThisUserAlone) {
  const Scratch scratch;
  const auto store = platform::make_private_store({scratch / "yume-cli" / "run"});
  EXPECT_EQ(*store->read("token"), std::nullopt);
  {
    const auto lock = store->lock("token", {});
    ASSERT_TRUE(lock.ok()) << lock.error().message;
    ASSERT_TRUE(store->write("token", "secret").ok());
    ASSERT_TRUE(store->write("token", "secret 2").ok());
  }
  const auto kept = store->read("token");
  ASSERT_TRUE(kept.ok()) << kept.error().message;
  EXPECT_EQ(*kept, "secret 2");
  ASSERT_TRUE(store->remove("token").ok());
  EXPECT_EQ(*store->read("token"), std::nullopt);
}

TEST(WindowsKeptFiles, KnowsWhereItCanWrite) {
  const Scratch scratch;
  EXPECT_TRUE(platform::check_writable_directory(scratch.path()).ok());
  EXPECT_TRUE(platform::check_writable_directory(scratch / "not" / "yet").ok());
  const auto files = platform::make_system_file_system();
  ASSERT_TRUE(files->replace(scratch / "tool.exe", "MZ").ok());
  ASSERT_TRUE(files->replace(scratch / "notes.txt", "x").ok());
  EXPECT_FALSE(platform::check_writable_directory(scratch / "notes.txt").ok());
  EXPECT_TRUE(platform::is_executable_file(scratch / "tool.exe"));
  EXPECT_FALSE(platform::is_executable_file(scratch / "notes.txt"));
  EXPECT_EQ(files->list(scratch.path())->size(), 2U) << "nothing is left behind";
}

TEST(WindowsKeptFiles, ReadsTheEnvironmentWithoutRegardToCase) {
  const platform::Environment environment = platform::read_environment();
  EXPECT_TRUE(environment.get("SystemRoot").has_value());
  EXPECT_EQ(environment.get("systemroot"), environment.get("SYSTEMROOT"));
  EXPECT_TRUE(environment.home.is_absolute()) << to_utf8(environment.home);
  EXPECT_TRUE(environment.executable.is_absolute());
  EXPECT_EQ(to_utf8(environment.executable.filename()), "windows_tests.exe");
  EXPECT_TRUE(environment.os_name.starts_with("Windows ")) << environment.os_name;
}

}  // namespace
}  // namespace yume
