// SPDX-License-Identifier: MIT
#include "app/models_command.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace yume::app {
namespace {

const platform::WallTime k_now = std::chrono::sys_days(std::chrono::year(2026) / 11 / 16);

ModelChoice built_in() {
  return ModelChoice(config::SettingsStack(), {});
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string line_with(const std::string& text, const std::string& start) {
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with(start + " ")) return line;
  }
  return "";
}

TEST(ModelsTable, HasAllColumnsInAPipe) {
  const std::string table = models_table(built_in(), k_now, std::nullopt);
  EXPECT_EQ(lines_of(table).front(),
            "MODEL                                  WINDOW  OUTPUT  THINKING                  "
            "IN $/M  OUT $/M  CACHED $/M  STATUS      NOTE");
  EXPECT_EQ(line_with(table, "gemini-3.5-flash-lite"),
            "gemini-3.5-flash-lite               1,048,576  65,536  minimal to high, minimal    "
            "0.30     2.50        0.03  ga");
  EXPECT_EQ(line_with(table, "gemini-2.5-pro"),
            "gemini-2.5-pro                      1,048,576  65,536  128 to 32768                "
            "1.25    10.00       0.125  deprecated  being shut down since October 2026; use "
            "gemini-3.8-flash; prompts above 200,000: 2.50, 15.00, 0.25");
  EXPECT_NE(line_with(table, "gemini-4-carbon").find(" ? "), std::string::npos);
  EXPECT_NE(line_with(table, "gemini-2.0-flash").find(" none "), std::string::npos);
  for (const std::string& line : lines_of(table)) EXPECT_FALSE(line.ends_with(' ')) << line;
}

TEST(ModelsTable, LeavesOutColumnsThatDoNotFit) {
  const std::size_t rows = gemini::ModelCatalog::built_in().ids().size() + 1;
  for (const int width : {46, 60, 80, 100, 120, 200}) {
    const auto lines = lines_of(models_table(built_in(), k_now, width));
    ASSERT_GT(lines.size(), rows);
    for (const std::string& line : lines) {
      EXPECT_LE(line.size(), static_cast<std::size_t>(width)) << line;
    }
  }
  const std::string wide = lines_of(models_table(built_in(), k_now, 125)).front();
  EXPECT_NE(wide.find("CACHED"), std::string::npos);
  EXPECT_EQ(wide.find("NOTE"), std::string::npos);
  const std::string narrow = lines_of(models_table(built_in(), k_now, 60)).front();
  EXPECT_EQ(narrow, "MODEL                                  WINDOW  STATUS");
  EXPECT_EQ(line_with(models_table(built_in(), k_now, 10), "gemini-4-argon"), "")
      << "an id is never cut, and nothing stands behind it";
}

TEST(ModelsTable, TellsWhatNamesStandFor) {
  const std::string table = models_table(
      ModelChoice(config::SettingsStack(), {{"sonnet", "opus"}, {"mine", "pro"}}), k_now, 80);
  EXPECT_NE(table.find("\n  gemini-4-argon                      opus, fable, sonnet, best\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("\n  gemini-3.1-pro-preview              pro, mine\n"), std::string::npos);
}

TEST(ModelsJson, GivesRowsThatTheSettingsTakeBack) {
  const std::string line = models_json(built_in(), k_now);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  const auto json = nlohmann::ordered_json::parse(line);
  EXPECT_EQ(json["names"]["opus"], "gemini-4-argon");
  ASSERT_EQ(json["models"].size(), gemini::ModelCatalog::built_in().ids().size());
  const auto settings =
      config::parse_settings(nlohmann::ordered_json{{"models", json["models"]}}.dump());
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  const auto catalog = config::SettingsStack({{{}, *settings}}).catalog();
  ASSERT_TRUE(catalog);
  const auto today = std::chrono::floor<std::chrono::days>(k_now);
  for (const std::string& id : gemini::ModelCatalog::built_in().ids()) {
    EXPECT_EQ(catalog->info(id, today), gemini::model_info(id, today)) << id;
  }
}

}  // namespace
}  // namespace yume::app
