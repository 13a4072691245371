// SPDX-License-Identifier: MIT
#include "app/settings.h"

#include "app/model_choice.h"
#include "support/memory_file_system.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace yume::app {
namespace {

platform::Environment environment_with(std::map<std::string, std::string, std::less<>> variables) {
  platform::Environment environment;
  environment.variables = std::move(variables);
  environment.home = "/home/u";
  environment.cwd = "/project";
  return environment;
}

TEST(Settings, LieInTheHomeOrWhereTheVariableSays) {
  EXPECT_EQ(settings_file(environment_with({})), "/home/u/.yume/settings.json");
  EXPECT_EQ(settings_file(environment_with({{"YUME_CONFIG_DIR", "/etc/yume"}})),
            "/etc/yume/settings.json");
  EXPECT_EQ(settings_file(environment_with({{"YUME_CONFIG_DIR", "conf"}})),
            "/project/conf/settings.json");
  EXPECT_EQ(settings_file({}), "");
}

TEST(Settings, AreEmptyWithoutAFile) {
  const test::MemoryFileSystem files;
  const auto settings = read_settings(files, environment_with({}));
  ASSERT_TRUE(settings.ok());
  EXPECT_TRUE(settings->model_map.empty());
  EXPECT_FALSE(settings->catalog);
  EXPECT_TRUE(read_settings(files, {}).ok());
}

TEST(Settings, ReadMapAndModelsAndLeaveOtherKeysAlone) {
  test::MemoryFileSystem files;
  files.add_file("/home/u/.yume/settings.json",
                 R"({"theme":{"dark":true},"modelMap":{"Sonnet":"house","haiku":"flash"},
                     "models":[{"id":"house","window":4096}]})");
  const auto settings = read_settings(files, environment_with({}));
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  EXPECT_EQ(settings->model_map, (gemini::ModelMap{{"sonnet", "house"}, {"haiku", "flash"}}));
  ASSERT_TRUE(settings->catalog);
  EXPECT_EQ(settings->catalog->info("house").context_window, 4'096);
}

TEST(Settings, NameFileKeyAndReasonOfAMistake) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "not JSON at byte 1"},
      {"[]", "not a JSON object"},
      {R"({"modelMap":[]})", "modelMap is not an object"},
      {R"({"modelMap":{"sonnet":5}})", "modelMap.sonnet is not a string"},
      {R"({"modelMap":{"sonnet":" "}})", "modelMap.sonnet is not a model's name"},
      {R"({"modelMap":{"a,b":"c"}})", "modelMap.a,b is not a model's name"},
      {R"({"models":{}})", "models: not a list of rows"},
      {R"({"models":[{"id":"m","window":-1}]})",
       "models: row 1 (m): window is not a whole number from 1 to 1000000000"},
  };
  for (const auto& [text, reason] : cases) {
    test::MemoryFileSystem files;
    files.add_file("/home/u/.yume/settings.json", text);
    const auto settings = read_settings(files, environment_with({}));
    ASSERT_FALSE(settings.ok()) << text;
    EXPECT_EQ(settings.error().message, "/home/u/.yume/settings.json: " + reason);
  }
}

TEST(Settings, ThatCannotBeReadAreAnError) {
  test::MemoryFileSystem files;
  files.add_other("/home/u/.yume/settings.json");
  const auto settings = read_settings(files, environment_with({}));
  ASSERT_FALSE(settings.ok());
  EXPECT_NE(settings.error().message.find("/home/u/.yume/settings.json"), std::string::npos);
}

TEST(Settings, OfTheCommandLineGoOverThoseOfTheFile) {
  test::MemoryFileSystem files;
  const std::string hook = R"("hooks":{"PreCompact":[{"hooks":[{"type":"command","command":)";
  files.add_file("/home/u/.yume/settings.json",
                 R"({"modelMap":{"sonnet":"one","opus":"two"},"compactThreshold":0.5,)" + hook +
                     R"("first"}]}]}})");
  const std::string more = R"( {"modelMap":{"sonnet":"three"},)" + hook + R"("second"}]}]}})";
  files.add_file("/project/more.json", more);
  platform::Environment environment = environment_with({});
  environment.cwd = "/project";
  for (const std::string& added :
       {more, std::string("more.json"), std::string("/project/more.json")}) {
    const auto settings = read_settings(files, environment, {.added = added});
    ASSERT_TRUE(settings.ok()) << settings.error().message;
    EXPECT_EQ(settings->model_map, (gemini::ModelMap{{"sonnet", "three"}, {"opus", "two"}}));
    EXPECT_EQ(settings->compact_threshold, 0.5);
    ASSERT_EQ(settings->hooks.pre_compact.size(), 2U);
    EXPECT_EQ(settings->hooks.pre_compact[0].command, "first");
    EXPECT_EQ(settings->hooks.pre_compact[1].command, "second");
  }
  const auto isolated = read_settings(files, environment, {.added = more, .user_hooks = false});
  ASSERT_TRUE(isolated.ok());
  ASSERT_EQ(isolated->hooks.pre_compact.size(), 1U);
  EXPECT_EQ(isolated->hooks.pre_compact[0].command, "second");
  EXPECT_EQ(read_settings(files, environment, {.added = " "})->model_map.size(), 2U);
  const auto message = [&](const std::string& added) {
    const auto settings = read_settings(files, environment, {.added = added});
    return settings.ok() ? std::string("none") : settings.error().message;
  };
  EXPECT_EQ(message("none.json"), "Settings file not found: /project/none.json");
  EXPECT_EQ(message(R"({"hooks":[]})"), "--settings: hooks is not an object");
  EXPECT_EQ(message(R"({"hooks":)").find("--settings: "), 0U);
}

TEST(ModelChoice, LetsTheCommandLineWinOverTheSettings) {
  const auto settings = parse_settings(
      R"({"modelMap":{"sonnet":"house","opus":"house"},"models":[{"id":"house","output":10}]})");
  ASSERT_TRUE(settings.ok());
  const ModelChoice models(*settings, {{"sonnet", "gemini-4-argon"}});
  const platform::WallTime january = std::chrono::sys_days(std::chrono::year(2027) / 1 / 1);
  const gemini::ModelInfo sonnet = models.choose("claude-sonnet-4-5", january);
  EXPECT_EQ(sonnet.id, "gemini-4-argon");
  EXPECT_EQ(sonnet.prices.at(0).price.input, 4);
  EXPECT_EQ(models.choose("opus", january).id, "house");
  EXPECT_EQ(models.choose("opus", january).max_output_tokens, 10);
  EXPECT_EQ(models.choose("haiku", january).id, "gemini-3.5-flash-lite");
}

}  // namespace
}  // namespace yume::app
