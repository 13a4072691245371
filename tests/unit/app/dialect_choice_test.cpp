// SPDX-License-Identifier: MIT
#include "app/dialect_choice.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::app {
namespace {

using Strings = std::vector<std::string>;

config::SettingsStack settings_with(const std::string& text) {
  return config::SettingsStack({{{}, config::parse_settings(text).value()}});
}

std::string settled(Options options, const config::SettingsStack& settings,
                    const Strings& ancestors) {
  settle_dialect(settings, ancestors, options);
  return dialect_in_words(options);
}

Options with_provider() {
  Options options;
  options.has_provider = true;
  options.dialect = DialectName::yume;
  return options;
}

TEST(DialectChoice, KnowsTheYumeAppByItsName) {
  for (const char* name : {"yume", "Yume", "Yume Beta", "yume.exe", "Yume.exe", "YUME.EXE"}) {
    EXPECT_TRUE(has_yume_app({"sh", name})) << name;
  }
  for (const char* name : {"", "yume-cli", "yume-cli.exe", "Yume-cli", "yumemaker", "sh", "node"}) {
    EXPECT_FALSE(has_yume_app({name})) << name;
  }
  EXPECT_FALSE(has_yume_app({}));
}

TEST(DialectChoice, SpeaksToTheAppThatStartedIt) {
  EXPECT_EQ(settled(with_provider(), config::SettingsStack(), {"Yume"}),
            "yume-app, because the Yume app started this program");
  EXPECT_EQ(settled(with_provider(), config::SettingsStack(), {"sh", "yume"}),
            "yume-app, because the Yume app started this program");
  EXPECT_EQ(settled(with_provider(), config::SettingsStack(), {"sh", "node"}), "yume");
  EXPECT_EQ(settled(Options(), config::SettingsStack(), {"Yume"}), "claude")
      << "Yume starts claude in its place, too";
}

TEST(DialectChoice, LetsTheSettingsBeatTheParentAndTheFlagBeatBoth) {
  const auto settings = settings_with(R"({"dialect":"yume"})");
  EXPECT_EQ(settled(with_provider(), settings, {"Yume"}), "yume, by the settings");
  Options flagged = with_provider();
  flagged.dialect = DialectName::claude;
  flagged.dialect_reason = DialectReason::flag;
  EXPECT_EQ(settled(flagged, settings, {"Yume"}), "claude, by --dialect");
  flagged.dialect_reason = DialectReason::variable;
  EXPECT_EQ(settled(flagged, settings, {"Yume"}), "claude, by YUME_CLI_DIALECT");
}

TEST(DialectChoice, LetsTheEnvironmentBeatTheSettingsAboutGrowingTexts) {
  const auto settings = settings_with(R"({"liveText":false})");
  Options options;
  settle_live_text(settings, options);
  EXPECT_EQ(options.live_text, config::LiveText{.on = false});
  options.live_text = config::LiveText{};
  settle_live_text(settings, options);
  EXPECT_EQ(options.live_text, config::LiveText{});
}

TEST(DialectChoice, NamesEveryDialect) {
  for (const auto dialect :
       {DialectName::yume, DialectName::yume_app, DialectName::claude, DialectName::gemini}) {
    EXPECT_EQ(parse_dialect(name_of(dialect)), dialect);
  }
  EXPECT_EQ(parse_dialect("codex"), std::nullopt);
}

}  // namespace
}  // namespace yume::app
