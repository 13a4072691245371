// SPDX-License-Identifier: MIT
#include "session/open_conversation.h"

#include <gtest/gtest.h>

#include <fstream>

#include "platform/append_file.h"
#include "support/fake_clock.h"
#include "support/temporary_directory.h"
#include "transcript/alias_book.h"
#include "transcript/session_paths.h"

namespace yume::session {
namespace {

namespace fs = std::filesystem;

const std::string k_alias = "syn_0123456789abcdef012345";

struct Scene {
  test::TemporaryDirectory directory;
  std::unique_ptr<platform::FileSystem> files = platform::make_system_file_system();
  test::FakeClock clock;
  fs::path root = directory.path() / ".yume";
  fs::path cwd = directory.path() / "work";
  config::SessionChoice choice{.host = config::HostKind::yume, .resume_id = k_alias};

  fs::path session(const std::string& id, int age_seconds) const {
    const fs::path file = transcript::session_file(root, cwd, id);
    fs::create_directories(file.parent_path());
    std::ofstream(file) << R"({"type":"user","uuid":"u","parentUuid":null,"message":)"
                        << R"({"role":"user","content":"of )" << id << "\"}}\n";
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::seconds(age_seconds));
    return file;
  }
  Result<transcript::OpenedSession> open() {
    const transcript::SessionStore store(
        {.roots = {root, directory.path() / ".claude"}, .cwd = cwd, .version = "1"}, *files, clock);
    return open_conversation(
        choice, store,
        {.files = *files, .clock = clock, .cwd = cwd, .aliases = transcript::views_folder(root)});
  }
  transcript::AliasBook book() const { return {transcript::views_folder(root), clock}; }
};

std::unique_ptr<platform::AppendFile> lock(const fs::path& file) {
  auto opened = platform::open_append_file(
      {.path = file, .purpose = platform::OpenFor::appending, .classify_tail = [](auto) {
         return platform::Tail::whole;
       }});
  EXPECT_TRUE(opened.ok());
  return std::move(opened).value();
}

TEST(OpenConversation, GivesAMadeUpIdTheNewestSession) {
  Scene scene;
  scene.session("old", 100);
  scene.session("new", 10);
  const auto opened = scene.open();
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->id, "new");
  EXPECT_EQ(scene.book().find(k_alias), "new");
}

TEST(OpenConversation, PassesOverASessionThatRunsOn) {
  Scene scene;
  scene.session("old", 100);
  const auto running = lock(scene.session("new", 10));
  const auto opened = scene.open();
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->id, "old");
}

TEST(OpenConversation, BeginsAnewWhenAllSessionsRunOn) {
  Scene scene;
  const auto running = lock(scene.session("new", 10));
  const auto opened = scene.open();
  ASSERT_TRUE(opened.ok());
  EXPECT_NE(opened->id, "new");
  EXPECT_EQ(scene.book().find(k_alias), opened->id) << "the next turn must find it";
}

TEST(OpenConversation, ChoosesAgainWhenTheNamedSessionIsGone) {
  Scene scene;
  scene.session("old", 100);
  ASSERT_TRUE(scene.book().bind(k_alias, "deleted").ok());
  const auto opened = scene.open();
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->id, "old");
  EXPECT_EQ(scene.book().find(k_alias), "old");
}

TEST(OpenConversation, NamesNothingThatIsNotKept) {
  Scene scene;
  scene.choice.persisted = false;
  ASSERT_TRUE(scene.open().ok());
  EXPECT_EQ(scene.book().find(k_alias), std::nullopt);
}

TEST(OpenConversation, GoesOnWithoutANameThatCannotBeKept) {
  Scene scene;
  fs::create_directories(scene.root);
  std::ofstream(scene.root / "sessions") << "a file where a folder should be";
  const auto opened = scene.open();
  ASSERT_TRUE(opened.ok());
  ASSERT_EQ(opened->notices.size(), 1U);
  EXPECT_NE(opened->notices[0].find(k_alias), std::string::npos);
}

}  // namespace
}  // namespace yume::session
