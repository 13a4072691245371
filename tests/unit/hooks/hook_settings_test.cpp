// SPDX-License-Identifier: MIT
#include "hooks/hook_settings.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::hooks {
namespace {

using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

TEST(HookSettings, ReadsCommandsInTheirOrder) {
  auto settings = parse_hook_settings({R"({"PreCompact":[
      {"matcher":"manual","hooks":[{"type":"command","command":"one","timeout":2.5},
                                   {"type":"command","command":"two","onFailure":"block"}]},
      {"hooks":[{"type":"command","command":"three","statusMessage":"x"}]}]})"});
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  ASSERT_EQ(settings->commands[core::HookEvent::pre_compact].size(), 3U);
  EXPECT_EQ(settings->commands[core::HookEvent::pre_compact][0].command, "one");
  EXPECT_EQ(settings->commands[core::HookEvent::pre_compact][0].timeout, 2500ms);
  EXPECT_TRUE(settings->commands[core::HookEvent::pre_compact][0].matcher.matches("manual"));
  EXPECT_FALSE(settings->commands[core::HookEvent::pre_compact][0].matcher.matches("auto"));
  EXPECT_EQ(settings->commands[core::HookEvent::pre_compact][0].on_failure,
            core::OnHookFailure::go_on);
  EXPECT_EQ(settings->commands[core::HookEvent::pre_compact][1].command, "two");
  EXPECT_EQ(settings->commands[core::HookEvent::pre_compact][1].timeout, 60s);
  EXPECT_EQ(settings->commands[core::HookEvent::pre_compact][1].on_failure,
            core::OnHookFailure::block);
  EXPECT_EQ(settings->commands[core::HookEvent::pre_compact][2].command, "three");
  EXPECT_TRUE(settings->commands[core::HookEvent::pre_compact][2].matcher.matches("auto"));
  EXPECT_EQ(settings->not_run, Strings{});
}

TEST(HookSettings, NamesWhatIsNotServed) {
  auto settings = parse_hook_settings({R"({"TeammateIdle":[{"anything":1}],"Stop":[],
      "PreCompact":[{"hooks":[{"type":"prompt","prompt":"x"},{"type":"command","command":"c"},
                              {"type":"command","command":"d","async":true}]}]})"});
  ASSERT_TRUE(settings.ok()) << settings.error().message;
  EXPECT_EQ(settings->not_run,
            (Strings{"TeammateIdle", "PreCompact of type prompt", "PreCompact with async"}));
  EXPECT_EQ(settings->commands[core::HookEvent::pre_compact].size(), 1U);
}

TEST(HookSettings, MayBeNone) {
  for (const char* none : {"null", "{}", R"({"PreCompact":[]})", R"({"PreCompact":null})"}) {
    auto settings = parse_hook_settings({none});
    ASSERT_TRUE(settings.ok()) << none << ": " << settings.error().message;
    EXPECT_TRUE(settings->commands[core::HookEvent::pre_compact].empty());
    EXPECT_EQ(settings->not_run, Strings{});
  }
}

TEST(HookSettings, KnowsEveryEvent) {
  for (const core::HookEvent event : core::k_hook_events) {
    const std::string name(core::name_of(event));
    auto settings = parse_hook_settings(
        {R"({")" + name + R"(":[{"matcher":"a","hooks":[{"type":"command","command":"c"}]}]})"});
    ASSERT_TRUE(settings.ok()) << name;
    EXPECT_EQ(settings->commands[event].size(), 1U) << name;
    EXPECT_EQ(settings->grants(), Strings{"hook " + name + " a: c"});
  }
}

TEST(HookSettings, SaysWhereTheyAreWrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"[]", "hooks is not an object"},
      {R"({"PreCompact":{"a":1}})", "hooks.PreCompact is not a list"},
      {R"({"PreCompact":[7]})", "hooks.PreCompact[0] is not an object"},
      {R"({"PreCompact":[{}]})", "hooks.PreCompact[0].hooks is not a list"},
      {R"({"PreCompact":[{"matcher":7,"hooks":[]}]})", "hooks.PreCompact[0].matcher is not a text"},
      {R"({"PreCompact":[{"hooks":[]},{"hooks":["x"]}]})",
       "hooks.PreCompact[1].hooks[0] is not an object"},
      {R"({"PreCompact":[{"hooks":[{"command":"x"}]}]})",
       "hooks.PreCompact[0].hooks[0].type is missing, or not a text"},
      {R"({"PreCompact":[{"hooks":[{"type":"command"}]}]})",
       "hooks.PreCompact[0].hooks[0].command is missing, or not a text"},
      {R"({"PreCompact":[{"hooks":[{"type":"command","command":"x","timeout":0}]}]})",
       "hooks.PreCompact[0].hooks[0].timeout is not a number of seconds, a day at most"},
      {R"({"PreCompact":[{"hooks":[{"type":"command","command":"x","timeout":1e300}]}]})",
       "hooks.PreCompact[0].hooks[0].timeout is not a number of seconds, a day at most"},
  };
  for (const auto& [json, message] : cases) {
    auto settings = parse_hook_settings({json});
    ASSERT_FALSE(settings.ok()) << json;
    EXPECT_EQ(settings.error().message, message);
  }
  const auto pattern = parse_hook_settings({R"({"PreCompact":[{"matcher":"(","hooks":[]}]})"});
  ASSERT_FALSE(pattern.ok());
  EXPECT_EQ(pattern.error().message.find("hooks.PreCompact[0].matcher \"(\" is not a regular"), 0U);
}

}  // namespace
}  // namespace yume::hooks
