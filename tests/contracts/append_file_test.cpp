// SPDX-License-Identifier: MIT
#include "platform/append_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "platform/file_system.h"
#include "support/temporary_directory.h"

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

struct Scene {
  test::TemporaryDirectory directory;
  std::unique_ptr<FileSystem> files = make_system_file_system();
  fs::path path = directory.path() / "a" / "b.jsonl";
  std::vector<std::string> tails;

  AppendFileSpec spec(OpenFor purpose, Tail verdict = Tail::torn) {
    return {
        .path = path, .purpose = purpose, .classify_tail = [this, verdict](std::string_view tail) {
          tails.emplace_back(tail);
          return verdict;
        }};
  }
  void put(std::string_view bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  std::string content() { return *files->read(path, 1U << 20U); }
};

TEST(AppendFile, AddsLinesToANewFileThatOnlyItsOwnerCanRead) {
  Scene scene;
  auto file = open_append_file(scene.spec(OpenFor::creating));
  ASSERT_TRUE(file.ok()) << file.error().message;
  ASSERT_TRUE((*file)->append("one\n").ok());
  ASSERT_TRUE((*file)->append("two\n").ok());
  ASSERT_TRUE((*file)->sync().ok());
  EXPECT_EQ((*file)->size(), 8U);
  EXPECT_EQ(scene.content(), "one\ntwo\n");
  EXPECT_EQ(fs::status(scene.path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(scene.path.parent_path()).permissions(), fs::perms::owner_all);
}

TEST(AppendFile, RefusesToCreateWhatIsThereAndToOpenWhatIsNot) {
  Scene scene;
  EXPECT_EQ(open_append_file(scene.spec(OpenFor::appending)).error().code, ErrorCode::not_found);
  scene.put("x\n");
  EXPECT_EQ(open_append_file(scene.spec(OpenFor::creating)).error().code,
            ErrorCode::invalid_argument);
}

TEST(AppendFile, CutsATornTailAndShowsItFirst) {
  Scene scene;
  for (const std::size_t torn : {1U, 100U, 70'000U, 200'000U}) {
    scene.tails.clear();
    const std::string tail(torn, 't');
    scene.put("whole\n" + tail);
    auto file = open_append_file(scene.spec(OpenFor::appending));
    ASSERT_TRUE(file.ok()) << file.error().message;
    EXPECT_EQ(scene.tails, std::vector<std::string>{tail});
    ASSERT_TRUE((*file)->append("next\n").ok());
    EXPECT_EQ(scene.content(), "whole\nnext\n");
  }
}

TEST(AppendFile, CompletesALineThatOnlyLacksItsNewline) {
  Scene scene;
  scene.put("one\ntwo");
  auto file = open_append_file(scene.spec(OpenFor::appending, Tail::whole));
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->append("three\n").ok());
  EXPECT_EQ(scene.content(), "one\ntwo\nthree\n");
}

TEST(AppendFile, TakesAFileWithoutAnyNewline) {
  Scene scene;
  scene.put("torn from the start");
  auto file = open_append_file(scene.spec(OpenFor::appending));
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(scene.content(), "");
}

TEST(AppendFile, IsOpenInOneProcessAtATimeAndNamesIt) {
  Scene scene;
  auto first = open_append_file(scene.spec(OpenFor::creating));
  ASSERT_TRUE(first.ok());
  const auto second = open_append_file(scene.spec(OpenFor::appending));
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::busy);
  EXPECT_NE(second.error().message.find("process " + std::to_string(::getpid())), std::string::npos)
      << second.error().message;
  first->reset();
  EXPECT_TRUE(open_append_file(scene.spec(OpenFor::appending)).ok());
}

TEST(AppendFile, IsFreeAgainWhenItsProcessWasKilled) {
  Scene scene;
  scene.put("one\n");
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = open_append_file(scene.spec(OpenFor::appending));
    [[maybe_unused]] const auto told = ::write(ready[1], held.ok() ? "y" : "n", 1);
    for (;;) ::pause();
  }
  char answer = 0;
  ASSERT_EQ(::read(ready[0], &answer, 1), 1);
  ASSERT_EQ(answer, 'y');
  EXPECT_EQ(open_append_file(scene.spec(OpenFor::appending)).error().code, ErrorCode::busy);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(open_append_file(scene.spec(OpenFor::appending)).ok());
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST(AppendFile, RefusesWhatIsNoRegularFile) {
  Scene scene;
  fs::create_directories(scene.path);
  EXPECT_FALSE(open_append_file(scene.spec(OpenFor::appending)).ok());
}

}  // namespace
}  // namespace yume::platform
