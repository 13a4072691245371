// SPDX-License-Identifier: MIT
#include "app/kept_permissions.h"

#include <gtest/gtest.h>

#include <string>

#include "app/trust.h"
#include "support/fake_clock.h"
#include "support/temporary_directory.h"

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using core::PermissionMode;
using core::UpdateDestination;

struct Scene {
  Scene() {
    fs::create_directories(work);
    environment.home = work.parent_path() / "home";
    fs::create_directories(environment.home);
  }

  std::string keep(const core::PermissionUpdate& update) {
    const auto kept = KeptPermissions(work, *files, environment, clock).keep(update);
    return kept.ok() ? "kept" : kept.error().message;
  }
  std::string text(const fs::path& path) const {
    const auto read = files->read(path, 10'000);
    return read.ok() ? *read : "none";
  }
  static core::RulesUpdate rule(const char* text, UpdateDestination where) {
    return {.rules = {text}, .destination = where};
  }

  test::TemporaryDirectory directory;
  fs::path work = fs::canonical(directory.path()) / "work";
  platform::Environment environment;
  std::unique_ptr<platform::FileSystem> files = platform::make_system_file_system();
  test::FakeClock clock;
};

TEST(KeptPermissions, AreWrittenWhereTheyBelong) {
  Scene scene;
  EXPECT_EQ(scene.keep(Scene::rule("Bash(a)", UpdateDestination::session)), "kept");
  EXPECT_FALSE(fs::exists(scene.work / ".yume")) << "for this session only";
  EXPECT_EQ(scene.keep(Scene::rule("Bash(b)", UpdateDestination::user_settings)), "kept");
  EXPECT_NE(scene.text(scene.environment.home / ".yume/settings.json").find("Bash(b)"),
            std::string::npos);
  EXPECT_EQ(scene.keep(Scene::rule("Bash(c)", UpdateDestination::project_settings)), "kept");
  EXPECT_NE(scene.text(scene.work / ".yume/settings.json").find("Bash(c)"), std::string::npos);
  EXPECT_EQ(scene.keep(Scene::rule("Bash(d)", UpdateDestination::local_settings)), "kept");
  EXPECT_NE(scene.text(scene.work / ".yume/settings.local.json").find("Bash(d)"),
            std::string::npos);
}

TEST(KeptPermissions, KeepAFolderTrustedThatHadNothingElse) {
  Scene scene;
  EXPECT_EQ(scene.keep(Scene::rule("Bash(a)", UpdateDestination::local_settings)), "kept");
  const TrustStore trust(*scene.files, scene.environment);
  EXPECT_TRUE(trust.all().contains(scene.work.string()));
  EXPECT_EQ(scene.keep(Scene::rule("Bash(b)", UpdateDestination::local_settings)), "kept");
}

TEST(KeptPermissions, MakeNoFolderTrustedThatWasNot) {
  Scene scene;
  fs::create_directories(scene.work / ".yume");
  const std::string grants = "{\"permissions\":{\"allow\":[\"Bash(curl:*)\"]}}";
  ASSERT_TRUE(scene.files->replace(scene.work / ".yume/settings.json", grants).ok());
  EXPECT_EQ(scene.keep(Scene::rule("Bash(a)", UpdateDestination::local_settings)),
            "this folder's settings are not trusted; run yume-cli trust");
  EXPECT_TRUE(TrustStore(*scene.files, scene.environment).all().empty());
  core::RulesUpdate denial = Scene::rule("Bash(b)", UpdateDestination::local_settings);
  denial.effect = "deny";
  EXPECT_EQ(scene.keep(denial), "kept") << "which needs no trust";
}

TEST(KeptPermissions, NoFileRaisesTheModeByItself) {
  Scene scene;
  const auto mode = [&](PermissionMode wanted, UpdateDestination where) {
    return scene.keep(core::ModeUpdate{.mode = wanted, .destination = where});
  };
  EXPECT_NE(mode(PermissionMode::bypass, UpdateDestination::user_settings), "kept");
  EXPECT_NE(mode(PermissionMode::accept_edits, UpdateDestination::local_settings), "kept");
  EXPECT_EQ(mode(PermissionMode::accept_edits, UpdateDestination::user_settings), "kept");
  EXPECT_EQ(mode(PermissionMode::plan, UpdateDestination::project_settings), "kept");
}

}  // namespace
}  // namespace yume::app
