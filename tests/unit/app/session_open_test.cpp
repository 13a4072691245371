// SPDX-License-Identifier: MIT
#include "app/session_open.h"

#include <gtest/gtest.h>

#include <fstream>

#include "platform/append_file.h"
#include "session/alias_book.h"
#include "session/session_paths.h"
#include "support/fake_clock.h"
#include "support/temporary_directory.h"

namespace yume::app {
namespace {

namespace fs = std::filesystem;

const std::string k_alias = "syn_0123456789abcdef012345";

struct Scene {
  test::TemporaryDirectory directory;
  std::unique_ptr<platform::FileSystem> files = platform::make_system_file_system();
  test::FakeClock clock;
  platform::Environment environment;
  fs::path root = directory.path() / ".yume";
  fs::path cwd = directory.path() / "work";
  Options options;

  Scene() {
    environment.home = directory.path();
    environment.cwd = cwd;
    options.has_provider = true;
    options.session.resume_id = k_alias;
  }
  fs::path session(const std::string& id, int age_seconds) const {
    const fs::path file = session::session_file(root, cwd, id);
    fs::create_directories(file.parent_path());
    std::ofstream(file) << R"({"type":"user","uuid":"u","parentUuid":null,"message":)"
                        << R"({"role":"user","content":"of )" << id << "\"}}\n";
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::seconds(age_seconds));
    return file;
  }
  Result<session::OpenedSession> open() {
    const SessionWorld world{.files = *files, .environment = environment, .clock = clock};
    return open_session(options, make_session_store(options, cwd, world), world);
  }
  session::AliasBook book() const { return {session::views_folder(root), clock}; }
};

std::unique_ptr<platform::AppendFile> lock(const fs::path& file) {
  auto opened = platform::open_append_file(
      {.path = file, .purpose = platform::OpenFor::appending, .judge_tail = [](auto) {
         return platform::Tail::whole;
       }});
  EXPECT_TRUE(opened.ok());
  return std::move(opened).value();
}

TEST(SessionOpen, GivesAMadeUpIdTheNewestSession) {
  Scene scene;
  scene.session("old", 100);
  scene.session("new", 10);
  const auto opened = scene.open();
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->id, "new");
  EXPECT_EQ(scene.book().find(k_alias), "new");
}

TEST(SessionOpen, PassesOverASessionThatRunsOn) {
  Scene scene;
  scene.session("old", 100);
  const auto running = lock(scene.session("new", 10));
  const auto opened = scene.open();
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->id, "old");
}

TEST(SessionOpen, BeginsAnewWhenAllSessionsRunOn) {
  Scene scene;
  const auto running = lock(scene.session("new", 10));
  const auto opened = scene.open();
  ASSERT_TRUE(opened.ok());
  EXPECT_NE(opened->id, "new");
  EXPECT_EQ(scene.book().find(k_alias), opened->id) << "the next turn must find it";
}

TEST(SessionOpen, ChoosesAgainWhenTheNamedSessionIsGone) {
  Scene scene;
  scene.session("old", 100);
  ASSERT_TRUE(scene.book().bind(k_alias, "deleted").ok());
  const auto opened = scene.open();
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->id, "old");
  EXPECT_EQ(scene.book().find(k_alias), "old");
}

TEST(SessionOpen, NamesNothingThatIsNotKept) {
  Scene scene;
  scene.options.session.persisted = false;
  ASSERT_TRUE(scene.open().ok());
  EXPECT_EQ(scene.book().find(k_alias), std::nullopt);
}

TEST(SessionOpen, GoesOnWithoutANameThatCannotBeKept) {
  Scene scene;
  fs::create_directories(scene.root);
  std::ofstream(scene.root / "sessions") << "a file where a folder should be";
  const auto opened = scene.open();
  ASSERT_TRUE(opened.ok());
  ASSERT_EQ(opened->notices.size(), 1U);
  EXPECT_NE(opened->notices[0].find(k_alias), std::string::npos);
}

}  // namespace
}  // namespace yume::app
