// SPDX-License-Identifier: MIT
#include "config/settings_stack.h"

#include "app/model_choice.h"
#include "config/places.h"
#include "support/key_orders.h"
#include "support/memory_file_system.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace yume::config {
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
  EXPECT_TRUE(settings->model_map().empty());
  EXPECT_FALSE(settings->catalog());
  EXPECT_TRUE(read_settings(files, {}).ok());
}

TEST(Settings, ReadMapAndModelsAndLeaveOtherKeysAlone) {
  test::MemoryFileSystem files;
  files.add_file("/home/u/.yume/settings.json",
                 R"({"theme":{"dark":true},"modelMap":{"Sonnet":"house","haiku":"flash"},
                     "models":[{"id":"house","window":4096}]})");
  const auto settings = read_settings(files, environment_with({}));
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  EXPECT_EQ(settings->model_map(), (gemini::ModelMap{{"sonnet", "house"}, {"haiku", "flash"}}));
  ASSERT_TRUE(settings->catalog());
  EXPECT_EQ(settings->catalog()->info("house").context_window, 4'096);
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
      {R"({"model":""})", "model is not a model's name, such as \"gemini-pro\" or \"sonnet\""},
      {R"({"model":5})", "model is not a model's name, such as \"gemini-pro\" or \"sonnet\""},
      {R"({"gcloudPath":"bin/gcloud"})", "gcloudPath is not the absolute path of a program"},
      {R"({"gcloudPath":true})", "gcloudPath is not the absolute path of a program"},
      {R"({"liveText":"sometimes"})",
       "liveText is not on, off or a number of milliseconds up to 60000"},
      {R"({"liveText":60001})", "liveText is not on, off or a number of milliseconds up to 60000"},
      {R"({"liveText":-1})", "liveText is not on, off or a number of milliseconds up to 60000"},
      {R"({"maxMessageSize":"lots"})",
       "maxMessageSize is not a size between 1K and 1G, such as \"64M\""},
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

TEST(Settings, ShowTheirDialectEvenWhenTheyCannotBeRead) {
  const std::vector<std::pair<std::string, std::optional<std::string>>> cases = {
      {R"({"dialect":"yume-app","model":""})", "yume-app"},
      {"{ \"dialect\" :\n \"yume-app\" \"model\"", "yume-app"},
      {R"({"model":"dialect","dialect":"yume"},)", "yume"},
      {R"({"dialect":)", std::nullopt},
      {R"({"dialect":{"a":1)", std::nullopt},
      {R"({"dialects":"yume-app"})", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& [text, dialect] : cases) EXPECT_EQ(find_dialect(text), dialect) << text;
}

TEST(Settings, ShowTheDialectOfTheNearestText) {
  test::MemoryFileSystem files;
  const auto find = [&files](const std::optional<std::string>& added) {
    return find_dialect(files, environment_with({}), {.added = added});
  };
  EXPECT_EQ(find(std::nullopt), std::nullopt);
  files.add_file("/home/u/.yume/settings.json", R"({"dialect":"yume-app",)");
  files.add_file("/project/more.json", R"({"dialect":"claude",)");
  EXPECT_EQ(find(std::nullopt), "yume-app");
  EXPECT_EQ(find("more.json"), "claude");
  EXPECT_EQ(find(R"({"dialect":"yume",)"), "yume");
  EXPECT_EQ(find(R"({"model":)"), "yume-app");
  EXPECT_EQ(find("missing.json"), "yume-app");
}

TEST(Settings, SayWhetherTextsAreShownWhileTheyGrow) {
  const LiveText on{};
  const LiveText off{.on = false};
  const LiveText slow{.gap = std::chrono::milliseconds(250)};
  const std::vector<std::pair<std::string, LiveText>> cases = {
      {"true", on},     {"\"on\"", on}, {"false", off},
      {"\"off\"", off}, {"250", slow},  {"\"250\"", slow},
  };
  for (const auto& [value, wanted] : cases) {
    const auto settings = parse_settings(R"({"liveText":)" + value + "}");
    ASSERT_TRUE(settings.ok()) << value;
    EXPECT_EQ(settings->live_text, wanted) << value;
  }
  EXPECT_EQ(parse_settings("{}")->live_text, std::nullopt);
}

TEST(Settings, AreTheSameWhateverTheOrderOfMembers) {
  const std::string text =
      R"({"compactThreshold":0.5,"model":"opus","gcloudPath":"/g","modelMap":{"opus":"a","sonnet":"b"},)"
      R"("models":[{"id":"house","window":4096}],"hooks":{"PreCompact":[{"matcher":"auto",)"
      R"("hooks":[{"type":"command","command":"c","timeout":2,"onFailure":"block"}]}]}})";
  for (const std::string& order : test::key_orders(text)) {
    const auto parsed = parse_settings(order);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    EXPECT_EQ(parsed->compact_threshold, 0.5) << order;
    EXPECT_EQ(parsed->model, "opus") << order;
    EXPECT_EQ(parsed->gcloud_path, "/g") << order;
    const SettingsStack settings({{{}, *parsed}});
    EXPECT_EQ(settings.model_map(), (gemini::ModelMap{{"opus", "a"}, {"sonnet", "b"}})) << order;
    EXPECT_EQ(settings.catalog()->info("house").context_window, 4'096) << order;
    ASSERT_EQ(settings.hooks().commands[core::HookEvent::pre_compact].size(), 1U) << order;
    const hooks::CommandHook hook = settings.hooks().commands[core::HookEvent::pre_compact][0];
    EXPECT_EQ(hook.command, "c") << order;
    EXPECT_EQ(hook.timeout, std::chrono::seconds(2)) << order;
    EXPECT_EQ(hook.on_failure, core::OnHookFailure::block) << order;
    EXPECT_FALSE(hook.matcher.matches("manual")) << order;
  }
}

TEST(Settings, OfTheCommandLineGoOverThoseOfTheFile) {
  test::MemoryFileSystem files;
  const std::string hook = R"("hooks":{"PreCompact":[{"hooks":[{"type":"command","command":)";
  files.add_file("/home/u/.yume/settings.json",
                 R"({"modelMap":{"sonnet":"one","opus":"two"},"compactThreshold":0.5,)"
                 R"("maxMessageSize":"64M",)" +
                     hook + R"("first"}]}]}})");
  const std::string more = R"( {"modelMap":{"sonnet":"three"},)" + hook + R"("second"}]}]}})";
  files.add_file("/project/more.json", more);
  platform::Environment environment = environment_with({});
  environment.cwd = "/project";
  for (const std::string& added :
       {more, std::string("more.json"), std::string("/project/more.json")}) {
    const auto settings = read_settings(files, environment, {.added = added});
    ASSERT_TRUE(settings.ok()) << settings.error().message;
    EXPECT_EQ(settings->model_map(), (gemini::ModelMap{{"sonnet", "three"}, {"opus", "two"}}));
    EXPECT_EQ(settings->value(&Settings::compact_threshold), 0.5);
    EXPECT_EQ(settings->value(&Settings::max_message_bytes), 64U << 20U);
    ASSERT_EQ(settings->hooks().commands[core::HookEvent::pre_compact].size(), 2U);
    EXPECT_EQ(settings->hooks().commands[core::HookEvent::pre_compact][0].command, "first");
    EXPECT_EQ(settings->hooks().commands[core::HookEvent::pre_compact][1].command, "second");
  }
  const auto isolated = read_settings(files, environment, {.added = more, .user_hooks = false});
  ASSERT_TRUE(isolated.ok());
  ASSERT_EQ(isolated->hooks().commands[core::HookEvent::pre_compact].size(), 1U);
  EXPECT_EQ(isolated->hooks().commands[core::HookEvent::pre_compact][0].command, "second");
  EXPECT_EQ(read_settings(files, environment, {.added = " "})->model_map().size(), 2U);
  const auto message = [&](const std::string& added) {
    const auto settings = read_settings(files, environment, {.added = added});
    return settings.ok() ? std::string("none") : settings.error().message;
  };
  EXPECT_EQ(message("none.json"), "Settings file not found: /project/none.json");
  EXPECT_EQ(message(R"({"hooks":[]})"), "--settings: hooks is not an object");
  EXPECT_EQ(message(R"({"hooks":)").find("--settings: "), 0U);
}

TEST(SettingsStack, KnowsWhereEachValueComesFrom) {
  test::MemoryFileSystem files;
  files.add_file("/home/u/.yume/settings.json", R"({"model":"opus","compactThreshold":0.5})");
  const auto stack = read_settings(files, environment_with({}), {.added = R"({"model":"haiku"})"});
  ASSERT_TRUE(stack.ok()) << stack.error().message;
  const auto model = stack->find(&Settings::model);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->value, "haiku");
  EXPECT_EQ(model->origin, (SettingsOrigin{SettingsSource::command_line, {}}));
  EXPECT_EQ(model->origin.text(), "--settings");
  const auto threshold = stack->find(&Settings::compact_threshold);
  ASSERT_TRUE(threshold);
  EXPECT_EQ(threshold->value, 0.5);
  EXPECT_EQ(threshold->origin.text(), "/home/u/.yume/settings.json");
  EXPECT_FALSE(stack->find(&Settings::gcloud_path));
  EXPECT_EQ(stack->layers().size(), 2U);
}

TEST(SettingsStack, AddsUpRowsOfModelsFromAllLayers) {
  test::MemoryFileSystem files;
  files.add_file("/home/u/.yume/settings.json",
                 R"({"models":[{"id":"house","window":1000},{"id":"hut","window":10}]})");
  const auto stack = read_settings(files, environment_with({}),
                                   {.added = R"({"models":[{"id":"house","window":2000}]})"});
  ASSERT_TRUE(stack.ok()) << stack.error().message;
  const auto catalog = stack->catalog();
  ASSERT_TRUE(catalog);
  EXPECT_EQ(catalog->info("house").context_window, 2'000);
  EXPECT_EQ(catalog->info("hut").context_window, 10);
}

TEST(ModelChoice, UsesTheSettingsModelWhenNoneIsNamed) {
  const app::ModelChoice models(
      SettingsStack({{{}, parse_settings(R"({"model":"opus"})").value()}}),
      {{"opus", "gemini-4-argon"}});
  const platform::WallTime now{};
  EXPECT_EQ(models.choose("", now).id, "gemini-4-argon");
  EXPECT_EQ(models.choose("haiku", now).id, "gemini-3.5-flash-lite");
}

TEST(ModelChoice, LetsTheCommandLineWinOverTheSettings) {
  const auto settings = parse_settings(
      R"({"modelMap":{"sonnet":"house","opus":"house"},"models":[{"id":"house","output":10}]})");
  ASSERT_TRUE(settings.ok());
  const app::ModelChoice models(SettingsStack({{{}, *settings}}), {{"sonnet", "gemini-4-argon"}});
  const platform::WallTime january = std::chrono::sys_days(std::chrono::year(2027) / 1 / 1);
  const gemini::ModelInfo sonnet = models.choose("claude-sonnet-4-5", january);
  EXPECT_EQ(sonnet.id, "gemini-4-argon");
  EXPECT_EQ(sonnet.prices.at(0).price.input, 4);
  EXPECT_EQ(models.choose("opus", january).id, "house");
  EXPECT_EQ(models.choose("opus", january).max_output_tokens, 10);
  EXPECT_EQ(models.choose("haiku", january).id, "gemini-3.5-flash-lite");
}

}  // namespace
}  // namespace yume::config
