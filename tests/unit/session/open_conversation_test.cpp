// SPDX-License-Identifier: MIT
#include "session/open_conversation.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/fake_clock.h"
#include "support/temporary_directory.h"
#include "transcript/alias_book.h"
#include "transcript/session_index.h"
#include "transcript/session_paths.h"
#include "util/path_text.h"

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
    return open_conversation(choice, store,
                             {.files = *files,
                              .clock = clock,
                              .cwd = cwd,
                              .views = transcript::views_folder(root),
                              .made_by = "process-1-2",
                              .model = "m"});
  }
  // A session in the index, by default one that may be meant.
  struct Maker {
    std::string made_by = "process-1-2";
    std::string model = "m";
    std::string folder = "work";
  };
  fs::path made(const std::string& id, const Maker& maker) const {
    EXPECT_TRUE(transcript::SessionIndex(transcript::views_folder(root), clock)
                    .put({.id = id,
                          .cwd = to_utf8(directory.path() / maker.folder),
                          .model = maker.model,
                          .made_by = maker.made_by})
                    .ok());
    return session(id, 10);
  }
  transcript::AliasBook book() const { return {transcript::views_folder(root), clock}; }
};

TEST(OpenConversation, GivesAMadeUpIdTheOnlySessionThatFits) {
  Scene scene;
  scene.session("unlisted", 1);
  scene.made("of_another_process", {.made_by = "process-1-3"});
  scene.made("of_nobody", {.made_by = ""});
  scene.made("of_another_model", {.model = "n"});
  scene.made("of_another_folder", {.folder = "play"});
  scene.made("meant", {});
  fs::remove(scene.made("deleted", {}));
  ASSERT_TRUE(scene.book().bind("another name", "taken").ok());
  scene.made("taken", {});
  const auto opened = scene.open();
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->id, "meant");
  EXPECT_EQ(opened->notices, std::vector<std::string>());
  EXPECT_EQ(scene.book().find(k_alias), "meant");
}

TEST(OpenConversation, BeginsAnewRatherThanMixTabs) {
  Scene scene;
  scene.made("one", {});
  scene.made("two", {});
  const auto opened = scene.open();
  ASSERT_TRUE(opened.ok());
  EXPECT_TRUE(opened->past.entries.empty());
  EXPECT_EQ(opened->notices,
            std::vector<std::string>{"A new conversation begins: it was asked for as " + k_alias +
                                     ", and 2 conversations of this folder may be meant."});
  EXPECT_EQ(scene.book().find(k_alias), opened->id) << "the next turn must find it";
}

TEST(OpenConversation, ChoosesAgainWhenTheNamedSessionIsGone) {
  Scene scene;
  scene.made("old", {});
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
  ASSERT_EQ(opened->notices.size(), 2U);
  EXPECT_TRUE(opened->notices[1].starts_with("The name " + k_alias + " of this session could not"))
      << opened->notices[1];
}

}  // namespace
}  // namespace yume::session
